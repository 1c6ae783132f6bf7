// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/topology_kinds.hpp"

#include <algorithm>
#include <utility>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/fabric/routing_fields.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/topologies/wirings/dual_switch.hpp"
#include "railwright/topologies/wirings/fat_tree.hpp"
#include "railwright/topologies/wirings/leaf_spine.hpp"
#include "railwright/topologies/wirings/multi_plane.hpp"
#include "railwright/topologies/wirings/pod.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {

namespace {

template <class Kind>
const core::Description& keys_of() {
  static const core::Description kKeys = core::describe<typename Kind::Config>();
  return kKeys;
}

template <class Kind>
std::unique_ptr<Topology> make(const core::Node& keys, const std::string& path,
                               core::Reader& reader) {
  typename Kind::Config config{};
  const std::size_t problems = reader.diagnostics().size();
  reader.read(keys, path, config);
  if (reader.diagnostics().size() != problems) return nullptr;
  return std::make_unique<Kind>(std::move(config));
}

constexpr TopologyKind kKinds[] = {
    {DualSwitch::kName, keys_of<DualSwitch>, make<DualSwitch>},
    {FatTree::kName, keys_of<FatTree>, make<FatTree>},
    {LeafSpine::kName, keys_of<LeafSpine>, make<LeafSpine>},
    {MultiPlane::kName, keys_of<MultiPlane>, make<MultiPlane>},
    {Pod::kName, keys_of<Pod>, make<Pod>},
    {RailOptimized::kName, keys_of<RailOptimized>, make<RailOptimized>},
    {SingleSwitch::kName, keys_of<SingleSwitch>, make<SingleSwitch>},
};
static_assert(std::ranges::is_sorted(kKinds, {}, &TopologyKind::name));

}  // namespace

std::span<const TopologyKind> topology_kinds() { return kKinds; }

std::vector<std::string> topology_names() {
  std::vector<std::string> names;
  for (const TopologyKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

const TopologyKind* find_topology(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &TopologyKind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace railwright::topologies
