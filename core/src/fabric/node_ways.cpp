// SPDX-License-Identifier: Apache-2.0
#include "node_ways.hpp"

#include <algorithm>

namespace railwright::core {

namespace {

enum class Ways : std::uint8_t {
  kScaleUp,     ///< within the scale-up domain
  kOverBridge,  ///< crosses a socket only over its host bridge
  kAny,
};

struct Visit {
  VertexId vertex = -1;
  LinkId arrived_by = -1;
  int previous = -1;
};

bool is_device(Role role) {
  return role == Role::kAccelerator || role == Role::kNic || role == Role::kFrontEndNic ||
         role == Role::kStorageNode;
}

bool may_take(const LiveGraph& graph, const Visit& at, LinkId link, VertexId to, Ways ways) {
  const Link& l = graph.link(link);
  const Vertex& head = graph.vertex(l.to);
  if (head.node != graph.vertex(to).node || (is_device(head.role) && l.to != to)) return false;
  if (ways == Ways::kScaleUp) return l.tier == Tier::kScaleUp;
  const Role tail = graph.vertex(l.from).role;
  // A bridge has a direction: from its host to the PCIe switches.
  if (head.role == Role::kHostBridge && tail != Role::kHost) return false;
  if (ways == Ways::kAny || at.arrived_by < 0) return true;
  const bool turns_at_host = tail == Role::kHost && head.role == Role::kPcieSwitch &&
                             graph.vertex(graph.link(at.arrived_by).from).role == Role::kPcieSwitch;
  return !turns_at_host;
}

/// Completes `way`, which has what follows the last visit's vertex, with the links to that vertex.
void complete(const std::vector<Visit>& visits, std::size_t last, std::vector<LinkId>& way) {
  for (const Visit* at = &visits[last]; at->arrived_by >= 0;
       at = &visits[static_cast<std::size_t>(at->previous)]) {
    way.push_back(at->arrived_by);
  }
  std::ranges::reverse(way);
}

bool search(const LiveGraph& graph, VertexId from, VertexId to, Ways ways,
            std::vector<LinkId>& way) {
  way.clear();
  if (from == to) return true;
  thread_local std::vector<Visit> visits;  // kept: a ring asks for a way at each of its members
  visits.assign(1, {.vertex = from});
  for (std::size_t i = 0; i < visits.size(); ++i) {
    // Shortcut: a mesh or a scale-up switch has a link to each of many accelerators.
    const LinkId direct = graph.direct(visits[i].vertex, to);
    if (direct >= 0 && may_take(graph, visits[i], direct, to, ways)) {
      way.push_back(direct);
      complete(visits, i, way);
      return true;
    }
    for (const LinkId link : graph.leaving(visits[i].vertex)) {
      if (!may_take(graph, visits[i], link, to, ways)) continue;
      const VertexId head = graph.link(link).to;
      if (std::ranges::find(visits, head, &Visit::vertex) != visits.end()) continue;
      visits.push_back({.vertex = head, .arrived_by = link, .previous = static_cast<int>(i)});
      if (head != to) continue;
      complete(visits, visits.size() - 1, way);
      return true;
    }
  }
  return false;
}

}  // namespace

bool find_way_between_accelerators(const LiveGraph& graph, VertexId from, VertexId to,
                                   std::vector<LinkId>& way) {
  return search(graph, from, to, Ways::kScaleUp, way) || find_way_in_node(graph, from, to, way);
}

bool find_way_in_node(const LiveGraph& graph, VertexId from, VertexId to,
                      std::vector<LinkId>& way) {
  return search(graph, from, to, Ways::kOverBridge, way) ||
         search(graph, from, to, Ways::kAny, way);
}

}  // namespace railwright::core
