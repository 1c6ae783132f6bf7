// SPDX-License-Identifier: Apache-2.0
#include "loads.hpp"

#include <algorithm>
#include <map>

#include "link_loads.hpp"

namespace railwright::models {

namespace {

/// Whether two accelerators have a link of their own.
bool is_direct(const core::Fabric& fabric, LinkLoads& loads, int from, int to) {
  const auto& way = loads.way(from, to, 0);
  return way.size() == 1 &&
         fabric.links()[static_cast<std::size_t>(way.front().link)].tier == core::Tier::kScaleUp;
}

/// The nodes whose members are wired pair by pair: other channels take other links there.
std::vector<bool> mesh_nodes(const core::Fabric& fabric, const Groups& groups, LinkLoads& loads) {
  std::vector<bool> meshes;
  for (const std::vector<int>& node : groups.nodes) {
    meshes.push_back(node.size() > 2 && is_direct(fabric, loads, node.front(), node.back()));
  }
  return meshes;
}

/// Calls `edge(node, from, to, receiver)` along a channel's ring; where it leaves a node, the last
/// member hands over to the gate what is for the receiver in the next one.
template <class Edge>
void along_ring(const Groups& groups, std::size_t channel, const Edge& edge) {
  for (std::size_t g = 0; g < groups.nodes.size(); ++g) {
    const std::size_t size = groups.nodes[g].size();
    for (std::size_t i = 0; i + 1 < size; ++i) {
      edge(g, groups.behind_gate(g, channel, i), groups.behind_gate(g, channel, i + 1),
           groups.behind_gate(g, channel, i + 1));
    }
    const int last = groups.behind_gate(g, channel, size - 1);
    const int gate = groups.gate(g, channel);
    const int receiver = groups.gate((g + 1) % groups.nodes.size(), channel);
    if (last != gate) edge(g, last, gate, receiver);
    if (gate != receiver) edge(g, gate, receiver, receiver);
  }
}

void add_trees_between_nodes(LinkLoads& loads, const Groups& groups) {
  const auto edges = double_tree_edges(groups.nodes.size());
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    const double half = 0.5 / static_cast<double>(groups.num_channels);
    for (const auto& [child, parent] : edges) {
      loads.add(groups.gate(child, channel), groups.gate(parent, channel), channel, half);
      loads.add(groups.gate(parent, channel), groups.gate(child, channel), channel, half);
    }
  }
}

/// Reduce-scatter and all-gather around each node, after which a gate holds its channels.
void add_node_rings(LinkLoads& loads, const Groups& groups) {
  for (const auto& node : groups.nodes) {
    if (node.size() < 2) continue;
    std::vector<double> held(node.size());
    for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
      held[channel % node.size()] += 1.0 / static_cast<double>(groups.num_channels);
    }
    for (std::size_t i = 0; i < node.size(); ++i) {
      // A part goes around all edges but the one behind its holder, and then but the one before it.
      const std::size_t next = (i + 1) % node.size();
      loads.add(node[i], node[next], 0, (1.0 - held[i]) + (1.0 - held[next]));
    }
  }
}

}  // namespace

std::vector<core::LinkUse> ring_loads(const core::Fabric& fabric, CollectiveOp op,
                                      const Groups& groups) {
  LinkLoads loads(fabric, groups.num_connections);
  const int first = groups.nodes.front().front();
  const std::vector<bool> meshes = mesh_nodes(fabric, groups, loads);
  /// What a member of a mesh passes on inside its node, over all of its links there.
  struct Spread {
    std::size_t node = 0;
    double bytes = 0.0;
  };
  std::map<int, Spread> spreads;
  const bool is_broadcast = op == CollectiveOp::kBroadcast;
  const double bytes = (is_broadcast ? 1.0 : bus_factor(op, static_cast<int>(groups.num_members))) /
                       static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    along_ring(groups, channel, [&](std::size_t node, int from, int to, int receiver) {
      if (is_broadcast && receiver == first) return;
      if (meshes[node] && fabric.endpoint(from).node == fabric.endpoint(to).node) {
        Spread& spread = spreads[from];
        spread.node = node;
        spread.bytes += bytes;
      } else {
        loads.add(from, to, channel, bytes);
      }
    });
  }
  for (const auto& [from, spread] : spreads) {
    const std::vector<int>& near = groups.nodes[spread.node];
    for (const int peer : near) {
      if (peer == from) continue;
      loads.add(from, peer, 0, spread.bytes / static_cast<double>(near.size() - 1));
    }
  }
  return loads.route();
}

