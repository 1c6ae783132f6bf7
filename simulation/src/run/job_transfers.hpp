// SPDX-License-Identifier: Apache-2.0
// Transfers of one job to and from storage and the local tier of its nodes.
#pragma once

#include <optional>
#include <span>

#include "railwright/models/storage/storage.hpp"
#include "run_model.hpp"

namespace railwright::simulation {

/// Links that a job's bytes can take in one state of the storage.
struct Ways {
  const models::StorageNetwork* network = nullptr;  ///< null without storage
  std::span<const models::StorageLink> links;       ///< the network's, then one local tier per node
  core::LinkId first_local = 0;
};

/// Returns the transfers; fills `run` with one checkpoint and one restore in isolation.
JobTransfers job_transfers(const RunJob& job, const core::Fabric& fabric, const Ways& ways,
                           JobRun& run);

}  // namespace railwright::simulation
