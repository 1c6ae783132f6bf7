// SPDX-License-Identifier: Apache-2.0
// Reads the timers of the parts of a step from a training log.
#pragma once

#include <string_view>
#include <vector>

#include "railwright/planner/diagnose/timed_parts.hpp"

namespace railwright::validation {

/// Reads the timers of Megatron-LM's log [@megatron_lm_training_log], of a step each:
/// `    forward-compute ....: (912.30, 955.71)`, the fastest and the slowest rank, or that alone.
/// Each is the median of its slowest ranks without the first tenth of its lines, at least one of
/// several. Empty where the log has none.
std::vector<planner::StepTimer> read_training_timers(std::string_view text);

}  // namespace railwright::validation
