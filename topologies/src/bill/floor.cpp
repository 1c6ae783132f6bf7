// SPDX-License-Identifier: Apache-2.0
#include "floor.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::topologies {

namespace {

using core::Role;

constexpr int kRackHeight = 48;  // an estimate: racks have 42 to 52 units

// Estimates for air-cooled halls, in metres.
constexpr double kRackPitch = 0.6;
constexpr double kRowPitch = 3.0;
constexpr double kInRack = 2.0;        // a cable within a rack
constexpr double kBetweenRacks = 5.0;  // what a cable between racks takes up, down and in slack

/// Returns the layout's number, or fewer if the nodes are too tall for a rack.
int nodes_in_rack(const Cluster& cluster) {
  const int height = std::max(1, cluster.node.rack_units.value);
  return std::min(cluster.layout.nodes_per_rack, std::max(1, kRackHeight / height));
}

bool is_switch(const core::Vertex& vertex) {
  return vertex.role == Role::kSwitch || vertex.role == Role::kFrontEndSwitch;
}

}  // namespace

Floor::Floor(const core::Fabric& fabric, const Cluster& cluster)
    : racks_per_row_(cluster.layout.racks_per_row), places_(fabric.vertices().size()) {
  const int nodes_per_rack = nodes_in_rack(cluster);
  const std::vector<int> nodes = nodes_by_place(cluster.placement, cluster.num_nodes);
  const auto num_places = static_cast<int>(nodes.size());
  const int node_racks = (num_places - 1) / nodes_per_rack + 1;
  std::vector<int> place_of(static_cast<std::size_t>(cluster.num_nodes));
  for (int place = 0; place < num_places; ++place) {
    const int node = nodes[static_cast<std::size_t>(place)];
    if (node >= 0) place_of[static_cast<std::size_t>(node)] = place;
  }
  for (std::size_t v = 0; v < places_.size(); ++v) {
    const core::Vertex& vertex = fabric.vertices()[v];
    if (is_switch(vertex)) continue;
    const bool is_storage = vertex.role == Role::kStorageNode;
    const bool is_in_fabric = !is_storage && vertex.node < cluster.num_nodes;
    const int place = is_in_fabric ? place_of[static_cast<std::size_t>(vertex.node)] : vertex.node;
    places_[v] = place_in_rack((is_storage ? node_racks : 0) + place / nodes_per_rack);
  }
  place_switches(fabric);
}

Floor::Place Floor::place_in_rack(int rack) const {
  return {.x = rack % racks_per_row_ * kRackPitch, .y = rack / racks_per_row_ * kRowPitch};
}

void Floor::place_switches(const core::Fabric& fabric) {
  // Level by level, because a switch's place depends on the devices below it.
  for (int level = 0; level <= 2; ++level) {
    for (std::size_t l = 0; l < fabric.links().size(); l += 2) {
      const core::Link& link = fabric.links()[l];
      const core::Vertex& below = fabric.vertices()[static_cast<std::size_t>(link.from)];
      const core::Vertex& above = fabric.vertices()[static_cast<std::size_t>(link.to)];
      const bool peers = is_switch(below) && below.level == above.level;
      if (!is_switch(above) || above.level != level || peers) continue;
      Place& place = at(link.to);
      const Place& child = at(link.from);
      const double weight = link.num_parallel;
      place.below += link.num_parallel;
      place.x += (child.x - place.x) * weight / place.below;
      place.y += (child.y - place.y) * weight / place.below;
    }
  }
}

double Floor::cable_length(const core::Link& link) const {
  const Place& a = places_[static_cast<std::size_t>(link.from)];
  const Place& b = places_[static_cast<std::size_t>(link.to)];
  const double apart = std::abs(a.x - b.x) + std::abs(a.y - b.y);
  // Half a rack's width, since a mean over racks may fall between two of them.
  if (apart <= kRackPitch / 2.0 + 1e-9) return kInRack;
  return kBetweenRacks + apart;
}

}  // namespace railwright::topologies
