// SPDX-License-Identifier: Apache-2.0
// How busy the links of a fabric are over a step.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::simulation {

/// How busy the busiest link of a tier is over a step.
struct TierLoad {
  core::Tier tier = core::Tier::kScaleUp;
  double utilization = 0.0;      ///< of what transfers can reach
  core::DataSize busiest_bytes;  ///< carried in a step
};

/// A link, and how many more are like it: of the same tier, between the same kinds of devices, as
/// busy to nine digits.
struct LinkLoad {
  std::string name;  ///< "node 3 NIC 2 -> leaf 1"
  core::Tier tier = core::Tier::kScaleUp;
  double utilization = 0.0;
  core::DataSize bytes;  ///< of one of them in a step
  int multiplicity = 1;
};

std::string link_name(const core::Fabric& fabric, core::LinkId link);

/// Of the tiers that carry anything.
std::vector<TierLoad> tier_loads(const core::Fabric& fabric, const std::vector<double>& capacity,
                                 const std::vector<double>& link_bytes, core::Duration step_time);

/// The `most` busiest, the busiest first; of equals the first of the fabric.
std::vector<LinkLoad> busiest_links(const core::Fabric& fabric, const std::vector<double>& capacity,
                                    const std::vector<double>& link_bytes, core::Duration step_time,
                                    std::size_t most = 10);

}  // namespace railwright::simulation
