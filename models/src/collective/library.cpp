// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <algorithm>

#include "railwright/core/sim/flow_network.hpp"

namespace railwright::models {

using core::Duration;

std::size_t scale(const CommunicatorShape& shape) {
  return static_cast<std::size_t>(std::min(shape.nodes - 1, 2));
}

double local_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape) {
  return std::min(generation.scale_up.value.base(), shape.scale_up);
}

double bus_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape) {
  const double local = local_bandwidth(generation, shape);
  return shape.nodes == 1 ? local : std::min(local, shape.network);
}

double channels_of_model(const AcceleratorGeneration& generation, const CommunicatorShape& shape) {
  const int most = generation.num_channels.value;
  // One for each adapter, as far as the links inside a node carry them: a rack has 72 adapters.
  return shape.nodes == 1 ? most : std::clamp(shape.max_in_node, 2, std::max(2, most));
}

double from_bus(const CommunicatorShape& shape, CollectiveOp op) {
  return shape.members / (passes(op) * (shape.members - 1));
}

const AcceleratorGeneration& generation_of(const CollectiveTuning& tuning) {
  static const AcceleratorGeneration kNone{};
  const AcceleratorGeneration* found = tuning.generation();
  return found == nullptr ? kNone : *found;
}

core::Bandwidth ll_limit(const CollectiveTuning& tuning, const CommunicatorShape& shape) {
  if (shape.nodes == 1) return generation_of(tuning).ll.value;
  return at(tuning.ll_between_nodes.value, scale(shape) - 1);
}

Duration latency_of(const AlgorithmLatency& table, const CollectiveCall& call, double local_steps,
                    double network_steps, Duration min_local_step) {
  const CommunicatorShape& shape = call.shape;
  const auto i = static_cast<std::size_t>(call.protocol);
  const Duration local =
      std::max(min_local_step, at(shape.has_scale_up ? table.scale_up.value : table.pcie.value, i));
  // Simple flushes received data, so the path counts twice.
  const double ways = call.protocol == CollectiveProtocol::kSimple ? 2.0 : 1.0;
  const Duration network = at(table.network.value, i) + shape.network_latency * ways;
  return at(table.base.value, i) + local * local_steps + network * network_steps;
}

Duration spread_of(const CollectiveCall& call) {
  const double half = call.tuning.spread_size.value.base();
  return generation_of(call.tuning).spread.value * (call.bytes / (call.bytes + half));
}

Duration overhead_of_steps(const CollectiveCall& call, double local_steps) {
  const AcceleratorGeneration& generation = generation_of(call.tuning);
  const auto i = static_cast<std::size_t>(call.protocol);
  const Duration steps =
      at(generation.launch.value, i) + at(generation.step_overhead.value, i) * local_steps;
  return call.protocol == CollectiveProtocol::kLL ? steps + spread_of(call) : steps;
}

Rates rates_alone(const core::Fabric& fabric, const CollectiveFlow& flow) {
  double in_domain = 0.0;
  double elsewhere = 0.0;
  for (const core::LinkUse& use : flow.route) {
    const core::Link& link = link_of(fabric, use);
    double& most = link.tier == core::Tier::kScaleUp ? in_domain : elsewhere;
    most = std::max(most, use.coefficient / link.bandwidth.base());
  }
  return {.in_domain = 1.0 / in_domain, .elsewhere = 1.0 / elsewhere};
}

bool limit_low_latency(const CollectiveCall& call, const Rates& rates, double ll_share,
                       double from_bus, CollectiveFlow& flow) {
  if (call.protocol == CollectiveProtocol::kSimple) return false;
  if (call.protocol == CollectiveProtocol::kLL && call.shape.nodes == 1) {
    flow.ceiling = generation_of(call.tuning).ll_reach.value * rates.least();
  } else if (call.protocol == CollectiveProtocol::kLL) {
    flow.ceiling =
        std::min(ll_share * rates.least(), ll_limit(call.tuning, call.shape).base() * from_bus);
  } else {
    const double reach = generation_of(call.tuning).ll128_reach.value;
    const double outside = call.shape.nodes == 1 ? reach : call.tuning.ll128_share.value;
    flow.ceiling = std::min(reach * rates.in_domain, outside * rates.elsewhere);
  }
  return true;
}

bool limit_as_ring(const CollectiveCall& call, const Rates& rates, CollectiveFlow& flow) {
  return limit_low_latency(call, rates, call.tuning.ring_ll_share.value,
                           1.0 / bus_factor(call.op, call.shape.members), flow);
}

void limit_by_protocol(const CollectiveCall& call, const core::Fabric& fabric,
                       const Groups& /*groups*/, CollectiveFlow& flow) {
  limit_as_ring(call, rates_alone(fabric, flow), flow);
}

int num_channels_of_rings(const CollectiveTuning& tuning, const CommunicatorShape& shape) {
  const int of_node = generation_of(tuning).num_channels.value;
  return 2 * (shape.nodes > 1 ? std::max(2, shape.max_in_node) : of_node);
}

namespace {

double message_of(const CollectiveCall& call, double part) {
  const double channels = num_channels_of_rings(call.tuning, call.shape);
  return std::min(part / channels, call.tuning.ring_chunk.value.base()) / 2.0;
}

}  // namespace

double message_of_parts(const CollectiveCall& call) {
  const bool has_parts =
      call.op != CollectiveOp::kSendReceive && call.op != CollectiveOp::kBroadcast;
  return message_of(call, has_parts ? call.bytes / call.shape.members : call.bytes);
}

double message_of_whole(const CollectiveCall& call) { return message_of(call, call.bytes); }

}  // namespace railwright::models
