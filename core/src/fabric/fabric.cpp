// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/fabric/fabric.hpp"

#include <algorithm>
#include <array>
#include <span>
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

Fabric Fabric::at_other_rates(const Fabric& shape) {
  Fabric again;
  again.shape_ = &shape;
  again.accelerators_per_node_ = shape.accelerators_per_node_;
  again.links_.reserve(shape.links_.size());
  again.is_failed_.reserve(shape.links_.size());
  return again;
}

bool Fabric::has_same_graph() const {
  return shape_ != nullptr && !differs_ && num_added_again_ == shape_->vertices_.size() &&
         links_.size() == shape_->links_.size() &&
         skipped_places_.size() == shape_->skipped_places_.size() &&
         routing_.routing == shape_->routing_.routing && routing_.seed == shape_->routing_.seed;
}

VertexId Fabric::add_vertex_again(const Vertex& vertex) {
  // One device more stands for the last: the graph differs, and what comes of it is not used.
  const std::size_t at = std::min(num_added_again_, shape_->vertices_.size() - 1);
  const Vertex& known = shape_->vertices_[at];
  differs_ = differs_ || at != num_added_again_ || vertex.role != known.role ||
             vertex.node != known.node || vertex.local_index != known.local_index ||
             vertex.level != known.level || vertex.reduces != known.reduces;
  ++num_added_again_;
  return static_cast<VertexId>(at);
}

void Fabric::check(VertexId vertex) const {
  if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertices().size()) {
    throw SimulationError("the fabric has no vertex " + std::to_string(vertex));
  }
}

void Fabric::forget_routes() {
  if (routes_->tables || routes_->narrowest) routes_ = std::make_unique<Routes>();
}

VertexId Fabric::add_vertex(Vertex vertex) {
  if (shape_ != nullptr) return add_vertex_again(vertex);
  if (vertices_.size() % kBetweenLooks == 0) check_stop();
  vertices_.push_back(std::move(vertex));
  forget_routes();
  return static_cast<VertexId>(vertices_.size()) - 1;
}

LinkId Fabric::add_link(const Link& link) {
  check(link.from);
  check(link.to);
  if (links_.size() % kBetweenLooks == 0) check_stop();
  if (shape_ != nullptr && !differs_) {
    const std::span<const Link> known = shape_->links_;
    const std::size_t next = links_.size();
    differs_ = next >= known.size() || known[next].from != link.from || known[next].to != link.to ||
               known[next].tier != link.tier || known[next].num_parallel != link.num_parallel;
  }
  Link back = link;
  std::swap(back.from, back.to);
  links_.push_back(link);
  links_.push_back(back);
  is_failed_.push_back(false);
  is_failed_.push_back(false);
  forget_routes();
  return static_cast<LinkId>(links_.size()) - 2;
}

void Fabric::skip_place(VertexId on) {
  check(on);
  if (shape_ != nullptr && !differs_) {
    const std::span<const SkippedPlace> known = shape_->skipped_places_;
    const std::size_t next = skipped_places_.size();
    differs_ =
        next >= known.size() || known[next].num_links != links_.size() || known[next].on != on;
  }
  skipped_places_.push_back({.num_links = links_.size(), .on = on});
  forget_routes();
}

void Fabric::set_endpoints(std::vector<Endpoint> endpoints, int accelerators_per_node) {
  if (shape_ != nullptr) return;
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
  return endpoints()[static_cast<std::size_t>(accelerator)];
}

std::vector<VertexId> Fabric::vertices_with(Role role, int node) const {
  std::vector<VertexId> found;
  for (std::size_t v = 0; v < vertices().size(); ++v) {
    if (vertices()[v].role == role && (node < 0 || vertices()[v].node == node)) {
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
      if (links_[l].bandwidth < least && !is_failed_[l]) least = links_[l].bandwidth;
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
