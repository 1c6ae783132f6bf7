// SPDX-License-Identifier: Apache-2.0
// Blocks of steps that run as one flow.
#pragma once

#include <cstdint>

#include "railwright/core/sim/time.hpp"
#include "run_model.hpp"

namespace railwright::simulation::replication {

/// State of a job between steps.
struct BlockStart {
  std::int64_t step = 0;               ///< steps done
  std::int64_t steps_since_start = 0;  ///< steps since the job's start or last restart
  double write_speed = 1.0;            ///< part of it that ends with the checkpoint being written
  double speed = 1.0;                  ///< over that of a step alone
  core::RunTime last_checkpoint;       ///< start of the last checkpoint, or of the steps
  core::RunTime now;
};

/// Steps up to the next checkpoint, evaluation, epoch, end of warm-up or end of the job.
struct StepBlock {
  std::int64_t num_steps = 0;
  std::int64_t checkpoint_step = -1;  ///< step after which a checkpoint is due; -1: none
  std::int64_t evaluation_step = -1;  ///< step after which to evaluate; -1: none
  double slowdown = 1.0;              ///< time of a step over that at full speed
};

/// Whether the job's workers start anew with each epoch, while its steps wait.
inline bool starts_epochs(const JobModel& job) {
  return job.epoch_start_up && job.steps_per_epoch > 0;
}

/// Returns the steps that come next; at least one, if `start` is before the job's last step.
StepBlock next_block(const JobModel& job, const BlockStart& start);

}  // namespace railwright::simulation::replication
