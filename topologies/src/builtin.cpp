// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/builtin.hpp"

#include "railwright/core/registry.hpp"
#include "railwright/topologies/dual_switch.hpp"
#include "railwright/topologies/fat_tree.hpp"
#include "railwright/topologies/leaf_spine.hpp"
#include "railwright/topologies/multi_plane.hpp"
#include "railwright/topologies/pod.hpp"
#include "railwright/topologies/rail_optimized.hpp"
#include "railwright/topologies/single_switch.hpp"

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
