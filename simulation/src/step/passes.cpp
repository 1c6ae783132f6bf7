// SPDX-License-Identifier: Apache-2.0
#include "passes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "call_builder.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::simulation {

namespace {

/// A pass's cost with the indices of its compute parts in the program's table.
struct PartCost {
  LayerPass pass;
  models::ComputeCost alone;  ///< part that overlaps with nothing
  std::int32_t alone_index = 0;
  std::array<std::int32_t, kNumLayerCalls> beside_index{};
};

/// Costs of one stage, by kind of pass.
struct StageParts {
  std::array<std::vector<PartCost>, models::kNumPassKinds> chunks;
  std::array<std::vector<PartCost>, models::kNumPassKinds> layers;
  std::vector<PartCost> together;  ///< indexed by the chunk of the forward pass
};

/// Sets times below 0 to 0: rounding leaves them where calls overlap with all of a computation.
models::ComputeCost without_rounding(const models::ComputeCost& cost) {
  const auto positive = [](core::Duration time) { return std::max(time, core::Duration{}); };
  return {positive(cost.matrix), positive(cost.attention), positive(cost.elementwise),
          positive(cost.gaps)};
}

using core::index;

bool is_forward(const models::Pass& pass) { return pass.kind == models::PassKind::kForward; }
PassMark mark_of(std::span<const models::Pass> passes) {
  constexpr std::array<OpPass, models::kNumPassKinds> kPasses{
      OpPass::kForward, OpPass::kBackward, OpPass::kInputGradient, OpPass::kWeightGradient};
  const models::Pass& pass = passes.front();
  return {.pass = passes.size() == 2 ? OpPass::kForwardAndBackward : kPasses[index(pass.kind)],
          .chunk = static_cast<std::int16_t>(pass.chunk),
          .microbatch = pass.microbatch};
}

/// Whether another stage waits for this pass.
bool sends_on(const models::Pass& pass) { return pass.kind != models::PassKind::kWeightGradient; }

class PassBuilder {
 public:
  PassBuilder(const StepCosts& costs, Graph& graph)
      : costs_(costs), layout_(costs.layout), graph_(graph), calls_(costs, graph) {
    const std::size_t num_groups = costs.num_groups();
    passes_.resize(num_groups);
    after_pass_.resize(num_groups);
    hooks_.forward.resize(num_groups);
    hooks_.backward.resize(num_groups);
  }

  PassHooks build() {
    for (int stage = 0; stage < layout_.pp; ++stage) {
      const StageParts parts = stage_parts(stage);
      for (int replica = 0; replica < costs_.num_replicas; ++replica) {
        add_stream(stage, replica, parts);
      }
    }
    if (layout_.pp == 1) return std::move(hooks_);
    for (int stage = 0; stage < layout_.pp; ++stage) {
      for (int replica = 0; replica < costs_.num_replicas; ++replica) add_transfers(stage, replica);
    }
    return std::move(hooks_);
  }

 private:
  [[nodiscard]] std::size_t pass_index(const models::Pass& pass) const {
    return 2 * (static_cast<std::size_t>(pass.chunk) *
                    static_cast<std::size_t>(layout_.num_microbatches) +
                static_cast<std::size_t>(pass.microbatch)) +
           (is_forward(pass) ? 0 : 1);
  }

  static std::size_t chunk_of(const models::Pass& pass) {
    return static_cast<std::size_t>(pass.chunk);
  }

  [[nodiscard]] std::size_t layer_of(int chunk, int i) const {
    return static_cast<std::size_t>(chunk) * static_cast<std::size_t>(layout_.layers_per_chunk) +
           static_cast<std::size_t>(i);
  }