std::vector<core::LinkUse> tree_loads(const core::Fabric& fabric, const Groups& groups) {
  LinkLoads loads(fabric, groups.num_connections);
  const double bytes = 1.0 / static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    for (std::size_t g = 0; g < groups.nodes.size(); ++g) {
      for (std::size_t i = 0; i + 1 < groups.nodes[g].size(); ++i) {
        const int near = groups.behind_gate(g, channel, i);
        const int far = groups.behind_gate(g, channel, i + 1);
        loads.add(far, near, channel, bytes);
        loads.add(near, far, channel, bytes);
      }
    }
  }
  add_trees_between_nodes(loads, groups);
  return loads.route();
}

std::vector<core::LinkUse> hierarchical_loads(const core::Fabric& fabric, const Groups& groups) {
  LinkLoads loads(fabric, groups.num_connections);
  add_node_rings(loads, groups);
  const std::size_t num_nodes = groups.nodes.size();
  if (num_nodes < 2) return loads.route();
  const double bytes = bus_factor(CollectiveOp::kAllReduce, static_cast<int>(num_nodes)) /
                       static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    for (std::size_t g = 0; g < num_nodes; ++g) {
      loads.add(groups.gate(g, channel), groups.gate((g + 1) % num_nodes, channel), channel, bytes);
    }
  }
  return loads.route();
}

std::vector<core::LinkUse> nvls_loads(const core::Fabric& fabric, const Groups& groups) {
  LinkLoads loads(fabric, groups.num_connections);
  for (const auto& node : groups.nodes) {
    const auto size = static_cast<double>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      loads.add(node[i], node[(i + 1) % node.size()], 0, (size + 1.0) / size);
    }
  }
  add_trees_between_nodes(loads, groups);
  return loads.route();
}

std::vector<core::LinkUse> collnet_loads(const core::Fabric& fabric, const Groups& groups) {
  LinkLoads loads(fabric, groups.num_connections);
  add_node_rings(loads, groups);
  const double bytes = 1.0 / static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    // The ways of all nodes to the first one: a link that several share carries their sum once.
    std::map<core::LinkId, double> up;
    for (std::size_t g = 1; g < groups.nodes.size(); ++g) {
      for (const core::LinkUse& use :
           loads.way(groups.gate(g, channel), groups.gate(0, channel), channel)) {
        up.insert_or_assign(use.link, use.coefficient);
      }
    }
    for (const auto& [link, share] : up) {
      loads.add_link(link, share * bytes);
      loads.add_link(core::Fabric::reverse(link), share * bytes);
    }
  }
  return loads.route();
}

std::vector<core::LinkUse> all_to_all_loads(const core::Fabric& fabric, const Groups& groups,
                                            std::span<const int> members) {
  LinkLoads loads(fabric, groups.num_connections);
  // By node: the members on each NIC, which may relay.
  std::map<int, std::map<int, std::vector<int>>> on_rail;
  for (const auto& node : groups.nodes) {
    for (const int member : node) {
      on_rail[fabric.endpoint(member).node][fabric.endpoint(member).nic].push_back(member);
    }
  }
  const double part = 1.0 / static_cast<double>(members.size());
  for (const int from : members) {
    const core::Endpoint& sender = fabric.endpoint(from);
    const auto& rails = on_rail.at(sender.node);
    for (const int to : members) {
      if (from == to) continue;
      const core::Endpoint& receiver = fabric.endpoint(to);
      int relay = from;
      const auto rail = rails.find(receiver.nic);
      if (sender.node != receiver.node && sender.nic != receiver.nic && rail != rails.end()) {
        relay = rail->second[static_cast<std::size_t>(receiver.local_index) % rail->second.size()];
      }
      if (relay != from) loads.add(from, relay, 0, part);
      loads.add(relay, to, 0, part);
    }
  }
  return loads.route();
}

std::vector<core::LinkUse> send_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members) {
  LinkLoads loads(fabric, groups.num_connections);
  for (std::size_t i = 0; i + 1 < members.size(); ++i)
    loads.add(members[i], members[i + 1], 0, 1.0);
  return loads.route();
}

}  // namespace railwright::models
