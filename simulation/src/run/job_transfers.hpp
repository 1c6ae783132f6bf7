// SPDX-License-Identifier: Apache-2.0
// Transfers of one job to and from storage and the local tier of its nodes.
#pragma once

#include "run_model.hpp"
#include "ways.hpp"

namespace railwright::simulation {

/// Returns the transfers; fills `run` with one checkpoint and one restore in isolation.
JobTransfers job_transfers(const RunJob& job, const Ways& ways, JobRun& run);

}  // namespace railwright::simulation
