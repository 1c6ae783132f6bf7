// SPDX-License-Identifier: Apache-2.0
// Failures in a fabric, and the NICs through which accelerators send instead.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "node_ways.hpp"
#include "railwright/core/error.hpp"
#include "reach.hpp"
#include "routes.hpp"

namespace railwright::core {

namespace {

struct LiveNics {
  /// NICs of each node that reach as many nodes as before the failures, or as its best NIC now.
  std::map<int, std::vector<VertexId>> by_node;
  /// Nodes whose NICs all reach fewer nodes than before, and than the NICs of other nodes.
  std::vector<int> stranded;
};

LiveNics find_live_nics(const LiveGraph& live, const LiveGraph& whole) {
  struct Reach {
    int now = 0;
    int before = 0;
  };
  const std::vector<int> reach = nodes_in_reach(live);
  const std::vector<int> reach_before = nodes_in_reach(whole);
  std::map<int, Reach> best;  // by node
  for (std::size_t v = 0; v < reach.size(); ++v) {
    if (reach_before[v] == 0) continue;
    Reach& most = best[live.vertices[v].node];
    most = {std::max(most.now, reach[v]), std::max(most.before, reach_before[v])};
  }
  LiveNics nics;
  for (std::size_t v = 0; v < reach.size(); ++v) {
    const int node = live.vertices[v].node;
    if (reach[v] > 0 && (reach[v] == best[node].now || reach[v] == reach_before[v])) {
      nics.by_node[node].push_back(static_cast<VertexId>(v));
    }
  }
  int farthest = 0;
  for (const auto& [node, most] : best) farthest = std::max(farthest, most.now);
  for (const auto& [node, most] : best) {
    if (most.now < most.before && most.now < farthest) nics.stranded.push_back(node);
  }
  return nics;
}

/// Distance of a NIC: sockets crossed, then links, then accelerators that already send through it.
using Farness = std::tuple<std::ptrdiff_t, std::size_t, int>;

Farness farness(const LiveGraph& live, std::span<const LinkId> way, int num_senders) {
  const auto num_crossed = std::ranges::count_if(way, [&](LinkId link) {
    return live.vertex(live.link(link).from).role == Role::kHost &&
           live.vertex(live.link(link).to).role == Role::kHost;
  });
  return {num_crossed, way.size(), num_senders};
}

/// Finds a path to a NIC. An endpoint that goes through host memory keeps its path up to its
/// socket.
bool find_way_to_nic(const LiveGraph& live, const Endpoint& endpoint, VertexId nic,
                     std::vector<LinkId>& way) {
  if (!endpoint.through_host) return find_way_in_node(live, endpoint.accelerator, nic, way);
  const VertexId host = live.link(endpoint.to_nic.at(1)).to;
  std::vector<LinkId> on;
  if (!find_way_in_node(live, endpoint.accelerator, host, way) ||
      !find_way_in_node(live, host, nic, on)) {
    return false;
  }
  way.insert(way.end(), on.begin(), on.end());
  return true;
}

/// Returns the path to the nearest of `nics`; empty if none can be reached.
std::vector<LinkId> find_nearest(const LiveGraph& live, const Endpoint& endpoint,
                                 std::span<const VertexId> nics,
                                 std::map<VertexId, int>& num_senders) {
  std::optional<Farness> least;
  std::vector<LinkId> nearest;
  std::vector<LinkId> way;
  for (const VertexId nic : nics) {
    if (!find_way_to_nic(live, endpoint, nic, way)) continue;
    const Farness far = farness(live, way, num_senders[nic]);
    if (least && far >= *least) continue;
    least = far;
    nearest = way;
  }
  return nearest;
}

}  // namespace

void Fabric::fail_vertex(VertexId vertex) {
  check(vertex);
  for (std::size_t l = 0; l < links_.size(); ++l) {
    if (links_[l].from == vertex || links_[l].to == vertex) is_failed_[l] = true;
  }
  rehome_endpoints();
}

void Fabric::fail_link(LinkId link) { fail_cables(link, std::numeric_limits<int>::max()); }

void Fabric::fail_cables(LinkId link, int num_cables) {
  if (link < 0 || static_cast<std::size_t>(link) >= links_.size()) {
    throw SimulationError("the fabric has no link " + std::to_string(link));
  }
  for (const LinkId direction : {link, reverse(link)}) {
    Link& l = links_[static_cast<std::size_t>(direction)];
    if (num_cables >= l.num_parallel) {
      is_failed_[static_cast<std::size_t>(direction)] = true;
    } else if (num_cables > 0) {
      const int left = l.num_parallel - num_cables;
      l.bandwidth = l.bandwidth * left / l.num_parallel;
      l.line_rate = l.line_rate * left / l.num_parallel;
      l.num_parallel = left;
    }
  }
  rehome_endpoints();
}

void Fabric::rehome_endpoints() {
  forget_routes();
  const LiveGraph live(vertices_, links_, is_failed_);
  const LiveGraph whole(vertices_, links_, std::vector<bool>(links_.size()));
  LiveNics found = find_live_nics(live, whole);
  auto& live_nics = found.by_node;
  cut_off_nodes_ = std::move(found.stranded);
  std::map<VertexId, int> num_senders;
  std::vector<Endpoint*> homeless;
  for (int a = 0; a < num_accelerators(); ++a) {
    Endpoint& e = endpoints_[static_cast<std::size_t>(a)];
    if (e.nic < 0) {
      if (e.is_cut_off) cut_off_nodes_.push_back(e.node);
      continue;
    }
    const VertexId nic = nic_of(a);
    if (e.to_nic.empty()) find_way_in_node(whole, e.accelerator, nic, e.to_nic);
    const bool is_dead = e.to_nic.empty() || std::ranges::any_of(e.to_nic, [&](LinkId link) {
                           return is_failed(link);
                         });
    if (is_dead || std::ranges::find(live_nics[e.node], nic) == live_nics[e.node].end()) {
      homeless.push_back(&e);
    } else {
      ++num_senders[nic];
    }
  }
  for (Endpoint* e : homeless) {
    e->to_nic = find_nearest(live, *e, live_nics[e->node], num_senders);
    if (e->to_nic.empty()) {
      e->nic = -1;
      e->is_cut_off = true;
      cut_off_nodes_.push_back(e->node);
      continue;
    }
    const VertexId nic = live.link(e->to_nic.back()).to;
    ++num_senders[nic];
    e->nic = live.vertex(nic).local_index;
    e->crosses_host = std::ranges::any_of(e->to_nic, [&](LinkId link) {
      return live.vertex(live.link(link).to).role == Role::kHost;
    });
  }
  std::ranges::sort(cut_off_nodes_);
  cut_off_nodes_.erase(std::ranges::unique(cut_off_nodes_).begin(), cut_off_nodes_.end());
}

}  // namespace railwright::core
