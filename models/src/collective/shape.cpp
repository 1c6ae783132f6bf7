// SPDX-License-Identifier: Apache-2.0
#include "shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>

#include "railwright/models/collective/communicator.hpp"

namespace railwright::models {

namespace {

/// Fills in bandwidth and kind of the path between two members of a node.
void look_into_node(const core::Fabric& fabric, const std::vector<int>& node,
                    CommunicatorShape& shape) {
  std::vector<core::LinkUse> way;
  fabric.append_route(node[0], node[1], 0, way);
  const core::Link& first = link_of(fabric, way.front());
  shape.has_scale_up = first.tier == core::Tier::kScaleUp;
  shape.has_scale_up_switch =
      fabric.vertices()[static_cast<std::size_t>(first.to)].role == core::Role::kScaleUpSwitch;
  shape.scale_up = first.bandwidth.base();
  // All links of a mesh are used at once.
  if (shape.has_scale_up && way.size() == 1) {
    shape.scale_up *= static_cast<double>(node.size() - 1);
  }
}

/// Returns the bandwidth of a node's members into the network, over the adapters they use. Each
/// adapter is as fast as the narrowest link from the member to the network.
double adapters_of(const core::Fabric& fabric, const Groups& groups, std::size_t node) {
  std::map<core::LinkId, double> adapters;
  std::vector<core::LinkUse> way;
  for (const int member : groups.nodes[node]) {
    way.clear();
    fabric.append_route(member, groups.nodes[(node + 1) % groups.nodes.size()].front(), 0, way);
    double narrowest = std::numeric_limits<double>::infinity();
    for (const core::LinkUse& use : way) {
      const core::Link& link = link_of(fabric, use);
      narrowest = std::min(narrowest, link.bandwidth.base() / use.coefficient);
      const core::Vertex& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
      if (link.tier != core::Tier::kInjection || from.role != core::Role::kNic) continue;
      double& adapter = adapters[use.link];
      adapter = std::max(adapter, narrowest);
      break;
    }
  }
  double sum = 0.0;
  for (const auto& [link, bandwidth] : adapters) sum += bandwidth;
  return sum;
}

}  // namespace

const core::Link& link_of(const core::Fabric& fabric, const core::LinkUse& use) {
  return fabric.links()[static_cast<std::size_t>(use.link)];
}

CommunicatorShape shape_of(const core::Fabric& fabric, const Groups& groups) {
  CommunicatorShape shape{.members = static_cast<int>(groups.num_members),
                          .nodes = static_cast<int>(groups.nodes.size()),
                          .min_in_node = static_cast<int>(groups.fewest),
                          .max_in_node = static_cast<int>(groups.num_channels)};
  const auto fullest = std::ranges::max_element(groups.nodes, {}, &std::vector<int>::size);
  if (fullest->size() > 1) {
    look_into_node(fabric, *fullest, shape);
  } else {
    shape.scale_up = fabric.narrowest(core::Tier::kScaleUp).base();
    shape.has_scale_up = std::isfinite(shape.scale_up);
  }
  if (shape.nodes == 1) return shape;
  std::vector<core::LinkUse> way;
  fabric.append_route(groups.nodes[0].front(), groups.nodes[1].front(), 0, way);
  shape.network_latency = fabric.latency(std::span<const core::LinkUse>(way));
  return shape;
}

CommunicatorShape shape_of_pair(const core::Fabric& fabric, std::span<const core::LinkUse> way) {
  CommunicatorShape shape{.members = 2, .nodes = 2, .min_in_node = 1, .max_in_node = 1};
  shape.scale_up = fabric.narrowest(core::Tier::kScaleUp).base();
  shape.has_scale_up = std::isfinite(shape.scale_up);
  shape.network_latency = fabric.latency(way);
  return shape;
}

double network_bandwidth(const core::Fabric& fabric, const Groups& groups) {
  const double first = adapters_of(fabric, groups, 0);
  for (std::size_t node = 1; node < groups.nodes.size(); ++node) {
    if (groups.nodes[node].size() != groups.fewest) continue;
    return std::min(first, adapters_of(fabric, groups, node));
  }
  return first;
}

bool network_reduces(const core::Fabric& fabric, const Groups& groups) {
  std::vector<core::LinkUse> way;
  for (const std::vector<int>& node : groups.nodes) {
    if (&node == groups.nodes.data()) continue;
    fabric.append_route(node.front(), groups.nodes.front().front(), 0, way);
  }
  return std::ranges::all_of(way, [&](const core::LinkUse& use) {
    const auto head = static_cast<std::size_t>(link_of(fabric, use).to);
    const core::Vertex& vertex = fabric.vertices()[head];
    return vertex.role != core::Role::kSwitch || vertex.reduces;
  });
}

std::string missing_reduction(const core::Fabric& fabric, const CollectiveTuning& tuning) {
  const CollectiveAlgorithm named = tuning.all_reduce_algorithm.value;
  if (named->adds_in_network && !tuning.in_network_reduction.value) {
    return "all-reduces by " + std::string(named->name) +
           " need in_network_reduction of the library";
  }
  if (!tuning.in_network_reduction.value) return {};
  for (const core::Vertex& vertex : fabric.vertices()) {
    if (vertex.role == core::Role::kSwitch && !vertex.reduces) {
      return tuning.name + " is to reduce in the network, and " + vertex.label + " does not";
    }
  }
  return {};
}

}  // namespace railwright::models
