// SPDX-License-Identifier: Apache-2.0
#include "placement_draws.hpp"

#include <algorithm>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

int num_placement_draws(const Scenario& scenario) {
  constexpr int kDraws = 32;
  constexpr int kFewest = 8;
  constexpr int kAccelerators = 1024;
  if (scenario.cluster.placement.order == topologies::PlacementOrder::kPacked) return 1;
  return std::clamp(kDraws * kAccelerators / scenario.num_accelerators(), kFewest, kDraws);
}

topologies::BuiltCluster build_draw(const CheckedScenario& checked, std::uint64_t draw) {
  topologies::Cluster cluster = checked.scenario.cluster;
  cluster.placement.draw = draw;
  return checked.topology->build(cluster);
}

}  // namespace railwright::simulation
