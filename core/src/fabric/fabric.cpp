// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/fabric/fabric.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/stop.hpp"
#include "routes.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kBetweenLooks = 4096;  // interval of checks whether to stop

}  // namespace

std::string_view to_string(Tier tier) {
  constexpr std::array<std::string_view, kNumTiers> kNames{
      "scale_up", "pcie", "host", "injection", "fabric", "front_end", "storage"};
  return kNames.at(static_cast<std::size_t>(tier));
}

Fabric::Fabric() : routes_(std::make_unique<Routes>()) {}
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;
Fabric::~Fabric() = default;

void Fabric::check(VertexId vertex) const {
  if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertices_.size()) {
    throw SimulationError("the fabric has no vertex " + std::to_string(vertex));
  }
}

void Fabric::forget_routes() {
  if (routes_->tables || routes_->narrowest) routes_ = std::make_unique<Routes>();
}

VertexId Fabric::add_vertex(Vertex vertex) {
  if (vertices_.size() % kBetweenLooks == 0) check_stop();
  vertices_.push_back(std::move(vertex));
  forget_routes();
  return static_cast<VertexId>(vertices_.size()) - 1;
}

LinkId Fabric::add_link(const Link& link) {
  check(link.from);
  check(link.to);
  if (links_.size() % kBetweenLooks == 0) check_stop();
  Link back = link;
  std::swap(back.from, back.to);
  links_.push_back(link);
  links_.push_back(back);
  is_failed_.resize(links_.size());
  forget_routes();
  return static_cast<LinkId>(links_.size()) - 2;
}

void Fabric::skip_place(VertexId on) {
  check(on);
  skipped_places_.push_back({.num_links = links_.size(), .on = on});
  forget_routes();
}

void Fabric::set_endpoints(std::vector<Endpoint> endpoints, int accelerators_per_node) {
  endpoints_ = std::move(endpoints);
  accelerators_per_node_ = accelerators_per_node;
  forget_routes();
}

void Fabric::set_routing(const RoutingPolicy& policy) { routing_ = policy; }

int Fabric::num_nodes() const {
  return accelerators_per_node_ == 0 ? 0 : num_accelerators() / accelerators_per_node_;
}

const Endpoint& Fabric::endpoint(int accelerator) const {
  if (accelerator < 0 || accelerator >= num_accelerators()) {
    throw SimulationError("the fabric has no accelerator " + std::to_string(accelerator));
  }
  return endpoints_[static_cast<std::size_t>(accelerator)];
}

std::vector<VertexId> Fabric::vertices_with(Role role, int node) const {
  std::vector<VertexId> found;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    if (vertices_[v].role == role && (node < 0 || vertices_[v].node == node)) {
      found.push_back(static_cast<VertexId>(v));
    }
  }
  return found;
}

Duration Fabric::latency(std::span<const LinkId> route) const {
  Duration sum;
  for (const LinkId link : route) sum += links_[static_cast<std::size_t>(link)].latency;
  return sum;
}

Duration Fabric::latency(std::span<const LinkUse> route) const {
  Duration sum;
  for (const LinkUse& use : route) {
    sum += links_[static_cast<std::size_t>(use.link)].latency * use.coefficient;
  }
  return sum;
}

Bandwidth Fabric::narrowest(Tier tier) const {
  std::call_once(routes_->narrowest_once, [&] {
    Routes::ByTier& narrowest = routes_->narrowest.emplace();
    narrowest.fill(Bandwidth::infinity());
    for (std::size_t l = 0; l < links_.size(); ++l) {
      Bandwidth& least = narrowest[static_cast<std::size_t>(links_[l].tier)];
      if (!is_failed_[l]) least = std::min(least, links_[l].bandwidth);
    }
  });
  return (*routes_->narrowest)[static_cast<std::size_t>(tier)];
}

FlowNetwork Fabric::make_network() const {
  FlowNetwork network;
  for (const Link& link : links_) network.add_link(link.bandwidth.base());
  return network;
}

}  // namespace railwright::core