  StageParts stage_parts(int stage) {
    const StageCosts& stage_costs = costs_.stages[static_cast<std::size_t>(stage)];
    const auto part = [&](const LayerPass& pass) {
      PartCost cost{.pass = pass, .alone = pass.compute};
      for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
        cost.alone += pass.beside[call] * -1.0;
        cost.beside_index[call] = graph_.add_compute_cost(pass.beside[call]);
      }
      cost.alone = without_rounding(cost.alone);
      cost.alone_index = graph_.add_compute_cost(cost.alone);
      return cost;
    };
    std::vector<LayerPass> whole_backward = stage_costs.backward;
    for (std::size_t i = 0; i < stage_costs.weight.size(); ++i) {
      whole_backward[i] += stage_costs.weight[i];
    }
    StageParts parts;
    const std::array<const std::vector<LayerPass>*, models::kNumPassKinds> kinds{
        &stage_costs.forward, &whole_backward, &stage_costs.backward, &stage_costs.weight};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const std::vector<LayerPass>& layers = *kinds[kind];
      if (layers.empty()) continue;
      for (int chunk = 0; chunk < layout_.chunks_per_stage(); ++chunk) {
        parts.chunks[kind].push_back(part(sum_of_chunk(layers, layout_, chunk)));
      }
      for (const LayerPass& layer : layers) parts.layers[kind].push_back(part(layer));
    }
    for (const LayerPass& pass : stage_costs.together) parts.together.push_back(part(pass));
    return parts;
  }

  /// Adds all passes of a group, one after another.
  void add_stream(int stage, int replica, const StageParts& parts) {
    const std::size_t group = costs_.group(stage, replica);
    const auto num_passes = 2 * static_cast<std::size_t>(layout_.chunks_per_stage()) *
                            static_cast<std::size_t>(layout_.num_microbatches);
    passes_[group].resize(num_passes);
    after_pass_[group].assign(num_passes, kNoOp);
    const auto num_hooks =
        parts.layers[0].size() * static_cast<std::size_t>(layout_.num_microbatches);
    hooks_.forward[group].resize(num_hooks);
    hooks_.backward[group].resize(num_hooks);
    const auto order = models::pipeline_order(layout_, stage);
    OpId previous = kNoOp;
    std::span<const models::Pass> previous_passes;
    for (std::size_t i = 0; i < order.size(); i += previous_passes.size()) {
      const auto passes = std::span(order).subspan(i, order[i].beside_next ? 2 : 1);
      graph_.mark(mark_of(passes));
      const PassOps ops = passes.size() == 2
                              ? add_part(group, parts.together[chunk_of(passes[0])], previous)
                              : add_pass(group, passes[0], parts, previous);
      for (const models::Pass& pass : previous_passes) {
        if (sends_on(pass)) after_pass_[group][pass_index(pass)] = ops.begin;
      }
      for (const models::Pass& pass : passes) {
        if (sends_on(pass)) passes_[group][pass_index(pass)] = ops;
      }
      previous = ops.end;
      previous_passes = passes;
    }
    graph_.mark({});
  }

  /// Whether buckets of gradients or parameters are exchanged during a pass, layer by layer.
  [[nodiscard]] bool carries_buckets(const models::Pass& pass) const {
    if (costs_.gathers_every_pass) return true;
    if (is_forward(pass)) {
      return pass.microbatch == 0 && costs_.gathers_parameters && costs_.overlap_parameter_gather;
    }
    if (costs_.reduces_every_microbatch) return true;
    return pass.kind != models::PassKind::kInputGradient &&
           pass.microbatch == layout_.microbatches_per_chunk() - 1 && costs_.has_replicas &&
           costs_.overlap_gradient_reduce;
  }

  PassOps add_pass(std::size_t group, const models::Pass& pass, const StageParts& parts,
                   OpId previous) {
    if (!carries_buckets(pass)) {
      return add_part(group, parts.chunks[index(pass.kind)][chunk_of(pass)], previous);
    }
    PassOps ops;
    for (int i = 0; i < layout_.layers_per_chunk; ++i) {
      const std::size_t layer =
          layer_of(pass.chunk, is_forward(pass) ? i : layout_.layers_per_chunk - 1 - i);
      const PassOps part = add_part(group, parts.layers[index(pass.kind)][layer], previous);
      if (ops.begin == kNoOp) ops.begin = part.begin;
      const std::size_t hook =
          static_cast<std::size_t>(pass.microbatch) * parts.layers[0].size() + layer;
      (is_forward(pass) ? hooks_.forward : hooks_.backward)[group][hook] = part;
      previous = ops.end = part.end;
    }
    return ops;
  }

  /// Appends a computation to the group's stream, at the speed of the group's slowest node.
  OpId add_compute(std::size_t group, const models::ComputeCost& cost, std::int32_t index,
                   OpId previous) {
    const OpId op = graph_.add(
        {.kind = OpKind::kCompute,
         .group = static_cast<std::int32_t>(group),
         .compute = index,
         .delay = core::ticks_at_or_after<core::StepTime>(cost.total() / costs_.speed(group))});
    graph_.add_edge(previous, op);
    graph_.append_to_stream(group, op);
    return op;
  }

  /// Appends to the group's stream: computation alone, then computation with overlapping calls,
  /// then the calls that it waits for.
  PassOps add_part(std::size_t group, const PartCost& cost, OpId previous) {
    PassOps ops;
    ops.begin = ops.end = add_compute(group, cost.alone, cost.alone_index, previous);
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      if (cost.pass.beside[call].total() == core::Duration{}) continue;
      const OpId calls = calls_.add(group, call, cost.pass.calls[call], ops.end);
      const OpId compute =
          add_compute(group, cost.pass.beside[call], cost.beside_index[call], ops.end);
      ops.end = graph_.add({.kind = OpKind::kJoin, .group = static_cast<std::int32_t>(group)});
      graph_.add_edge(calls, ops.end);
      graph_.add_edge(compute, ops.end);
      graph_.append_to_stream(group, ops.end);
    }
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      if (cost.pass.calls[call] == 0.0) continue;
      if (cost.pass.beside[call].total() > core::Duration{}) continue;
      ops.end = calls_.add(group, call, cost.pass.calls[call], ops.end);
      graph_.append_to_stream(group, ops.end);
    }
    return ops;
  }

  /// Whether a pass's result goes to the next stage instead of the previous one.
  [[nodiscard]] bool goes_up(const models::Pass& pass) const {
    return is_forward(pass) == (layout_.num_directions() == 1 || pass.chunk == 0);
  }

  /// Sets the stage and the pass that consume a pass's result; returns false at the ends.
  bool consumer(int stage, const models::Pass& pass, int& to_stage, models::Pass& to) const {
    to = pass;
    to_stage = stage + (goes_up(pass) ? 1 : -1);
    if (layout_.num_directions() == 2) return to_stage >= 0 && to_stage < layout_.pp;
    if (to_stage == layout_.pp) {
      to_stage = 0;
      ++to.chunk;
    } else if (to_stage < 0) {
      to_stage = layout_.pp - 1;
      --to.chunk;
    }
    return to.chunk >= 0 && to.chunk < layout_.virtual_stages;
  }

  /// Sends each pass's result to its consumer, in order for each neighbour. Without overlap, the
  /// stage waits for its send before it continues.
  void add_transfers(int stage, int replica) {
    const std::size_t group = costs_.group(stage, replica);
    std::array<OpId, 2> previous{kNoOp, kNoOp};
    for (const models::Pass& pass : models::pipeline_order(layout_, stage)) {
      int to_stage = 0;
      models::Pass to;
      if (!sends_on(pass) || !consumer(stage, pass, to_stage, to)) continue;
      const bool up = goes_up(pass);
      graph_.mark(mark_of({&pass, 1}));
      const auto& flow = up ? costs_.send_forward[group] : costs_.send_backward[group];
      const OpId send = graph_.add_transfer(OpKind::kPipelineTransfer, group, flow, flow.latency,
                                            costs_.send_bytes);
      graph_.add_edge(passes_[group][pass_index(pass)].end, send);
      graph_.add_edge(previous[up ? 0 : 1], send);
      graph_.add_edge(send, passes_[costs_.group(to_stage, replica)][pass_index(to)].begin);
      if (!costs_.overlap_pipeline) graph_.add_edge(send, after_pass_[group][pass_index(pass)]);
      previous[up ? 0 : 1] = send;
    }
    graph_.mark({});
  }

  const StepCosts& costs_;
  const models::Layout& layout_;
  Graph& graph_;
  CallBuilder calls_;
  PassHooks hooks_;
  std::vector<std::vector<PassOps>> passes_;   ///< indexed by group and pass_index
  std::vector<std::vector<OpId>> after_pass_;  ///< the operation next in the group's stream
};

}  // namespace

PassHooks add_passes(const StepCosts& costs, Graph& graph) {
  return PassBuilder(costs, graph).build();
}

}  // namespace railwright::simulation
