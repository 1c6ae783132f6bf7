// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "railwright/core/sim/flow_network.hpp"
#include "step_terms.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;
using models::CollectiveFlow;

Duration time_per_byte(const CollectiveFlow& flow, const std::vector<double>& capacity) {
  return models::isolated_time({.route = flow.route, .latency = {}, .ceiling = flow.ceiling}, 1.0,
                               capacity);
}

/// Returns the seconds per byte on the busiest link when the collectives of all stages run at once.
Duration shared_time_per_byte(const StepCosts& costs, CollectiveFlow ParameterSync::* flow) {
  std::vector<CollectiveFlow> flows;
  for (const StageCosts& stage : costs.stages) {
    for (const ParameterSync& sync : stage.syncs) flows.push_back(sync.*flow);
  }
  return time_per_byte(models::merge(flows), costs.capacity);
}

/// Returns the share of each call's time in which it moves no bytes.
std::array<double, kNumLayerCalls> latency_of_calls(const StepCosts& costs, int stage,
                                                    const PassTimes& times) {
  std::array<double, kNumLayerCalls> shares{};
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    const Duration one = times.one_call()[call];
    if (costs.calls[call].flows.empty() || one <= Duration{}) continue;
    Duration latency;
    for (const CollectiveFlow& flow :
         std::span(costs.calls[call].flows).subspan(costs.group(stage, 0), n)) {
      latency = std::max(latency, flow.latency);
    }
    shares[call] = std::min(1.0, latency / one);
  }
  return shares;
}

/// Adds the flows of one kind of traffic of a stage.
void add_traffic(const StepCosts& costs, int stage, Traffic traffic, LinkRowsBuilder& rows) {
  const auto add_groups = [&](const std::vector<CollectiveFlow>& flows) {
    if (flows.empty()) return;
    for (int replica = 0; replica < costs.num_replicas; ++replica) {
      rows.add(flows[costs.group(stage, replica)]);
    }
  };
  const auto add_syncs = [&](bool of_experts, CollectiveFlow ParameterSync::* flow) {
    for (const ParameterSync& sync : costs.stages[static_cast<std::size_t>(stage)].syncs) {
      if (sync.of_experts == of_experts) rows.add(sync.*flow);
    }
  };
  switch (traffic) {
    case Traffic::kTensor:
    case Traffic::kExpert:
    case Traffic::kContext:
      return add_groups(costs.calls[static_cast<std::size_t>(traffic)].flows);
    case Traffic::kSendForward:
      return add_groups(costs.send_forward);
    case Traffic::kSendBackward:
      return add_groups(costs.send_backward);
    case Traffic::kDenseReduce:
    case Traffic::kExpertReduce:
      return add_syncs(traffic == Traffic::kExpertReduce, &ParameterSync::gradient_sync);
    case Traffic::kDenseGather:
    case Traffic::kExpertGather:
      return add_syncs(traffic == Traffic::kExpertGather, &ParameterSync::parameter_gather);
  }
}

Contention contention_of(const StepCosts& costs, int stage) {
  const bool overlaps = costs.overlap_gradient_reduce || costs.overlap_parameter_gather ||
                        costs.gathers_every_pass || costs.reduces_every_microbatch;
  if (!overlaps || !costs.has_replicas) return {};
  LinkRowsBuilder rows(costs.capacity);
  for (std::size_t traffic = 0; traffic < kNumTraffic; ++traffic) {
    add_traffic(costs, stage, static_cast<Traffic>(traffic), rows);
    rows.end_kind(traffic);
  }
  LinkRows links = rows.build();
  links.prune();
  return Contention(links, rows.ceilings());
}

}  // namespace

StageNetwork stage_network(const StepCosts& costs, int stage) {
  const PassTimes times(costs, stage);
  StageNetwork network{.one_call = times.one_call(),
                       .latency_of_calls = latency_of_calls(costs, stage, times),
                       .slowness = times.slowness(),
                       .reduce = {},
                       .gather = {},
                       .contention = contention_of(costs, stage)};
  for (const ParameterSync& sync : costs.stages[static_cast<std::size_t>(stage)].syncs) {
    const std::size_t i = sync.of_experts ? 1 : 0;
    network.reduce[i] = {sync.gradient_sync.latency,
                         time_per_byte(sync.gradient_sync, costs.capacity)};
    network.gather[i] = {sync.parameter_gather.latency,
                         time_per_byte(sync.parameter_gather, costs.capacity)};
  }
  return network;
}

NetworkTerms network_terms(const StepCosts& costs, std::vector<StageNetwork> classes,
                           std::vector<std::uint32_t> class_of_stage) {
  NetworkTerms terms;
  terms.classes = std::move(classes);
  terms.class_of_stage = std::move(class_of_stage);
  const std::size_t num_classes = terms.classes.size();
  terms.sends = send_times(costs);
  terms.slowest_way = slowest_way(costs);
  terms.shared_reduce = shared_time_per_byte(costs, &ParameterSync::gradient_sync);
  terms.shared_gather = shared_time_per_byte(costs, &ParameterSync::parameter_gather);

  LinkRowsBuilder rows(costs.capacity);
  for (std::size_t stage_class = 0; stage_class < num_classes; ++stage_class) {
    for (std::size_t traffic = 0; traffic < kNumTraffic; ++traffic) {
      for (int stage = 0; stage < costs.layout.pp; ++stage) {
        if (terms.class_of_stage[static_cast<std::size_t>(stage)] != stage_class) continue;
        add_traffic(costs, stage, static_cast<Traffic>(traffic), rows);
      }
      rows.end_kind(traffic_index(stage_class, static_cast<Traffic>(traffic)));
    }
  }
  terms.links = rows.build();
  terms.links.prune();
  return terms;
}

StepRules step_rules(const StepCosts& costs) {
  return {.schedule = costs.layout.schedule,
          .num_directions = static_cast<double>(costs.layout.num_directions()),
          .gathers_parameters = costs.gathers_parameters,
          .gathers_every_pass = costs.gathers_every_pass,
          .reduces_every_microbatch = costs.reduces_every_microbatch,
          .overlap_gradient_reduce = costs.overlap_gradient_reduce,
          .overlap_parameter_gather = costs.overlap_parameter_gather,
          .overlap_pipeline = costs.overlap_pipeline,
          .overlap_slowdown = costs.overlap_slowdown,
          .overhead = costs.overhead};
}

}  // namespace railwright::simulation
