// SPDX-License-Identifier: Apache-2.0
#include "layer_passes.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/memory/memory.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using models::Layout;

/// Number of calls in a layer's forward pass.
struct CallCounts {
  double tensor = 0.0;
  double waiting = 0.0;  ///< part of `tensor`: see LayerPass::waiting_calls
  double expert = 0.0;
  double context = 0.0;
};

/// Counts the calls: an all-reduce after attention and one after each further block
/// [@narayanan2021megatron]. With experts on several ranks, tokens are sent to them and back. Where
/// an expert is cut over tensor-parallel ranks, these gather and reduce top_k copies of each token:
/// the all-to-all dispatcher does so with all experts on each rank, too, as it makes the copies
/// first. [@megatron_core_moe] Grouped products of experts cannot overlap with these calls; only
/// products of attention and shared experts can. [@transformer_engine]
CallCounts calls_of_layer(const Scenario& scenario, const Layout& layout, models::LayerKind kind) {
  const models::Transformer& model = models::transformer_of(scenario.workload);
  CallCounts calls;
  if (layout.cp > 1 && models::has_attention(kind)) calls.context = 1.0;
  if (layout.tp > 1) calls.tensor = models::num_blocks(kind);
  if (!models::has_experts(kind)) return calls;
  const double of_attention = models::has_attention(kind) ? 1.0 : 0.0;
  const double of_shared = model.experts->shared_ffn_size > 0 ? 1.0 : 0.0;
  if (layout.ep > 1) calls.expert = 2.0;
  const bool copies_first = layout.sequence_parallel && scenario.software.expert_dispatcher.value ==
                                                            models::ExpertDispatcher::kAllToAll;
  if (layout.tp > 1 && (layout.ep > 1 || (layout.etp > 1 && copies_first))) {
    calls.tensor = of_attention + (layout.etp > 1 ? model.experts->top_k : 0) + of_shared;
  }
  calls.waiting = std::max(0.0, calls.tensor - of_attention - of_shared);
  return calls;
}

/// Counts the exchanges of keys and values in a backward pass: these, and their gradients, which
/// PyTorch sends in fp32. Swaps of tokens for heads are those of the forward pass.
/// [@transformer_engine; @pytorch_context_parallel]
double context_calls_backward(models::ContextExchange exchange) {
  switch (exchange) {
    case models::ContextExchange::kRing:
    case models::ContextExchange::kAllGather:
      return 2.0;
    case models::ContextExchange::kGatheredRing:
      return 3.0;
    case models::ContextExchange::kAllToAll:
    case models::ContextExchange::kAllToAllRing:
      return 1.0;
  }
  return 0.0;
}

/// Counts the calls of the backward pass. Gradients take the same routes as activations. Recomputed
/// parts repeat their calls; a block repeats its call if it repeats its last product.
CallCounts calls_backward(CallCounts calls, models::ContextExchange exchange,
                          const models::Recomputed& again, models::LayerKind kind) {
  const bool is_routed = models::has_experts(kind);
  const double attention = again.layer || again.attention_projection ? 1.0 : 0.0;
  const bool runs_block =
      models::has_feed_forward(kind) && models::runs_feed_forward_again(again, kind, is_routed);
  const double block = again.layer || (runs_block && again.last_product) ? 1.0 : 0.0;
  const double of_attention = models::has_attention(kind) ? std::min(calls.tensor, 1.0) : 0.0;
  calls.tensor += attention * of_attention + block * (calls.tensor - of_attention);
  calls.waiting *= 1.0 + block;
  calls.expert *= again.layer || again.experts ? 2.0 : 1.0;
  calls.context *= context_calls_backward(exchange) + (again.layer ? 1.0 : 0.0);
  return calls;
}

LayerPass pass_of(const models::ComputeCost& compute, const CallCounts& calls) {
  return {.compute = compute,
          .calls = {calls.tensor, calls.expert, calls.context},
          .waiting_calls = calls.waiting};
}

