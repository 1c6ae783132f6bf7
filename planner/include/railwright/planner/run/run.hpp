// SPDX-License-Identifier: Apache-2.0
// The whole job on the run clock: steps, checkpoints and data reads.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/planner/scenario/scenario.hpp"

namespace railwright::planner {

/// One checkpoint, written while training waits.
struct CheckpointResult {
  std::int64_t bytes = 0;
  int num_files = 0;
  core::Duration time;
  core::Bandwidth mean_write;
  core::Bandwidth peak_write;  ///< largest sum of the rates of writers that write at once
  bool writers_limit = true;   ///< writers slower than storage; else the storage nodes decide
};

struct RunResult {
  core::Duration training_time;  ///< steps and the checkpoints that interrupt them
  std::int64_t num_checkpoints = 0;
  CheckpointResult checkpoint;  ///< all zero without storage
  core::Bandwidth peak_read;    ///< of tokens or images, read evenly over a step
};

/// Event simulation of one checkpoint. Each writer turns a piece into bytes, writes it, and goes on
/// to the next: single-threaded, so the two alternate. All writers start together.
CheckpointResult simulate_checkpoint(const CheckedScenario& checked, const core::Fabric& fabric);

RunResult simulate_run(const CheckedScenario& checked, const core::Fabric& fabric,
                       core::Duration step_time);

}  // namespace railwright::planner
