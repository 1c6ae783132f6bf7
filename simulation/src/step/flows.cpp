// SPDX-License-Identifier: Apache-2.0
#include "flows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "expert_exchange_flow.hpp"
#include "node_flows.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/compute/context_elements.hpp"
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

/// Computes the part of a call that one replica brings to its ranks' groups; the parts of all
/// members make the whole. `group_of(tensor, replica, stage)` gives the members, and
/// `flow_of(members)` their call.
template <typename GroupOf, typename FlowOf>
class SharedCalls {
 public:
  SharedCalls(GroupOf group_of, FlowOf flow_of) : group_of_(group_of), flow_of_(flow_of) {}

  CollectiveFlow of_replica(int tp, int replica, int stage) {
    std::vector<CollectiveFlow> parts;
    for (int tensor = 0; tensor < tp; ++tensor) {
      parts.push_back(part(group_of_(tensor, replica, stage)));
    }
    return models::merge(parts);
  }

  /// Returns what all these replicas bring at once.
  CollectiveFlow of_replicas(int tp, std::span<const int> replicas, int stage) {
    std::map<std::vector<int>, int> times;
    for (const int replica : replicas) {
      for (int tensor = 0; tensor < tp; ++tensor) ++times[group_of_(tensor, replica, stage)];
    }
    std::vector<CollectiveFlow> parts;
    for (const auto& [members, count] : times) {
      parts.push_back(part(members));
      for (core::LinkUse& use : parts.back().route) use.coefficient *= count;
    }
    return models::merge(parts);
  }

 private:
  const CollectiveFlow& part(const std::vector<int>& members) {
    const auto found = parts_.find(members);
    if (found != parts_.end()) return found->second;
    CollectiveFlow whole = flow_of_(members);
    for (core::LinkUse& use : whole.route) {
      use.coefficient /= static_cast<double>(members.size());
    }
    return parts_.emplace(members, std::move(whole)).first->second;
  }

  GroupOf group_of_;
  FlowOf flow_of_;
  std::map<std::vector<int>, CollectiveFlow> parts_;
};

/// Returns the bytes of a micro-batch's residual stream on a rank of those that share its
/// sequences.
std::int64_t residual_stream(const Scenario& scenario, const Layout& layout) {
  constexpr double kHalfBytes = 2.0;
  const double widths = models::sent_number_bytes(scenario.software) / kHalfBytes;
  return std::llround(static_cast<double>(models::residual_bytes(scenario.workload)) * widths) /
         layout.ranks_of_sequence();
}

/// The exchange of keys and values, or of tokens for heads.
struct ContextCall {
  double gathered = 0.0;  ///< bytes of keys and values on all ranks that gather them
  double swapped = 0.0;   ///< bytes that a rank swaps on the way to attention and back
  models::ContextRanks ranks;
  double gathers = 1.0;  ///< of one call

  [[nodiscard]] double bytes() const { return ranks.tokens > 1 ? gathered : swapped; }
};

/// A ring's gradients go round with keys and values: with those of the forward pass one and a half
/// times as much in the mean of both passes. Swaps are alike in both.
constexpr double kMeanRing = 1.5;

ContextCall context_call(const Scenario& scenario, const Layout& layout) {
  const models::Training& training = scenario.workload;
  ContextCall call{.ranks = scenario.software.context_ranks(layout.cp)};
  const models::ContextExchange exchange = scenario.software.context_exchange.value;
  if (exchange == models::ContextExchange::kAllToAllRing) call.gathers = kMeanRing;
  double layers = 0.0;
  for (const auto& [mixer, count] : models::mixer_layers(models::transformer_of(training))) {
    if (!mixer.kind->has_ring) continue;
    const auto elements = models::context_elements(mixer, layout, scenario.software);
    call.gathered += count * elements.keys_and_values;
    call.swapped += count * elements.swapped();
    layers += count;
  }
  if (layers == 0.0) return call;
  const double tokens = static_cast<double>(training.micro_batch) * models::num_positions(training);
  const double of_layer = models::sent_number_bytes(scenario.software) * tokens / layers;
  call.gathered *= of_layer / call.ranks.heads;
  call.swapped *= of_layer / layout.cp;
  return call;
}

/// Returns the flow of the ranks that share a sequence. Neighbours swap, and rings go over their
/// groups. [@transformer_engine]
CollectiveFlow context_flow(const Scenario& scenario, const Communicators& communicators,
                            const ContextCall& call, const std::vector<int>& members) {
  const auto flow_of = [&](const std::vector<int>& group, CollectiveOp op, double bytes) {
    return communicators.of(group, scenario.software.collectives).flow(op, bytes);
  };
  const auto [heads, tokens] = call.ranks;
  if (tokens == 1) return flow_of(members, CollectiveOp::kAllToAll, call.swapped);
  const auto together = [&](bool across, CollectiveOp op, double bytes) {
    std::vector<CollectiveFlow> flows;
    for (const auto& group : split(members, static_cast<std::size_t>(heads), across)) {
      flows.push_back(flow_of(group, op, bytes));
    }
    return models::merge(flows);
  };
  CollectiveFlow gather =
      scaled(together(true, CollectiveOp::kAllGather, call.gathered), call.gathers);
  gather.latency = gather.latency * call.gathers;
  if (heads == 1) return gather;
  return models::in_sequence(
      scaled(together(false, CollectiveOp::kAllToAll, call.swapped), call.swapped / call.gathered),
      gather);
}

