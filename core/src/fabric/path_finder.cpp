// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <utility>

#include "routes.hpp"

namespace railwright::core {

namespace {

struct EdgeLink {
  LinkId link = 0;
};
using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, EdgeLink,
                                               boost::no_property, std::int32_t, std::int32_t>;

/// What a path between `from` and `to` may take.
struct Allowed {
  const Csr* csr = nullptr;
  const Vertex* vertices = nullptr;
  const Link* links = nullptr;
  VertexId from = 0;
  VertexId to = 0;

  [[nodiscard]] bool link(const Link& l) const {
    const Vertex& tail = vertices[l.from];
    const Vertex& head = vertices[l.to];
    if (tail.role == Role::kHostBridge || head.role == Role::kHostBridge) return false;
    // Devices do not forward for others.
    if (l.from != from && (tail.role == Role::kAccelerator || tail.role == Role::kStorageNode)) {
      return false;
    }
    if (l.to != to && (head.role == Role::kAccelerator || head.role == Role::kStorageNode)) {
      return false;
    }
    // Nor do servers: into one only at the end of the way, out of one only at its start.
    if (tail.node < 0 && head.node >= 0) return is_own(head, to);
    if (head.node < 0 && tail.node >= 0) return is_own(tail, from);
    return true;
  }
  bool operator()(const Csr::edge_descriptor& edge) const { return link(links[(*csr)[edge].link]); }

 private:
  [[nodiscard]] bool is_own(const Vertex& vertex, VertexId end) const {
    const Vertex& e = vertices[end];
    const bool same_kind = (vertex.role == Role::kStorageNode) == (e.role == Role::kStorageNode);
    return vertex.node == e.node && same_kind;
  }
};
using Filtered = boost::filtered_graph<Csr, Allowed>;

/// Thrown out of Boost's search, which has no other way to stop early.
struct Found {};

struct Visitor : boost::default_bfs_visitor {
  const Csr* csr = nullptr;
  std::vector<LinkId>* arrived_by = nullptr;
  std::vector<std::int32_t>* distance = nullptr;
  VertexId to = -1;

  template <class Edge, class Graph>
  void tree_edge(const Edge& edge, const Graph& graph) const {
    const auto head = static_cast<std::size_t>(target(edge, graph));
    (*arrived_by)[head] = (*csr)[edge].link;
    (*distance)[head] = (*distance)[static_cast<std::size_t>(source(edge, graph))] + 1;
    if (static_cast<VertexId>(head) == to) throw Found{};
  }
};

}  // namespace

struct PathFinder::Graph {
  std::span<const Vertex> vertices;
  std::span<const Link> links;
  Csr csr;

  [[nodiscard]] Allowed allowed(VertexId from, VertexId to) const {
    return {&csr, vertices.data(), links.data(), from, to};
  }

  void search(VertexId from, VertexId to, bool stop_early, std::vector<LinkId>& arrived_by,
              std::vector<std::int32_t>& distance) const {
    arrived_by.assign(vertices.size(), -1);
    distance.assign(vertices.size(), -1);
    distance[static_cast<std::size_t>(from)] = 0;
    const Filtered graph(csr, allowed(from, to));
    Visitor visitor;
    visitor.csr = &csr;
    visitor.arrived_by = &arrived_by;
    visitor.distance = &distance;
    visitor.to = stop_early ? to : -1;
    std::vector<boost::default_color_type> colors(vertices.size(), boost::white_color);
    auto color_map =
        boost::make_iterator_property_map(colors.begin(), get(boost::vertex_index, csr));
    boost::queue<VertexId> queue;
    try {
      boost::breadth_first_visit(graph, from, queue, visitor, color_map);
    } catch (const Found&) {  // NOLINT(bugprone-empty-catch)
    }
  }
};

PathFinder::PathFinder(const LiveGraph& live) : graph_(std::make_unique<Graph>()) {
  // By tail and then by link: the search meets lower links first.
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  std::vector<EdgeLink> properties;
  for (const LinkId l : live.out) {
    edges.emplace_back(live.link(l).from, live.link(l).to);
    properties.push_back({l});
  }
  graph_->vertices = live.vertices;
  graph_->links = live.links;
  graph_->csr = Csr(boost::edges_are_sorted, edges.begin(), edges.end(), properties.begin(),
                    static_cast<std::int32_t>(live.vertices.size()));
}

PathFinder::~PathFinder() = default;

bool PathFinder::find(VertexId from, VertexId to, std::vector<LinkId>& path) const {
  path.clear();
  if (from == to) return true;
  std::vector<LinkId> arrived_by;
  std::vector<std::int32_t> distance;
  graph_->search(from, to, true, arrived_by, distance);
  if (distance[static_cast<std::size_t>(to)] < 0) return false;
  for (VertexId at = to; at != from;) {
    const LinkId link = arrived_by[static_cast<std::size_t>(at)];
    path.push_back(link);
    at = graph_->links[static_cast<std::size_t>(link)].from;
  }
  std::ranges::reverse(path);
  return true;
}

std::vector<std::int32_t> PathFinder::distances(VertexId from, VertexId to) const {
  std::vector<LinkId> arrived_by;
  std::vector<std::int32_t> distance;
  graph_->search(from, to, false, arrived_by, distance);
  return distance;
}

bool PathFinder::may_take(LinkId link, VertexId from, VertexId to) const {
  return graph_->allowed(from, to).link(graph_->links[static_cast<std::size_t>(link)]);
}

}  // namespace railwright::core
