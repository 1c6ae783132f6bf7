// SPDX-License-Identifier: Apache-2.0
#include "flows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "expert_exchange_flow.hpp"
#include "node_flows.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/rank_groups.hpp"

namespace railwright::simulation {

namespace {

using models::CollectiveFlow;
using models::CollectiveOp;
using models::Communicator;
using models::Layout;

/// Scales a flow to carry `share` of the bytes of each buffer.
CollectiveFlow scaled(CollectiveFlow flow, double share) {
  for (core::LinkUse& use : flow.route) use.coefficient *= share;
  flow.ceiling /= share;
  return flow;
}

/// Returns the all-reduce of a residual stream. Sequence parallelism runs it as a reduce-scatter
/// and an all-gather of the same bytes. [@korthikanti2022reducing]
CollectiveFlow tensor_flow(const Communicator& group, const Layout& layout, double bytes) {
  if (!layout.sequence_parallel) return group.flow(CollectiveOp::kAllReduce, bytes);
  return models::in_sequence(group.flow(CollectiveOp::kReduceScatter, bytes),
                             group.flow(CollectiveOp::kAllGather, bytes));
}

/// Computes the part of `op` that one replica brings to its ranks' groups; the parts of all members
/// make the whole. `group_of(tensor, replica, stage)` gives the members.
template <typename GroupOf>
class SharedCalls {
 public:
  SharedCalls(const Scenario& scenario, const Communicators& communicators, CollectiveOp op,
              double bytes, GroupOf group_of)
      : scenario_(scenario),
        communicators_(communicators),
        op_(op),
        bytes_(bytes),
        group_of_(group_of) {}

  CollectiveFlow of_replica(int tp, int replica, int stage) {
    std::vector<CollectiveFlow> parts;
    for (int tensor = 0; tensor < tp; ++tensor) {
      parts.push_back(part(group_of_(tensor, replica, stage)));
    }
    return models::merge(parts);
  }

 private:
  const CollectiveFlow& part(const std::vector<int>& members) {
    const auto found = parts_.find(members);
    if (found != parts_.end()) return found->second;
    CollectiveFlow whole = whole_flow(members);
    for (core::LinkUse& use : whole.route) {
      use.coefficient /= static_cast<double>(members.size());
    }
    return parts_.emplace(members, std::move(whole)).first->second;
  }

  CollectiveFlow whole_flow(const std::vector<int>& members) const {
    const Communicator group = communicators_.of(members, scenario_.software.collectives);
    const bool by_deepep =
        scenario_.software.expert_dispatcher.value == models::ExpertDispatcher::kDeepEp;
    if (op_ == CollectiveOp::kAllToAll && by_deepep) {
      return expert_exchange_flow(scenario_, group, bytes_);
    }
    return group.flow(op_, bytes_);
  }

  const Scenario& scenario_;
  const Communicators& communicators_;
  CollectiveOp op_;
  double bytes_;
  GroupOf group_of_;
  std::map<std::vector<int>, CollectiveFlow> parts_;
};

/// Returns the bytes of a micro-batch's keys and values on all ranks of a ring, in the mean over
/// layers.
double ring_bytes(const models::Training& training, const Layout& layout) {
  constexpr double kElementBytes = 2.0;
  double elements = 0.0;
  double layers = 0.0;
  for (const auto& [mixer, count] : models::mixer_layers(models::transformer_of(training))) {
    if (!mixer.kind->has_ring) continue;
    const models::MixerKept kept = mixer.kind->kept(mixer, layout.tp);
    elements += count * (kept.keys + kept.values);
    layers += count;
  }
  if (layers == 0.0) return 0.0;
  return kElementBytes * (elements / layers) * models::num_positions(training) *
         training.micro_batch;
}

/// Returns the width of the vectors that experts are sent, over the model's own.
double expert_share(const models::Transformer& model) {
  return static_cast<double>(models::expert_width(model)) / model.hidden_size;
}

}  // namespace

std::array<GroupCalls, kNumLayerCalls> layer_calls(const Scenario& scenario, const Layout& layout,
                                                   const Communicators& communicators,
                                                   std::span<const int> replicas) {
  std::array<GroupCalls, kNumLayerCalls> calls;
  if (models::vision_of(scenario.workload) != nullptr) return calls;  // each rank holds all layers
  auto& [tensor, expert, context] = calls;
  const std::int64_t stream =
      models::residual_bytes(scenario.workload) / layout.ranks_of_sequence();
  tensor.bytes = stream;
  context.bytes = std::llround(ring_bytes(scenario.workload, layout));
  if (layout.ep > 1) {
    const models::Transformer& model = models::transformer_of(scenario.workload);
    const double copies = model.experts->top_k * expert_share(model) *
                          models::load_of_fullest_rank(scenario.workload, layout.ep);
    expert.bytes = std::llround(static_cast<double>(stream / layout.tp) * copies);
  }

  if (layout.ep > 1) expert.circles = expert_circles(layout);
  if (layout.cp > 1) context.circles = context_circles(layout);

  SharedCalls exchanges(scenario, communicators, CollectiveOp::kAllToAll,
                        static_cast<double>(expert.bytes), [&](int t, int replica, int stage) {
                          return models::expert_group(layout, layout.rank_in_stage(t, replica),
                                                      stage);
                        });
  SharedCalls rings(
      scenario, communicators, CollectiveOp::kAllGather, static_cast<double>(context.bytes),
      [&](int t, int replica, int stage) { return context_group(layout, t, replica, stage); });
  NodeFlows tensor_flows(communicators.fabric(), communicators.copies());
  const auto tensor_flow_of = [&](const std::vector<int>& members) {
    const Communicator group = communicators.of(members, scenario.software.collectives);
    return tensor_flow(group, layout, static_cast<double>(stream));
  };
  // Looking for copies among all nodes takes as long as so many flows.
  constexpr std::size_t kFewGroups = 64;
  const bool are_few = replicas.size() * static_cast<std::size_t>(layout.pp) <= kFewGroups;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (const int replica : replicas) {
      if (layout.tp > 1) {
        const std::vector<int> members = tensor_group(layout, replica, stage);
        tensor.flows.push_back(are_few ? tensor_flow_of(members)
                                       : tensor_flows.flow(members, tensor_flow_of));
      }
      if (layout.ep > 1) expert.flows.push_back(exchanges.of_replica(layout.tp, replica, stage));
      if (layout.cp > 1) context.flows.push_back(rings.of_replica(layout.tp, replica, stage));
    }
  }
  return calls;
}