CollectiveFlow expert_flow(const Scenario& scenario, const Communicators& communicators,
                           double bytes, const std::vector<int>& members) {
  const Communicator group = communicators.of(members, scenario.software.collectives);
  if (scenario.software.expert_dispatcher.value == models::ExpertDispatcher::kDeepEp) {
    return expert_exchange_flow(scenario, group, bytes);
  }
  return group.flow(CollectiveOp::kAllToAll, bytes);
}

/// Returns the width of the vectors that experts are sent, over the model's own.
double expert_share(const models::Transformer& model) {
  return static_cast<double>(models::expert_width(model)) / model.hidden_size;
}

/// Returns what the fullest rank sends of `stream` bytes of tokens.
std::int64_t bytes_to_experts(const models::Training& workload, const Layout& layout,
                              std::int64_t stream) {
  const models::Transformer& model = models::transformer_of(workload);
  const double copies = model.experts->top_k * expert_share(model) *
                        models::load_of_fullest_rank(workload, layout.ep);
  return std::llround(static_cast<double>(stream) * copies);
}

}  // namespace

std::array<GroupCalls, kNumLayerCalls> layer_calls(const Scenario& scenario, const Layout& layout,
                                                   const Communicators& communicators,
                                                   std::span<const int> replicas, Parts parts) {
  std::array<GroupCalls, kNumLayerCalls> calls;
  if (models::vision_of(scenario.workload) != nullptr) return calls;  // each rank holds all layers
  auto& [tensor, expert, context] = calls;
  const std::int64_t stream = residual_stream(scenario, layout);
  tensor.bytes = stream;
  const ContextCall context_of_layer = context_call(scenario, layout);
  context.bytes = std::llround(context_of_layer.bytes());
  context.is_swap = layout.cp > 1 && context_of_layer.ranks.tokens == 1;
  if (layout.ep > 1) {
    expert.bytes = bytes_to_experts(scenario.workload, layout, stream / layout.tp);
    expert.circles = expert_circles(layout);
  }
  if (layout.cp > 1) context.circles = context_circles(layout);

  SharedCalls exchanges(
      [&](int t, int replica, int stage) {
        return models::expert_group(layout, layout.rank_in_stage(t, replica), stage);
      },
      [&](const std::vector<int>& members) {
        return expert_flow(scenario, communicators, static_cast<double>(expert.bytes), members);
      });
  SharedCalls rings(
      [&](int t, int replica, int stage) { return context_group(layout, t, replica, stage); },
      [&](const std::vector<int>& members) {
        return context_flow(scenario, communicators, context_of_layer, members);
      });
  NodeFlows tensor_flows(communicators.fabric(), communicators.copies());
  const auto tensor_flow_of = [&](const std::vector<int>& members) {
    const Communicator group = communicators.of(members, scenario.software.collectives);
    return tensor_flow(group, layout, static_cast<double>(stream));
  };
  const auto add = [&](auto& shared, int stage, std::vector<CollectiveFlow>& flows) {
    const auto add_one = [&](int replica) {
      flows.push_back(shared.of_replica(layout.tp, replica, stage));
    };
    if (parts == Parts::kJoined && replicas.size() > 2) {
      add_one(replicas.front());
      flows.push_back(shared.of_replicas(layout.tp, replicas.subspan(1), stage));
      flows.resize(flows.size() + replicas.size() - 2);
    } else {
      std::ranges::for_each(replicas, add_one);
    }
  };
  // Looking for copies among all nodes takes as long as so many flows.
  constexpr std::size_t kFewGroups = 64;
  const bool are_few = replicas.size() * static_cast<std::size_t>(layout.pp) <= kFewGroups;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (const int replica : replicas) {
      if (layout.tp == 1) break;
      const std::vector<int> members = tensor_group(layout, replica, stage);
      tensor.flows.push_back(are_few ? tensor_flow_of(members)
                                     : tensor_flows.flow(members, tensor_flow_of));
    }
    if (layout.ep > 1) add(exchanges, stage, expert.flows);
    if (layout.cp > 1) add(rings, stage, context.flows);
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
  const auto stream = static_cast<double>(residual_stream(scenario, layout));
  const ContextCall context = context_call(scenario, layout);
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
      return context_flow(scenario, fabric, context, group);
    };
    keep(LayerCall::kContext, rings.flow(members, make), std::round(context.bytes()));
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
                                 bool of_experts, std::size_t most) {
  auto groups = parameter_groups(layout, stage, of_experts, most);
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
                         const StageSend& send, double bytes, std::span<const int> tensors) {
  const Layout& layout = checked.layout;
  std::vector<CollectiveFlow> flows;
  for (const int tensor : tensors) {
    flows.push_back(communicators.send(layout.accelerator(tensor, send.replica, send.from),
                                       layout.accelerator(tensor, send.replica, send.to),
                                       checked.scenario.software.collectives, bytes));
  }
  return models::merge(flows);
}

}  // namespace railwright::simulation
