// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cstdint>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::core {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Pipe {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse;
};
using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Pipe>;

// Whole bytes/s, small enough that the sum over all links of a large fabric fits in 63 bits.
std::int64_t whole(Bandwidth bandwidth) {
  return static_cast<std::int64_t>(std::min(bandwidth.base(), 1e14));
}

/// One direction, with the reverse edge of capacity 0 that Boost's algorithm asks for.
void add_pipe(Graph& graph, VertexId from, VertexId to, std::int64_t capacity) {
  const auto a = static_cast<std::size_t>(from);
  const auto b = static_cast<std::size_t>(to);
  const auto forth = add_edge(a, b, {capacity, 0, {}}, graph).first;
  const auto reverse = add_edge(b, a, {0, 0, {}}, graph).first;
  graph[forth].reverse = reverse;
  graph[reverse].reverse = forth;
}

}  // namespace

Bandwidth Fabric::bisection_bandwidth() const {
  const int half =
      num_nodes() >= 2 ? num_nodes() / 2 * accelerators_per_node_ : num_accelerators() / 2;
  if (half == 0) return Bandwidth{};
  const auto num_vertices = static_cast<VertexId>(vertices_.size());
  const VertexId source = num_vertices;
  const VertexId sink = num_vertices + 1;
  Graph graph(vertices_.size() + 2);
  std::vector<std::int64_t> outlet(vertices_.size(), 0);
  for (std::size_t l = 0; l + 1 < links_.size(); l += 2) {
    const Link& link = links_[l];
    if (is_failed_[l] || link.tier == Tier::kFrontEnd || link.tier == Tier::kStorage) continue;
    const std::int64_t capacity = whole(link.bandwidth);
    add_pipe(graph, link.from, link.to, capacity);
    add_pipe(graph, link.to, link.from, capacity);
    outlet[static_cast<std::size_t>(link.from)] += capacity;
    outlet[static_cast<std::size_t>(link.to)] += capacity;
  }
  for (int a = 0; a < num_accelerators(); ++a) {
    const VertexId v = endpoints_[static_cast<std::size_t>(a)].accelerator;
    const std::int64_t capacity = outlet[static_cast<std::size_t>(v)];
    if (a < half) {
      add_pipe(graph, source, v, capacity);
    } else {
      add_pipe(graph, v, sink, capacity);
    }
  }
  const std::int64_t flow = boost::push_relabel_max_flow(
      graph, static_cast<std::size_t>(source), static_cast<std::size_t>(sink),
      get(&Pipe::capacity, graph), get(&Pipe::residual, graph), get(&Pipe::reverse, graph),
      get(boost::vertex_index, graph));
  return Bandwidth::from_base(static_cast<double>(flow));
}

}  // namespace railwright::core
