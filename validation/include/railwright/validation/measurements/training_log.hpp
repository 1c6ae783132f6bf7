// SPDX-License-Identifier: Apache-2.0
// Reads the step time from a training log.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

struct LoggedSteps {
  std::string format;  ///< "Megatron-LM", "torchtitan", "progress bar"
  core::Duration step_time;
  core::Duration standard_error;
  int num_lines = 0;  ///< with a step time
  int num_used = 0;   ///< lines left after warming up
};

/// Whether a text holds lines that read_training_log() understands.
bool is_training_log(std::string_view text);

/// Reads lines of Megatron-LM (`elapsed time per iteration (ms): 4123.4`)
/// [@megatron_lm_training_log], else of NeMo (`train_step_timing in s=4.12`, or `: 4.12`)
/// [@nemo_timing], of nanotron (`elapsed_time_per_iteration_ms: 4.12K`) [@nanotron_config], of
/// torchtitan
/// (`tps: 5,748` with the batch and mesh in its head) [@torchtitan_config], of DeepSpeed
/// (`CurrSamplesPerSec=25.7` with `train_batch_size`) [@deepspeed_config], else the rate of a
/// progress bar (`4.12s/it`) [@tqdm]. Where torchtitan or DeepSpeed tell no batch, the times of day
/// of their lines are taken. The first tenth of the lines, at least one, counts as warm-up. The
/// step time is the median of the others. Its standard error is sqrt(pi / 2) s / sqrt(n) with s
/// = 1.4826 times the median distance from it: a few slow steps (checkpoints, evaluations) move
/// neither. A bar's rate is a running mean, so for its error every tenth line counts as one
/// measurement. Throws ConfigError if fewer than three lines are left.
LoggedSteps read_training_log(std::string_view text, const std::string& file);

}  // namespace railwright::validation
