// SPDX-License-Identifier: Apache-2.0
#include "ring.hpp"

#include <algorithm>
#include <map>

#include "link_loads.hpp"

namespace railwright::models {

using core::Duration;

namespace {

/// Whether a link joins two accelerators directly.
bool is_direct(const core::Fabric& fabric, LinkLoads& loads, int from, int to) {
  const auto& way = loads.way(from, to, 0);
  return way.size() == 1 &&
         fabric.links()[static_cast<std::size_t>(way.front().link)].tier == core::Tier::kScaleUp;
}

/// Marks the nodes whose members are wired pair by pair: there, channels use different links.
std::vector<bool> mesh_nodes(const core::Fabric& fabric, const Groups& groups, LinkLoads& loads) {
  std::vector<bool> meshes;
  for (const std::vector<int>& node : groups.nodes) {
    meshes.push_back(node.size() > 2 && is_direct(fabric, loads, node.front(), node.back()));
  }
  return meshes;
}

/// Calls `edge(node, from, to, receiver)` along a channel's ring. Where the ring leaves a node, the
/// last member hands over to the gate; `receiver` is in the next node.
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

}  // namespace

bool ring_can_run(const CollectiveTuning& /*tuning*/, const CommunicatorShape& /*shape*/,
                  CollectiveOp op) {
  return !is_pairwise(op);
}

double ring_steps_inside(const CommunicatorShape& shape, CollectiveOp op) {
  return passes(op) * (shape.members - shape.nodes);
}

Duration ring_latency(const CollectiveCall& call) {
  const CommunicatorShape& shape = call.shape;
  const double between = passes(call.op) * (shape.nodes - 1);
  const double overhead = call.protocol == CollectiveProtocol::kSimple ? 3.0 : 1.0;
  return latency_of(call.tuning.ring, call, ring_steps_inside(shape, call.op), between,
                    shape.nodes > 1 ? call.tuning.network_overhead.value * overhead : Duration{});
}

double ring_bandwidth(const CollectiveCall& call) {
  const CollectiveTuning& tuning = call.tuning;
  const CommunicatorShape& shape = call.shape;
  const AcceleratorGeneration& generation = generation_of(tuning);
  double bus = bus_bandwidth(generation, shape);
  if (call.protocol == CollectiveProtocol::kLL) {
    bus = std::min(ll_limit(tuning, shape).base(), tuning.ring_ll_share.value * bus);
  } else if (call.protocol == CollectiveProtocol::kLL128) {
    bus = std::min(tuning.ll128_share.value * bus,
                   channels_of_model(generation, shape) *
                       at(tuning.ring_ll128(generation), scale(shape)).base());
  }
  return from_bus(shape, call.op) * bus;
}

std::vector<core::LinkUse> ring_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> /*members*/, CollectiveOp op) {
  LinkLoads loads(fabric, groups.num_connections);
  const int first = groups.nodes.front().front();
  const std::vector<bool> meshes = mesh_nodes(fabric, groups, loads);
  /// The bytes that a member of a mesh passes on inside its node, over all of its links there.
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

void ring_limit(const CollectiveCall& call, const core::Fabric& fabric, const Groups& /*groups*/,
                CollectiveFlow& flow) {
  const Rates rates = rates_alone(fabric, flow);
  const bool is_simple = !limit_as_ring(call, rates, flow);
  if (call.op == CollectiveOp::kBroadcast) return;
  const double on_bus = bus_factor(call.op, call.shape.members);
  const double buffers =
      2.0 * call.tuning.ring_chunk.value.base() * num_channels_of_rings(call.tuning, call.shape);
  const double slice = std::min(call.bytes / (2.0 * call.shape.members), buffers);
  const auto time = Duration::from_base(slice / (std::min(rates.least(), flow.ceiling) * on_bus));
  flow.latency += time;
  if (!is_simple) return;
  const Duration hidden = std::min(time, generation_of(call.tuning).slice_latency.value);
  flow.latency += (generation_of(call.tuning).slice_latency.value - hidden) *
                  ring_steps_inside(call.shape, call.op);
}

}  // namespace railwright::models
