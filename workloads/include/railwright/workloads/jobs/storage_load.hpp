// SPDX-License-Identifier: Apache-2.0
// A job of which only its load on the storage is known.
#pragma once

#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

/// Writes and reads of a team on the storage. All accelerators of its nodes write their part at
/// once, as fast as mounts, network and storage take it. Nothing is read meanwhile.
struct StorageLoad {
  core::DataSize write;
  std::optional<core::Duration> every;
  core::Bandwidth read;
  int retention = 1;
  std::optional<core::DataSize> files;
  std::optional<core::Duration> duration;

  static constexpr auto fields();
};

/// Returns the share of its time in which a load writes, or is behind the reads that it asks for.
double busy_share(const JobRun& load);
/// Returns the share of the asked rate at which a load reads between its writes; 1 if it gets all.
double share_read(const JobRun& load);

}  // namespace railwright::simulation
