// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/fabric/node_copies.hpp"

#include <algorithm>

#include "live_graph.hpp"

namespace railwright::core {

namespace {

/// The devices and the links inside a node, each from its first id on.
struct Inside {
  VertexId vertex = -1;
  LinkId link = -1;
  int num_vertices = 0;
  int num_links = 0;
  bool is_whole = true;  ///< ids without a gap, all links in service

  void add_vertex(VertexId v) {
    if (num_vertices == 0) vertex = v;
    is_whole = is_whole && v == vertex + num_vertices++;
  }
  void add_link(LinkId l, bool is_failed) {
    if (num_links == 0) link = l;
    is_whole = is_whole && !is_failed && l == link + num_links++;
  }
};

std::vector<Inside> insides_of(const Fabric& fabric) {
  std::vector<Inside> nodes(at(fabric.num_nodes()));
  const auto node_of = [&](VertexId v) {
    const Vertex& vertex = fabric.vertices()[at(v)];
    const bool is_inside = vertex.role != Role::kStorageNode && vertex.node >= 0 &&
                           vertex.node < static_cast<int>(nodes.size());
    return is_inside ? vertex.node : -1;
  };
  for (std::size_t v = 0; v < fabric.vertices().size(); ++v) {
    const int node = node_of(static_cast<VertexId>(v));
    if (node >= 0) nodes[at(node)].add_vertex(static_cast<VertexId>(v));
  }
  for (std::size_t l = 0; l < fabric.links().size(); ++l) {
    const Link& link = fabric.links()[l];
    const int node = node_of(link.from);
    if (node < 0 || node != node_of(link.to)) continue;
    nodes[at(node)].add_link(static_cast<LinkId>(l), fabric.is_failed(static_cast<LinkId>(l)));
  }
  return nodes;
}

bool are_alike(const Fabric& fabric, const Inside& a, const Inside& b) {
  if (!a.is_whole || !b.is_whole || a.num_vertices != b.num_vertices ||
      a.num_links != b.num_links) {
    return false;
  }
  for (int i = 0; i < a.num_vertices; ++i) {
    const Vertex& own = fabric.vertices()[at(a.vertex + i)];
    const Vertex& other = fabric.vertices()[at(b.vertex + i)];
    if (own.role != other.role || own.local_index != other.local_index) return false;
  }
  for (int i = 0; i < a.num_links; ++i) {
    const Link& own = fabric.links()[at(a.link + i)];
    const Link& other = fabric.links()[at(b.link + i)];
    if (own.from - a.vertex != other.from - b.vertex || own.to - a.vertex != other.to - b.vertex ||
        own.tier != other.tier || own.bandwidth != other.bandwidth ||
        own.latency != other.latency || own.num_parallel != other.num_parallel) {
      return false;
    }
  }
  return true;
}

bool have_same_endpoints(const Fabric& fabric, const std::vector<Inside>& nodes, int node) {
  const int in_node = fabric.accelerators_per_node();
  for (int a = 0; a < in_node; ++a) {
    const VertexId first = fabric.endpoint(a).accelerator - nodes.front().vertex;
    const Endpoint& own = fabric.endpoint(node * in_node + a);
    if (own.node != node || own.accelerator - nodes[at(node)].vertex != first) return false;
  }
  return true;
}

}  // namespace

NodeCopies::NodeCopies(const Fabric& fabric) {
  const std::vector<Inside> nodes = insides_of(fabric);
  for (int node = 0; node < fabric.num_nodes(); ++node) {
    const bool is_copy = are_alike(fabric, nodes.front(), nodes[at(node)]) &&
                         have_same_endpoints(fabric, nodes, node);
    first_link_.push_back(is_copy ? nodes[at(node)].link : -1);
  }
}

std::optional<LinkId> NodeCopies::distance(int of, int node) const {
  const LinkId from = first_link_[at(of)];
  const LinkId to = first_link_[at(node)];
  if (from < 0 || to < 0) return {};
  return to - from;
}

bool NodeCopies::are_all() const {
  return std::ranges::all_of(first_link_, [](LinkId link) { return link >= 0; });
}

}  // namespace railwright::core