std::array<core::Duration, kNumLayerCalls> fastest_calls(const Scenario& scenario,
                                                         const Layout& layout,
                                                         const core::Fabric& fabric,
                                                         std::span<const double> capacity,
                                                         AmongGroups among) {
  std::array<core::Duration, kNumLayerCalls> fastest{};
  const auto keep = [&](LayerCall call, const CollectiveFlow& flow, double bytes) {
    core::Duration& least = fastest[static_cast<std::size_t>(call)];
    const core::Duration time = models::isolated_time(flow, bytes, capacity);
    least = least == core::Duration{} ? time : std::min(least, time);
  };
  const models::CollectiveTuning& tuning = scenario.software.collectives;
  const double stream =
      static_cast<double>(models::residual_bytes(scenario.workload) / layout.ranks_of_sequence());
  const double keys_and_values = std::round(ring_bytes(scenario.workload, layout));
  NodeFlows tensor_flows(fabric);
  NodeFlows rings(fabric);
  const auto keep_tensor = [&](const std::vector<int>& members) {
    if (tensor_flows.knows_copy_of(members)) return;
    const auto make = [&](const std::vector<int>& group) {
      return tensor_flow(Communicator(fabric, group, tuning), layout, stream);
    };
    keep(LayerCall::kTensor, tensor_flows.flow(members, make), stream);
  };
  const auto keep_ring = [&](const std::vector<int>& members) {
    if (rings.knows_copy_of(members)) return;
    const auto make = [&](const std::vector<int>& group) {
      return Communicator(fabric, group, tuning).flow(CollectiveOp::kAllGather, keys_and_values);
    };
    keep(LayerCall::kContext, rings.flow(members, make), keys_and_values);
  };
  const bool is_first = among == AmongGroups::kFirst;
  for (int stage = 0; stage < (is_first ? 1 : layout.pp); ++stage) {
    for (int replica = 0; replica < (is_first ? 1 : layout.num_replicas()); ++replica) {
      if (layout.tp > 1) keep_tensor(tensor_group(layout, replica, stage));
      if (layout.cp == 1 || replica % layout.cp != 0) continue;
      keep_ring(context_group(layout, 0, replica, stage));
    }
  }
  return fastest;
}

std::vector<SyncCall> sync_calls(const Scenario& scenario, const Layout& layout, int stage,
                                 bool of_experts) {
  auto groups = parameter_groups(layout, stage, of_experts);
  if (scenario.software.zero_stage.value == 0) {
    return {{.op = CollectiveOp::kAllReduce, .groups = std::move(groups)}};
  }
  const auto shards = static_cast<std::size_t>(models::zero_group(layout, of_experts));
  std::vector<std::vector<int>> within;
  std::vector<std::vector<int>> across;
  for (const auto& members : groups) {
    for (auto& group : split(members, shards, false)) within.push_back(std::move(group));
    for (auto& group : split(members, shards, true)) across.push_back(std::move(group));
  }
  std::vector<SyncCall> calls{
      {.op = CollectiveOp::kReduceScatter, .groups = within},
      {.op = CollectiveOp::kAllGather, .gathers_parameters = true, .groups = within}};
  if (across.front().size() > 1) {
    calls.push_back({.op = CollectiveOp::kAllReduce,
                     .share = 1.0 / static_cast<double>(shards),
                     .groups = std::move(across)});
  }
  return calls;
}

CollectiveFlow sync_flow(const Communicator& group, const SyncCall& call, double bucket_bytes) {
  return group.flow(call.op, bucket_bytes * call.share);
}

ParameterSync joined(std::span<const SyncCall> calls, std::span<const CollectiveFlow> flows) {
  ParameterSync sync;
  bool has_reduced = false;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].gathers_parameters) {
      sync.parameter_gather = flows[i];
    } else if (!std::exchange(has_reduced, true)) {
      sync.gradient_sync = flows[i];
    } else {
      sync.gradient_sync =
          models::in_sequence(sync.gradient_sync, scaled(flows[i], calls[i].share));
    }
  }
  return sync;
}

std::vector<int> ends_of(const Layout& layout, const StageSend& send, int tensor) {
  return {layout.accelerator(tensor, send.replica, send.from),
          layout.accelerator(tensor, send.replica, send.to)};
}

CollectiveFlow send_flow(const CheckedScenario& checked, const Communicators& communicators,
                         const StageSend& send, double bytes) {
  const Layout& layout = checked.layout;
  std::vector<CollectiveFlow> flows;
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    flows.push_back(communicators.send(layout.accelerator(tensor, send.replica, send.from),
                                       layout.accelerator(tensor, send.replica, send.to),
                                       checked.scenario.software.collectives, bytes));
  }
  return models::merge(flows);
}

}  // namespace railwright::simulation
