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

void append_reversed(std::vector<LinkId>& route, const std::vector<LinkId>& way) {
  for (auto link = way.rbegin(); link != way.rend(); ++link) {
    route.push_back(Fabric::reverse(*link));
  }
}

}  // namespace

const PathFinder& Fabric::Routes::finder_of(const Fabric& fabric) {
  if (!finder) finder = std::make_unique<PathFinder>(live_of(fabric));
  return *finder;
}

const LiveGraph& Fabric::Routes::live_of(const Fabric& fabric) {
  if (!live) {
    live = std::make_unique<LiveGraph>(fabric.vertices_, fabric.links_, fabric.is_failed_);
  }
  return *live;
}

const std::vector<LinkId>& Fabric::route(VertexId from, VertexId to) const {
  check(from);
  check(to);
  const std::lock_guard lock(routes_->mutex);
  const std::uint64_t key = Routes::key(from, to);
  const auto known = routes_->between_vertices.find(key);
  if (known != routes_->between_vertices.end()) return known->second;
  std::vector<LinkId> path;
  if (!routes_->finder_of(*this).find(from, to, path)) {
    throw_unconnected(vertices_[static_cast<std::size_t>(from)],
                      vertices_[static_cast<std::size_t>(to)]);
  }
  return routes_->between_vertices.emplace(key, std::move(path)).first->second;
}

VertexId Fabric::nic_of(int accelerator) const {
  const Endpoint& e = endpoint(accelerator);
  if (!e.to_nic.empty()) return links_[static_cast<std::size_t>(e.to_nic.back())].to;
  if (e.nic >= 0) {
    // Without a way of its own there is nothing to follow: ask by role.
    for (const VertexId v : vertices_with(Role::kNic, e.node)) {
      if (vertices_[static_cast<std::size_t>(v)].local_index == e.nic) return v;
    }
  }
  if (std::ranges::find(cut_off_nodes_, e.node) != cut_off_nodes_.end()) {
    throw SimulationError("node " + std::to_string(e.node) + " is cut off: accelerator " +
                          std::to_string(e.local_index) + " reaches none of its NICs");
  }
  throw SimulationError("accelerator " + std::to_string(accelerator) + " has no NIC");
}

const std::vector<LinkId>& Fabric::accelerator_route(int from, int to) const {
  const Endpoint& a = endpoint(from);
  const Endpoint& b = endpoint(to);
  const std::uint64_t key = Routes::key(from, to);
  {
    const std::lock_guard lock(routes_->mutex);
    auto& known = routes_->between_accelerators;
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
    if (a.node == b.node) {
      std::vector<LinkId> path;
      if (!find_way_between_accelerators(routes_->live_of(*this), a.accelerator, b.accelerator,
                                         path)) {
        throw_unconnected(vertices_[static_cast<std::size_t>(a.accelerator)],
                          vertices_[static_cast<std::size_t>(b.accelerator)]);
      }
      return known.emplace(key, std::move(path)).first->second;
    }
  }
  const VertexId nic_a = nic_of(from);
  const VertexId nic_b = nic_of(to);
  std::vector<LinkId> path = a.to_nic.empty() ? route(a.accelerator, nic_a) : a.to_nic;
  const std::vector<LinkId>& between = route(nic_a, nic_b);
  path.insert(path.end(), between.begin(), between.end());
  append_reversed(path, b.to_nic.empty() ? route(b.accelerator, nic_b) : b.to_nic);
  const std::lock_guard lock(routes_->mutex);
  return routes_->between_accelerators.emplace(key, std::move(path)).first->second;
}

void Fabric::append_route(int from, int to, std::uint32_t channel,
                          std::vector<LinkUse>& uses) const {
  const Endpoint& a = endpoint(from);
  const Endpoint& b = endpoint(to);
  if (a.node == b.node) {
    for (const LinkId link : accelerator_route(from, to)) uses.push_back({link, 1.0});
    return;
  }
  const VertexId nic_a = nic_of(from);
  const VertexId nic_b = nic_of(to);
  const std::vector<LinkId>& out = a.to_nic.empty() ? route(a.accelerator, nic_a) : a.to_nic;
  const std::vector<LinkId>& in = b.to_nic.empty() ? route(b.accelerator, nic_b) : b.to_nic;
  for (const LinkId link : out) uses.push_back({link, 1.0});
  append_vertex_route(nic_a, nic_b, channel, uses);
  for (auto link = in.rbegin(); link != in.rend(); ++link) uses.push_back({reverse(*link), 1.0});
}

void Fabric::append_vertex_route(VertexId from, VertexId to, std::uint32_t channel,
                                 std::vector<LinkUse>& uses) const {
  static_cast<void>(channel);
  if (routing_.routing == Routing::kAdaptive) {
    for (const LinkUse& use : spread_route(from, to)) uses.push_back(use);
  } else {
    for (const LinkId link : route(from, to)) uses.push_back({link, 1.0});
  }
}

std::vector<LinkUse> Fabric::spread_route(VertexId from, VertexId to) const {
  check(from);
  check(to);
  if (from == to) return {};
  std::vector<std::int32_t> forward;
  std::vector<std::int32_t> backward;
  const PathFinder* finder = nullptr;
  {
    const std::lock_guard lock(routes_->mutex);
    finder = &routes_->finder_of(*this);
  }
  forward = finder->distances(from, to);
  backward = finder->distances(to, from);
  const std::int32_t length = forward[static_cast<std::size_t>(to)];
  if (length < 0) {
    throw_unconnected(vertices_[static_cast<std::size_t>(from)],
                      vertices_[static_cast<std::size_t>(to)]);
  }
  // The links on shortest routes, nearest first.
  std::vector<LinkId> on_route;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const auto tail = static_cast<std::size_t>(links_[l].from);
    const auto head = static_cast<std::size_t>(links_[l].to);
    if (!is_failed_[l] && forward[tail] >= 0 && backward[head] >= 0 &&
        forward[tail] + 1 + backward[head] == length &&
        finder->may_take(static_cast<LinkId>(l), from, to)) {
      on_route.push_back(static_cast<LinkId>(l));
    }
  }
  const auto depth = [&](LinkId l) {
    return forward[static_cast<std::size_t>(links_[static_cast<std::size_t>(l)].from)];
  };
  std::ranges::stable_sort(on_route, {}, depth);
  std::unordered_map<VertexId, int> num_ways;
  for (const LinkId l : on_route) ++num_ways[links_[static_cast<std::size_t>(l)].from];
  std::unordered_map<VertexId, double> arriving{{from, 1.0}};
  std::vector<LinkUse> uses;
  for (const LinkId l : on_route) {
    const Link& link = links_[static_cast<std::size_t>(l)];
    const double share = arriving[link.from] / num_ways[link.from];
    uses.push_back({l, share});
    arriving[link.to] += share;
  }
  std::ranges::sort(uses, {}, &LinkUse::link);
  return uses;
}

}  // namespace railwright::core
