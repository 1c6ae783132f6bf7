// SPDX-License-Identifier: Apache-2.0
// What one job moves to and from storage, and to and from what its nodes have themselves.
#pragma once

#include <optional>
#include <span>

#include "railwright/models/storage/storage.hpp"
#include "run_model.hpp"

namespace railwright::simulation {

/// Where a job's bytes can go in one state of the storage.
struct Ways {
  const models::StorageNetwork* network = nullptr;  ///< null without storage
  std::span<const models::StorageLink> links;       ///< of the network, then a tier a node
  core::LinkId first_local = 0;
};

/// Also fills what `run` says of one checkpoint and one restore by themselves.
JobTransfers job_transfers(const RunJob& job, const core::Fabric& fabric, const Ways& ways,
                           JobRun& run);

}  // namespace railwright::simulation
