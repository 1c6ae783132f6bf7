// SPDX-License-Identifier: Apache-2.0
// What has failed, and where accelerators send instead.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "node_ways.hpp"
#include "railwright/core/error.hpp"
#include "routes.hpp"

namespace railwright::core {

namespace {

bool reaches_a_switch(const LiveGraph& graph, VertexId nic) {
  return std::ranges::any_of(graph.leaving(nic), [&](LinkId link) {
    return graph.vertex(graph.link(link).to).role == Role::kSwitch;
  });
}

int num_sockets_crossed(const LiveGraph& graph, const std::vector<LinkId>& way) {
  return static_cast<int>(std::ranges::count_if(way, [&](LinkId link) {
    return graph.vertex(graph.link(link).from).role == Role::kHost &&
           graph.vertex(graph.link(link).to).role == Role::kHost;
  }));
}

bool passes_host(const LiveGraph& graph, const std::vector<LinkId>& way) {
  return std::ranges::any_of(
      way, [&](LinkId link) { return graph.vertex(graph.link(link).to).role == Role::kHost; });
}

}  // namespace

void Fabric::fail_vertex(VertexId vertex) {
  check(vertex);
  for (std::size_t l = 0; l < links_.size(); ++l) {
    if (links_[l].from == vertex || links_[l].to == vertex) is_failed_[l] = true;
  }
  rehome_endpoints();
}

void Fabric::fail_link(LinkId link) {
  if (link < 0 || static_cast<std::size_t>(link) >= links_.size()) {
    throw SimulationError("the fabric has no link " + std::to_string(link));
  }
  is_failed_[static_cast<std::size_t>(link)] = true;
  is_failed_[static_cast<std::size_t>(reverse(link))] = true;
  rehome_endpoints();
}

void Fabric::rehome_endpoints() {
  routes_ = std::make_unique<Routes>();
  const LiveGraph graph(vertices_, links_, is_failed_);
  std::map<int, std::vector<VertexId>> live_nics;  // by node
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const auto nic = static_cast<VertexId>(v);
    if (vertices_[v].role == Role::kNic && reaches_a_switch(graph, nic)) {
      live_nics[vertices_[v].node].push_back(nic);
    }
  }
  std::map<VertexId, int> num_senders;
  std::vector<Endpoint*> homeless;
  for (Endpoint& e : endpoints_) {
    if (e.nic < 0) continue;
    const bool has_way = !e.to_nic.empty() && std::ranges::none_of(e.to_nic, [&](LinkId link) {
      return is_failed(link);
    });
    const VertexId nic =
        e.to_nic.empty() ? -1 : links_[static_cast<std::size_t>(e.to_nic.back())].to;
    if (has_way && reaches_a_switch(graph, nic)) {
      ++num_senders[nic];
    } else {
      homeless.push_back(&e);
    }
  }
  for (Endpoint* e : homeless) {
    std::tuple<int, std::size_t, int> least{1 << 30, 0, 0};
    VertexId best = -1;
    std::vector<LinkId> way;
    for (const VertexId nic : live_nics[e->node]) {
      if (!find_way_in_node(graph, e->accelerator, nic, way)) continue;
      const std::tuple cost{num_sockets_crossed(graph, way), way.size(), num_senders[nic]};
      if (cost >= least) continue;
      least = cost;
      best = nic;
      e->to_nic = way;
    }
    if (best < 0) {
      e->nic = -1;
      e->to_nic.clear();
      if (cut_off_nodes_.empty() || cut_off_nodes_.back() != e->node) {
        cut_off_nodes_.push_back(e->node);
      }
      continue;
    }
    ++num_senders[best];
    e->nic = graph.vertex(best).local_index;
    e->crosses_host = passes_host(graph, e->to_nic);
  }
}

}  // namespace railwright::core
