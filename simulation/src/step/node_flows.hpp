// SPDX-License-Identifier: Apache-2.0
// Flows of groups inside nodes, computed once for all nodes that are copies of one another.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "railwright/core/fabric/node_copies.hpp"
#include "railwright/models/collective/collective.hpp"

namespace railwright::simulation {

class NodeFlows {
 public:
  /// `copies`, which may be null, are those of the fabric.
  explicit NodeFlows(const core::Fabric& fabric, const core::NodeCopies* copies = nullptr)
      : fabric_(fabric), known_copies_(copies) {}

  /// Returns make(members), or the flow of the same places in another node on this node's links.
  template <class Make>
  models::CollectiveFlow flow(const std::vector<int>& members, const Make& make) {
    std::vector<int> places = places_of(members);
    if (places.empty()) return make(members);
    const int node = fabric_.endpoint(members.front()).node;
    const auto known = known_.find(places);
    if (known == known_.end()) {
      return known_.emplace(std::move(places), Known{node, make(members)}).first->second.flow;
    }
    const auto higher = distance(known->second.node, node);
    if (!higher) return make(members);
    models::CollectiveFlow flow = known->second.flow;
    for (core::LinkUse& use : flow.route) use.link += *higher;
    return flow;
  }

  /// Whether the flow of a copy of these members is known: it takes as long.
  [[nodiscard]] bool knows_copy_of(const std::vector<int>& members) {
    const std::vector<int> places = places_of(members);
    if (places.empty()) return false;
    const auto known = known_.find(places);
    return known != known_.end() &&
           distance(known->second.node, fabric_.endpoint(members.front()).node).has_value();
  }

 private:
  struct Known {
    int node = 0;
    models::CollectiveFlow flow;
  };

  [[nodiscard]] std::optional<core::LinkId> distance(int of, int node) {
    if (of == node) return 0;
    if (known_copies_ != nullptr) return known_copies_->distance(of, node);
    if (!copies_) copies_.emplace(fabric_);
    return copies_->distance(of, node);
  }
  /// Returns the members' places in their node; empty if they are of several.
  [[nodiscard]] std::vector<int> places_of(const std::vector<int>& members) const {
    const int in_node = fabric_.accelerators_per_node();
    std::vector<int> places;
    places.reserve(members.size());
    for (const int member : members) {
      if (member / in_node != members.front() / in_node) return {};
      places.push_back(member % in_node);
    }
    return places;
  }

  const core::Fabric& fabric_;
  const core::NodeCopies* known_copies_;
  std::optional<core::NodeCopies> copies_;  ///< once two nodes are compared
  std::map<std::vector<int>, Known> known_;
};

}  // namespace railwright::simulation
