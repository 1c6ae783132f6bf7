// SPDX-License-Identifier: Apache-2.0
#include "routes.hpp"

#include <algorithm>
#include <utility>

#include "node_ways.hpp"
#include "railwright/core/error.hpp"

namespace railwright::core {

namespace {

[[noreturn]] void throw_unconnected(const Vertex& from, const Vertex& to) {
  throw SimulationError("no route from " + from.label + " to " + to.label);
}

void append_whole(std::vector<LinkUse>& uses, std::span<const LinkId> way) {
  for (const LinkId link : way) uses.push_back({link, 1.0});
}

std::vector<LinkId> links_of(std::span<const LinkUse> uses) {
  std::vector<LinkId> route;
  route.reserve(uses.size());
  for (const LinkUse& use : uses) route.push_back(use.link);
  return route;
}

bool are_of_one_node(const Vertex& a, const Vertex& b) {
  return a.node >= 0 && a.node == b.node &&
         (a.role == Role::kStorageNode) == (b.role == Role::kStorageNode);
}

}  // namespace

VertexId Fabric::nic_of(int accelerator) const {
  const Endpoint& e = endpoint(accelerator);
  if (!e.to_nic.empty()) return links_[static_cast<std::size_t>(e.to_nic.back())].to;
  if (e.nic >= 0) {
    // Without a stored path, search by role.
    for (const VertexId v : vertices_with(Role::kNic, e.node)) {
      if (vertices()[static_cast<std::size_t>(v)].local_index == e.nic) return v;
    }
  }
  if (e.is_cut_off) {
    throw SimulationError("node " + std::to_string(e.node) + " is cut off: accelerator " +
                          std::to_string(e.local_index) + " reaches none of its NICs");
  }
  throw SimulationError("accelerator " + std::to_string(accelerator) + " has no NIC");
}

void Fabric::append_between(const RoutingPolicy& policy, VertexId from, VertexId to,
                            std::uint32_t channel, std::vector<LinkUse>& uses) const {
  check(from);
  check(to);
  if (from == to) return;
  const Vertex& a = vertices()[static_cast<std::size_t>(from)];
  const Vertex& b = vertices()[static_cast<std::size_t>(to)];
  std::vector<LinkId> way;
  if (are_of_one_node(a, b)) {
    if (!find_way_in_node(routes_->of(*this, {}).live, from, to, way)) throw_unconnected(a, b);
    append_whole(uses, way);
  } else if (!routes_->of(*this, policy)
                  .switches.append(policy, from, to, {from, to, channel}, uses)) {
    throw_unconnected(a, b);
  }
}

void Fabric::append_between_accelerators(const RoutingPolicy& policy, int from, int to,
                                         std::uint32_t channel, std::vector<LinkUse>& uses) const {
  const Endpoint& a = endpoint(from);
  const Endpoint& b = endpoint(to);
  std::vector<LinkId> way;
  if (a.node == b.node) {
    if (!find_way_between_accelerators(routes_->of(*this, {}).live, a.accelerator, b.accelerator,
                                       way)) {
      throw_unconnected(vertices()[static_cast<std::size_t>(a.accelerator)],
                        vertices()[static_cast<std::size_t>(b.accelerator)]);
    }
    append_whole(uses, way);
    return;
  }
  const VertexId nic_a = nic_of(from);
  const VertexId nic_b = nic_of(to);
  const auto way_to_nic = [&](const Endpoint& e, VertexId nic) -> std::span<const LinkId> {
    if (e.to_nic.empty() &&
        !find_way_in_node(routes_->of(*this, {}).live, e.accelerator, nic, way)) {
      throw_unconnected(vertices()[static_cast<std::size_t>(e.accelerator)],
                        vertices()[static_cast<std::size_t>(nic)]);
    }
    return e.to_nic.empty() ? way : e.to_nic;
  };
  append_whole(uses, way_to_nic(a, nic_a));
  if (!routes_->of(*this, policy)
           .switches.append(policy, nic_a, nic_b, {a.accelerator, b.accelerator, channel}, uses)) {
    for (const int node : {a.node, b.node}) {
      if (!std::ranges::binary_search(cut_off_nodes_, node)) continue;
      throw SimulationError("node " + std::to_string(node) + " is cut off from the others");
    }
    throw_unconnected(vertices()[static_cast<std::size_t>(nic_a)],
                      vertices()[static_cast<std::size_t>(nic_b)]);
  }
  const std::span<const LinkId> in = way_to_nic(b, nic_b);
  for (auto link = in.rbegin(); link != in.rend(); ++link) uses.push_back({reverse(*link), 1.0});
}

void Fabric::append_route(int from, int to, std::uint32_t channel,
                          std::vector<LinkUse>& uses) const {
  append_between_accelerators(routing_, from, to, channel, uses);
}

void Fabric::append_vertex_route(VertexId from, VertexId to, std::uint32_t channel,
                                 std::vector<LinkUse>& uses) const {
  append_between(routing_, from, to, channel, uses);
}

std::vector<LinkId> Fabric::route(VertexId from, VertexId to) const {
  std::vector<LinkUse> uses;
  append_between({}, from, to, 0, uses);
  return links_of(uses);
}

std::vector<LinkId> Fabric::accelerator_route(int from, int to) const {
  std::vector<LinkUse> uses;
  append_between_accelerators({}, from, to, 0, uses);
  return links_of(uses);
}

std::vector<LinkUse> Fabric::spread_route(VertexId from, VertexId to) const {
  std::vector<LinkUse> uses;
  append_between({.routing = Routing::kAdaptive}, from, to, 0, uses);
  std::ranges::sort(uses, {}, &LinkUse::link);
  return uses;
}

std::vector<VertexId> Fabric::leaves_of(VertexId device) const {
  check(device);
  std::vector<VertexId> leaves;
  for (const LinkId link : routes_->of(*this, {}).live.leaving(device)) {
    const VertexId head = links_[static_cast<std::size_t>(link)].to;
    const Role role = vertices()[static_cast<std::size_t>(head)].role;
    if (role == Role::kSwitch || role == Role::kFrontEndSwitch) leaves.push_back(head);
  }
  return leaves;
}

bool Fabric::same_leaf(int accelerator_a, int accelerator_b) const {
  const std::vector<VertexId> leaves = leaves_of(nic_of(accelerator_a));
  return std::ranges::any_of(leaves_of(nic_of(accelerator_b)), [&](VertexId leaf) {
    return std::ranges::find(leaves, leaf) != leaves.end();
  });
}

}  // namespace railwright::core
