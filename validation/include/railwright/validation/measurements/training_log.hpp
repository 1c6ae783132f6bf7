// SPDX-License-Identifier: Apache-2.0
// The step time that a training log tells.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

struct LoggedSteps {
  std::string format;  ///< "Megatron-LM", "NeMo", "progress bar"
  core::Duration step_time;
  core::Duration standard_error;
  int num_lines = 0;  ///< that tell a step time
  int num_used = 0;   ///< of these, after warming up
};

/// Whether a text holds lines that read_training_log() understands.
bool is_training_log(std::string_view text);

/// Lines of Megatron-LM (`elapsed time per iteration (ms): 4123.4`) [@megatron_lm_training_log],
/// else of NeMo (`train_step_timing in s=4.12`, or `: 4.12`) [@nemo_timing], else the rate of a
/// progress bar (`4.12s/it`) [@tqdm]. The first tenth of the lines, at least one, warms up. The
/// step time is the median of the others, its standard error sqrt(pi / 2) s / sqrt(n) with
/// s = 1.4826 times the median distance from it: a few slow steps (checkpoints, evaluations) move
/// neither. A bar's rate is a running mean, so its error is taken as if every tenth line were one
/// measurement. Throws ConfigError where fewer than three lines are left.
LoggedSteps read_training_log(std::string_view text, const std::string& file);

}  // namespace railwright::validation
