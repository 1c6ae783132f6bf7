// SPDX-License-Identifier: Apache-2.0
// A training job in the words of Megatron-LM's arguments, as parts of a scenario.
#pragma once

#include "../common/findings.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// `arguments` maps names with underscores to values; absent ones have the default of Megatron's
/// arguments.py, which is said as assumed. Adds the model, its division, batches and what the stack
/// does; what of the arguments has no place in a scenario is said, unless `is_complete`: then every
/// argument there is stands in it, most without a meaning for time. [@megatron_arguments]
void add_megatron_recipe(const core::Node& arguments, bool is_complete, Findings& findings);

}  // namespace railwright::importers