/// Shortens host waits by the time of the calls: the host launches kernels meanwhile.
void fill_host_waits(const std::array<core::Duration, kNumLayerCalls>& one_call, LayerPass& pass) {
  core::Duration calls;
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    calls += one_call[call] * pass.calls[call];
  }
  const core::Duration filled = std::min(calls, pass.compute.host_wait);
  pass.compute.gaps -= filled;
  pass.compute.host_wait -= filled;
}

/// Overlaps calls with `part` of the computation, which is slower meanwhile. Waiting calls are
/// never hidden.
void lay_beside(std::size_t call, models::ComputeCost part, double slowdown,
                core::Duration one_call, double waiting, LayerPass& pass) {
  if (pass.calls[call] <= waiting || part.total() == core::Duration{}) return;
  const core::Duration together = std::min(one_call * (pass.calls[call] - waiting), part.total());
  if (waiting > 0.0) part = part * (together / part.total());
  const double slower = (slowdown - 1.0) * (together / part.total());
  pass.compute += part * slower;
  pass.beside[call] = part * (1.0 + slower);
}

/// Lets the passes of a layer wait for offloaded activations that are longer on their way than they
/// compute.
void add_offload_waits(const Scenario& scenario, const Layout& layout, models::LayerKind kind,
                       const models::Recomputed& again, LayerPasses::PerPass& passes) {
  const models::Offload& offload = scenario.software.offload;
  if (!offload.activations) return;
  const core::DataSize kept =
      models::activations_per_layer(scenario.workload, layout, scenario.software, kind, again);
  const core::ComputeNode& node = scenario.cluster.node;
  const core::DataSize of_node = kept * (offload.activation_share * node.num_accelerators.value);
  const auto wait = [&](core::Bandwidth rate, models::ComputeCost& pass) {
    pass.gaps += std::max(core::Duration{}, of_node / rate - pass.total());
  };
  wait(models::send_rate(*offload.activations, node), passes.forward.compute);
  wait(models::stream_rate(*offload.activations, node), passes.backward.compute);
}

}  // namespace

/// The largest of n normal deviates is about sqrt(2 ln n). [@david2003order]
double compute_efficiency(const Scenario& scenario) {
  const double slowest = std::sqrt(2.0 * std::log(scenario.cluster.num_nodes));
  return scenario.installation.compute_efficiency.value *
         scenario.software.compute_efficiency.value /
         (1.0 + scenario.software.jitter.value * slowest);
}

LayerPasses layer_passes(const Scenario& scenario, const Layout& layout,
                         const models::ComputeModel& compute) {
  LayerPasses passes;
  if (models::vision_of(scenario.workload) != nullptr) {
    for (const models::PassCost& block : compute.blocks()) {
      passes.blocks.push_back(
          {.forward = pass_of(block.forward, {}), .backward = pass_of(block.backward, {})});
    }
    return passes;
  }
  const models::Transformer& model = models::transformer_of(scenario.workload);
  const models::ContextExchange exchange = scenario.software.context_exchange.value;
  const auto counts = models::layers_by_kind(model);
  for (std::size_t i = 0; i < models::kNumLayerKinds; ++i) {
    if (counts[i] == 0) continue;
    const auto kind = static_cast<models::LayerKind>(i);
    const CallCounts calls = calls_of_layer(scenario, layout, kind);
    const auto both = [&](const models::PassCost& cost, const models::Recomputed& again) {
      LayerPasses::PerPass made{
          .forward = pass_of(cost.forward, calls),
          .backward = pass_of(cost.backward, calls_backward(calls, exchange, again, kind)),
          .weight = pass_of(cost.weight, {})};
      add_offload_waits(scenario, layout, kind, again, made);
      return made;
    };
    passes.layers[i] = both(compute.layer(kind), scenario.software.recomputed());
    passes.kept_layers[i] = both(compute.kept_layer(kind), {});
  }
  for (int module = 0; module < model.mtp_layers; ++module) {
    const auto& layer = passes.layers[static_cast<std::size_t>(models::last_kind(model))];
    passes.mtp.forward += layer.forward;
    passes.mtp.backward += layer.backward;
    passes.mtp.weight += layer.weight;
  }
  // A gather of received shares costs half an all-reduce.
  const double all_reduce = layout.tp > 1 ? 1.0 : 0.0;
  passes.embedding = {.forward = pass_of(compute.embedding().forward, {.tensor = all_reduce}),
                      .backward = pass_of(compute.embedding().backward, {}),
                      .weight = {}};
  passes.head = {.forward = pass_of(compute.head().forward, {}),
                 .backward = pass_of(compute.head().backward,
                                     {.tensor = all_reduce * (1.0 + model.mtp_layers)}),
                 .weight = pass_of(compute.head().weight, {})};
  if (layout.tp > 1 && !layout.sequence_parallel && scenario.software.scatter_pipeline.value) {
    passes.share_gather = pass_of({}, {.tensor = 0.5});
  }
  return passes;
}

