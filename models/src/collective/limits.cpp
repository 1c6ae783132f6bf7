// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "library.hpp"
#include "shape.hpp"

namespace railwright::models {

using core::Duration;

namespace {

/// Lowers the ceiling for the cost of messages. Each message costs its NIC half_size extra bytes.
/// If adapters cannot move data by themselves, the processor cores that drive a node's channels
/// limit too.
void limit_messages(const core::Fabric& fabric, const CollectiveAlgorithm& algorithm,
                    const CollectiveCall& call, CollectiveFlow& flow) {
  const core::MessageCost& cost = fabric.message_cost();
  const bool moved_by_cores = cost.host_time.base() > 0.0;
  double seconds_per_byte = 0.0;
  std::map<std::pair<int, bool>, double> of_node;  // by node and direction; true: outwards
  for (const core::LinkUse& use : flow.route) {
    const core::Link& link = link_of(fabric, use);
    if (link.tier != core::Tier::kInjection) continue;
    seconds_per_byte = std::max(seconds_per_byte, use.coefficient / link.bandwidth.base());
    if (!moved_by_cores) continue;
    const core::Vertex& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
    const core::Vertex& to = fabric.vertices()[static_cast<std::size_t>(link.to)];
    const bool leaves = from.role == core::Role::kNic;
    of_node[{leaves ? from.node : to.node, leaves}] += use.coefficient;
  }
  if (seconds_per_byte == 0.0) return;
  const double message = algorithm->message_size(call);
  const double overhead = message > 0.0 ? cost.half_size.base() / message : 0.0;
  double most = 0.0;
  for (const auto& [node, coefficient] : of_node) most = std::max(most, coefficient);
  const double of_cores =
      cost.host_time.base() * most / algorithm->num_channels(call.tuning, call.shape);
  const double least = std::max(seconds_per_byte * (1.0 + overhead), of_cores);
  flow.ceiling = std::min(flow.ceiling, 1.0 / least);
}

Duration beyond_library(const CollectiveAlgorithm& algorithm, const CollectiveCall& call) {
  const Duration network = call.shape.nodes > 1 ? call.tuning.network_launch.value : Duration{};
  const Duration measured =
      algorithm->overhead != nullptr
          ? algorithm->overhead(call)
          : overhead_of_steps(call, algorithm->steps_inside(call.shape, call.op));
  // Measured inside nodes: no record shows calls between nodes that take less than the model.
  return network + (call.shape.nodes > 1 ? std::max(Duration{}, measured) : measured);
}

}  // namespace

std::size_t num_connections(const core::Fabric& fabric, const CollectiveTuning& tuning) {
  return fabric.routing().routing == core::Routing::kEcmp
             ? static_cast<std::size_t>(tuning.connections_per_nic.value)
             : 1;
}

void limit_call(const core::Fabric& fabric, const CollectiveAlgorithm& algorithm,
                const CollectiveCall& call, const Groups& groups, CollectiveFlow& flow) {
  flow.latency = algorithm->latency(call) + beyond_library(algorithm, call);
  algorithm->limit(call, fabric, groups, flow);
  if (call.shape.nodes > 1) limit_messages(fabric, algorithm, call, flow);
}

}  // namespace railwright::models
