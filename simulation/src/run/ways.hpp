// SPDX-License-Identifier: Apache-2.0
// Links between jobs and storage in one state of the storage.
#pragma once

#include <span>

#include "railwright/models/storage/storage.hpp"

namespace railwright::simulation {

/// Links that a job's bytes can take in one state of the storage.
struct Ways {
  const models::StorageNetwork* network = nullptr;  ///< null without storage
  std::span<const models::StorageLink> links;       ///< the network's, then one local tier per node
  core::LinkId first_local = 0;
};

}  // namespace railwright::simulation
