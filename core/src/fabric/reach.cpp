// SPDX-License-Identifier: Apache-2.0
#include "reach.hpp"

#include <algorithm>
#include <utility>

namespace railwright::core {

namespace {

/// Numbers the connected parts of the scale-out switches, by vertex; -1 for other vertices.
std::vector<int> parts_of_switches(const LiveGraph& graph) {
  std::vector<int> part(graph.vertices.size(), -1);
  const auto is_new = [&](VertexId v) {
    return graph.vertex(v).role == Role::kSwitch && part[static_cast<std::size_t>(v)] < 0;
  };
  int num_parts = 0;
  std::vector<VertexId> reached;
  for (std::size_t start = 0; start < part.size(); ++start) {
    if (!is_new(static_cast<VertexId>(start))) continue;
    const int number = num_parts++;
    part[start] = number;
    reached.assign(1, static_cast<VertexId>(start));
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const LinkId link : graph.leaving(reached[i])) {
        const VertexId head = graph.link(link).to;
        if (!is_new(head)) continue;
        part[static_cast<std::size_t>(head)] = number;
        reached.push_back(head);
      }
    }
  }
  return part;
}

}  // namespace

std::vector<int> nodes_in_reach(const LiveGraph& graph) {
  const std::vector<int> part = parts_of_switches(graph);
  const auto for_each_part_of_nics = [&](auto visit) {
    for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
      if (graph.vertices[v].role != Role::kNic) continue;
      for (const LinkId link : graph.leaving(static_cast<VertexId>(v))) {
        const int p = part[static_cast<std::size_t>(graph.link(link).to)];
        if (p >= 0) visit(v, p);
      }
    }
  };
  std::vector<std::pair<int, int>> members;  // part and node
  for_each_part_of_nics(
      [&](std::size_t v, int p) { members.emplace_back(p, graph.vertices[v].node); });
  std::ranges::sort(members);
  members.erase(std::ranges::unique(members).begin(), members.end());
  std::vector<int> num_nodes(graph.vertices.size());
  for (const auto& [p, node] : members) ++num_nodes[static_cast<std::size_t>(p)];
  std::vector<int> reach(graph.vertices.size());
  for_each_part_of_nics([&](std::size_t v, int p) {
    reach[v] = std::max(reach[v], num_nodes[static_cast<std::size_t>(p)]);
  });
  return reach;
}

}  // namespace railwright::core
