// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/builtin.hpp"

#include "railwright/core/registry.hpp"
#include "railwright/topologies/wirings/dual_switch.hpp"
#include "railwright/topologies/wirings/fat_tree.hpp"
#include "railwright/topologies/wirings/leaf_spine.hpp"
#include "railwright/topologies/wirings/multi_plane.hpp"
#include "railwright/topologies/wirings/pod.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {

void register_builtin(core::Registry<Topology>& registry) {
  registry.add<DualSwitch>();
  registry.add<FatTree>();
  registry.add<LeafSpine>();
  registry.add<MultiPlane>();
  registry.add<Pod>();
  registry.add<RailOptimized>();
  registry.add<SingleSwitch>();
}

}  // namespace railwright::topologies
