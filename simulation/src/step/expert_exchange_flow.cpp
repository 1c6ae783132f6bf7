// SPDX-License-Identifier: Apache-2.0
#include "expert_exchange_flow.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "railwright/models/kernel/expert_exchange.hpp"

namespace railwright::simulation {

namespace {

using models::ExpertExchange;
using models::ExpertExchangeOp;

/// Members by node, each list in the order of the group.
using ByNode = std::map<int, std::vector<int>>;

ByNode by_node(const core::Fabric& fabric, const std::vector<int>& members) {
  ByNode nodes;
  for (const int member : members) nodes[fabric.endpoint(member).node].push_back(member);
  return nodes;
}

void add_route(const core::Fabric& fabric, int from, int to, double share,
               std::vector<core::LinkUse>& route) {
  const std::size_t first = route.size();
  fabric.append_route(from, to, 0, route);
  for (std::size_t i = first; i < route.size(); ++i) route[i].coefficient *= share;
}

/// A member sends to its counterpart in each other node, and in its own to all others alike.
/// Shares are those of the buffer.
std::vector<core::LinkUse> route_of(const core::Fabric& fabric, const ByNode& nodes,
                                    double network_share, double scale_up_share) {
  std::vector<core::LinkUse> route;
  const double of_node = nodes.size() > 1 ? network_share / (nodes.size() - 1.0) : 0.0;
  for (const auto& [node, members] : nodes) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const auto& [other, partners] : nodes) {
        if (other == node) continue;
        add_route(fabric, members[i], partners[i % partners.size()], of_node, route);
      }
      const double of_member = scale_up_share / std::max(1.0, members.size() - 1.0);
      for (const int peer : members) {
        if (peer != members[i]) add_route(fabric, members[i], peer, of_member, route);
      }
    }
  }
  return route;
}

/// Of an accelerator, one direction.
core::Bandwidth adapter_bandwidth(const Scenario& scenario) {
  const core::ComputeNode& node = scenario.cluster.node;
  const core::Nic& nic = node.nics.nic;
  const double adapters = static_cast<double>(node.nics.count * nic.num_ports) /
                          static_cast<double>(node.num_accelerators.value);
  return nic.line_rate.value * (adapters * scenario.installation.nic_efficiency.value);
}

/// Kernels of a scale-up domain alone where nothing leaves it and they are the faster ones.
ExpertExchange exchange_of(const core::Accelerator& device, ExpertExchangeOp op,
                           const models::ExpertExchangeShape& shape) {
  const core::ExpertExchangeConstants& constants = *device.kernels->expert_exchange;
  const auto by = [&](models::ExpertExchangeKernel kernel) {
    return models::expert_exchange(device, constants, kernel, op, shape);
  };
  const ExpertExchange throughput = by(models::ExpertExchangeKernel::kThroughput);
  if (shape.num_nodes > 1) return throughput;
  const ExpertExchange scale_up = by(models::ExpertExchangeKernel::kScaleUp);
  return scale_up.time < throughput.time ? scale_up : throughput;
}

}  // namespace

models::CollectiveFlow expert_exchange_flow(const Scenario& scenario, const core::Fabric& fabric,
                                            const std::vector<int>& members, double bytes) {
  const models::Transformer& model = models::transformer_of(scenario.workload);
  const core::Accelerator device = scenario.running_accelerator();
  const ByNode nodes = by_node(fabric, members);
  std::size_t fullest = 0;
  for (const auto& [node, of_node] : nodes) fullest = std::max(fullest, of_node.size());

  constexpr std::int64_t kElementBytes = 2;
  const std::int64_t token_bytes = kElementBytes * model.hidden_size;
  const double copy_bytes = static_cast<double>(token_bytes * model.experts->top_k);
  const models::ExpertExchangeShape shape{.num_tokens = std::llround(bytes / copy_bytes),
                                          .token_bytes = token_bytes,
                                          .top_k = model.experts->top_k,
                                          .num_experts = model.experts->count,
                                          .num_nodes = static_cast<std::int64_t>(nodes.size()),
                                          .per_node = static_cast<std::int64_t>(fullest),
                                          .network = adapter_bandwidth(scenario)};
  const ExpertExchange there = exchange_of(device, ExpertExchangeOp::kDispatch, shape);
  const ExpertExchange back = exchange_of(device, ExpertExchangeOp::kCombine, shape);

  const core::Duration latency = (there.latency + back.latency) * 0.5;
  const core::Duration time = (there.time + back.time) * 0.5;
  models::CollectiveFlow flow;
  flow.latency = latency;
  flow.ceiling = bytes / (time - latency).base();
  flow.route = route_of(fabric, nodes, there.network_bytes / bytes, there.scale_up_bytes / bytes);
  return models::merge(std::span(&flow, 1));
}

}  // namespace railwright::simulation