namespace {

/// Returns the share of attention that an exchange goes along with: in a ring all kernels but one;
/// of keys and values that are gathered at once, the kernel that needs none of other ranks.
double attention_beside(const models::SoftwareProfile& software, int cp) {
  const int ranks = software.context_ranks(cp).tokens;
  switch (software.context_exchange.value) {
    case models::ContextExchange::kRing:
    case models::ContextExchange::kAllToAllRing:
      return 1.0 - 1.0 / ranks;
    case models::ContextExchange::kGatheredRing:
      return cp > 1 ? 1.0 / ranks : 0.0;
    case models::ContextExchange::kAllGather:
    case models::ContextExchange::kAllToAll:
      return 0.0;
  }
  return 0.0;
}

}  // namespace

Overlaps::Overlaps(const models::SoftwareProfile& software, const Layout& layout)
    : slowdown(software.overlap_slowdown.value) {
  // The first of tp or cp pieces has nothing to overlap with.
  if (software.overlap_tensor_parallel.value && layout.sequence_parallel) {
    matrix_share = 1.0 - 1.0 / layout.tp;
    tensor_share = software.tensor_parallel_overlap_share.value;
  }
  if (software.overlap_context_parallel.value) {
    attention_share = attention_beside(software, layout.cp);
  }
  // Passes of two directions run together anyway.
  hides_experts = software.overlap_expert_parallel.value && layout.num_directions() == 1;
}

void Overlaps::apply(const std::array<core::Duration, kNumLayerCalls>& one_call,
                     LayerPass& pass) const {
  fill_host_waits(one_call, pass);
  const models::ComputeCost compute = pass.compute;
  constexpr auto kTensor = static_cast<std::size_t>(LayerCall::kTensor);
  constexpr auto kContext = static_cast<std::size_t>(LayerCall::kContext);
  constexpr auto kExpert = static_cast<std::size_t>(LayerCall::kExpert);
  const double may_hide = pass.calls[kTensor] - pass.waiting_calls;
  lay_beside(kTensor, {.matrix = compute.matrix * matrix_share}, slowdown, one_call[kTensor],
             pass.waiting_calls + may_hide * (1.0 - tensor_share), pass);
  lay_beside(kContext, {.attention = compute.attention * attention_share}, slowdown,
             one_call[kContext], 0.0, pass);
  if (!hides_experts) return;
  models::ComputeCost others = compute;
  others.matrix = compute.matrix * (1.0 - matrix_share);
  others.attention = compute.attention * (1.0 - attention_share);
  lay_beside(kExpert, others, slowdown, one_call[kExpert], 0.0, pass);
}

void Overlaps::run_together(const std::array<core::Duration, kNumLayerCalls>& one_call,
                            LayerPass& pass) const {
  constexpr auto kExpert = static_cast<std::size_t>(LayerCall::kExpert);
  fill_host_waits(one_call, pass);
  const models::ComputeCost compute = pass.compute;
  lay_beside(kExpert, compute, slowdown, one_call[kExpert], 0.0, pass);
}

}  // namespace railwright::simulation
