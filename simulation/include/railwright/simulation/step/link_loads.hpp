// SPDX-License-Identifier: Apache-2.0
// Utilization of a fabric's links over a step.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/fabric/tier.hpp"
#include "railwright/core/sim/flow_state.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

/// Load of a tier's busiest link over a step.
struct TierLoad {
  core::Tier tier = core::Tier::kScaleUp;
  double utilization = 0.0;      ///< share of the bandwidth that transfers can reach
  core::DataSize busiest_bytes;  ///< bytes that this link carries in a step
};

/// Load of identical links: of the same tier, between the same kinds of devices, equally busy to
/// nine decimals.
struct LinkLoad {
  std::string name;  ///< name of the first one: "node 3 NIC 2 -> leaf 1"
  core::Tier tier = core::Tier::kScaleUp;
  double utilization = 0.0;
  core::DataSize bytes;  ///< carried by each in a step
  int multiplicity = 1;
};

std::string link_name(const core::Fabric& fabric, core::LinkId link);

/// Returns the loads of the tiers that carry traffic.
std::vector<TierLoad> tier_loads(const core::Fabric& fabric, const std::vector<double>& capacity,
                                 const std::vector<double>& link_bytes, core::Duration step_time);

/// Returns the `most` busiest links, the busiest first; equally busy ones in the fabric's order.
std::vector<LinkLoad> busiest_links(const core::Fabric& fabric, const std::vector<double>& capacity,
                                    const std::vector<double>& link_bytes, core::Duration step_time,
                                    std::size_t most = 10);

}  // namespace railwright::simulation
