// SPDX-License-Identifier: Apache-2.0
#include "expert_exchange_flow.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "railwright/models/compute/context_elements.hpp"
#include "railwright/models/kernel/expert_exchange.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using models::ExpertExchange;
using models::ExpertExchangeOp;

/// Returns the rate between an accelerator and the network in one direction: that of its part of
/// the adapters, of their PCIe links or of its own.
core::Bandwidth adapter_bandwidth(const Scenario& scenario) {
  const core::ComputeNode& node = scenario.cluster.node;
  const core::Nic& nic = node.nics.nic;
  const double adapters =
      static_cast<double>(node.nics.count) / static_cast<double>(node.num_accelerators.value);
  const core::Bandwidth line = nic.line_rate.value * static_cast<double>(nic.num_ports) *
                               scenario.installation.nic_efficiency.value;
  return std::min(std::min(line, nic.pcie_bandwidth.value) * adapters,
                  node.accelerator.pcie_bandwidth.value);
}

/// Returns the exchange by throughput kernels, or by scale-up kernels if the ranks share a node and
/// these are faster.
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

models::CollectiveFlow expert_exchange_flow(const Scenario& scenario,
                                            const models::Communicator& group, double bytes) {
  const models::Transformer& model = models::transformer_of(scenario.workload);
  const core::Accelerator device = scenario.running_accelerator();

  const std::int64_t token_bytes =
      std::llround(models::sent_number_bytes(scenario.software)) * models::expert_width(model);
  const double copy_bytes = static_cast<double>(token_bytes * model.experts->top_k);
  const models::ExpertExchangeShape shape{.num_tokens = std::llround(bytes / copy_bytes),
                                          .token_bytes = token_bytes,
                                          .top_k = model.experts->top_k,
                                          .num_experts = model.experts->count,
                                          .num_nodes = group.num_nodes(),
                                          .per_node = group.most_in_node(),
                                          .groups = model.experts->groups,
                                          .top_groups = model.experts->top_groups,
                                          .network = adapter_bandwidth(scenario)};
  const ExpertExchange there = exchange_of(device, ExpertExchangeOp::kDispatch, shape);
  const ExpertExchange back = exchange_of(device, ExpertExchangeOp::kCombine, shape);

  const core::Duration latency = (there.latency + back.latency) * 0.5;
  const core::Duration time = (there.time + back.time) * 0.5;
  return {
      .route = group.counterpart_route(there.network_bytes / bytes, there.scale_up_bytes / bytes),
      .latency = latency,
      .ceiling = bytes / (time - latency).base()};
}

}  // namespace railwright::simulation
