// SPDX-License-Identifier: Apache-2.0
#include "passes.hpp"

#include <array>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::planner {

namespace {

/// First and last operation of a pass.
struct PassOps {
  OpId begin = kNoOp;
  OpId end = kNoOp;
};

/// A pass's cost with the index of its compute part in the program's table.
struct PartCost {
  LayerPass pass;
  std::int32_t compute = 0;
};

/// Costs of one stage, in each direction ([0] forward, [1] backward).
struct StageParts {
  std::array<std::vector<PartCost>, 2> chunks;
  std::array<std::vector<PartCost>, 2> layers;
};

std::size_t direction(const models::Pass& pass) { return pass.forward ? 0 : 1; }

class PassBuilder {
 public:
  PassBuilder(const StepCosts& costs, Graph& graph)
      : costs_(costs), layout_(costs.layout), graph_(graph) {
    const std::size_t num_groups = costs.tensor_flows.size();
    passes_.resize(num_groups);
    after_pass_.resize(num_groups);
    hooks_.forward_begin.resize(num_groups);
    hooks_.backward_end.resize(num_groups);
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
           direction(pass);
  }

  [[nodiscard]] std::size_t layer_of(int chunk, int i) const {
    return static_cast<std::size_t>(chunk) * static_cast<std::size_t>(layout_.layers_per_chunk) +
           static_cast<std::size_t>(i);
  }

  StageParts stage_parts(int stage) {
    const StageCosts& stage_costs = costs_.stages[static_cast<std::size_t>(stage)];
    const auto part = [&](const LayerPass& pass) {
      return PartCost{pass, graph_.add_compute_cost(pass.compute)};
    };
    StageParts parts;
    for (const std::size_t d : {0U, 1U}) {
      const auto& layers = d == 0 ? stage_costs.forward : stage_costs.backward;
      for (int chunk = 0; chunk < layout_.virtual_stages; ++chunk) {
        LayerPass sum;
        for (int i = 0; i < layout_.layers_per_chunk; ++i) sum += layers[layer_of(chunk, i)];
        parts.chunks[d].push_back(part(sum));
      }
      for (const LayerPass& layer : layers) parts.layers[d].push_back(part(layer));
    }
    return parts;
  }

  /// All passes of a group, one behind the other.
  void add_stream(int stage, int replica, const StageParts& parts) {
    const std::size_t group = costs_.group(stage, replica);
    const auto order = models::pipeline_order(layout_, stage);
    passes_[group].resize(order.size());
    after_pass_[group].assign(order.size(), kNoOp);
    hooks_.forward_begin[group].assign(parts.layers[0].size(), kNoOp);
    hooks_.backward_end[group].assign(parts.layers[1].size(), kNoOp);
    OpId previous = kNoOp;
    std::size_t previous_pass = 0;
    for (const models::Pass& pass : order) {
      const PassOps ops = add_pass(group, pass, parts, previous);
      passes_[group][pass_index(pass)] = ops;
      if (previous != kNoOp) after_pass_[group][previous_pass] = ops.begin;
      previous = ops.end;
      previous_pass = pass_index(pass);
    }
  }

  /// Whether buckets of gradients or parameters go along with a pass, layer by layer.
  [[nodiscard]] bool carries_buckets(const models::Pass& pass) const {
    if (pass.forward) {
      return pass.microbatch == 0 && costs_.gathers_parameters && costs_.overlap_parameter_gather;
    }
    return pass.microbatch == layout_.num_microbatches - 1 && layout_.dp > 1 &&
           costs_.overlap_gradient_reduce;
  }

  PassOps add_pass(std::size_t group, const models::Pass& pass, const StageParts& parts,
                   OpId previous) {
    if (!carries_buckets(pass)) {
      return add_part(group, parts.chunks[direction(pass)][static_cast<std::size_t>(pass.chunk)],
                      previous);
    }
    PassOps ops;
    for (int i = 0; i < layout_.layers_per_chunk; ++i) {
      const std::size_t layer =
          layer_of(pass.chunk, pass.forward ? i : layout_.layers_per_chunk - 1 - i);
      const PassOps part = add_part(group, parts.layers[direction(pass)][layer], previous);
      if (ops.begin == kNoOp) ops.begin = part.begin;
      if (pass.forward) {
        hooks_.forward_begin[group][layer] = part.begin;
      } else {
        hooks_.backward_end[group][layer] = part.end;
      }
      previous = ops.end = part.end;
    }
    return ops;
  }

  /// Time on the group's accelerators, which may be slow ones.
  [[nodiscard]] core::StepTime compute_time(std::size_t group, const PartCost& cost) const {
    return core::ticks_at_or_after<core::StepTime>(cost.pass.compute.total() / costs_.speed(group));
  }

  /// Appends compute and then its tensor-parallel communication to the group's stream.
  PassOps add_part(std::size_t group, const PartCost& cost, OpId previous) {
    const OpId compute = graph_.add({.kind = OpKind::kCompute,
                                     .group = static_cast<std::int32_t>(group),
                                     .compute = cost.compute,
                                     .delay = compute_time(group, cost)});
    graph_.add_edge(previous, compute);
    graph_.append_to_stream(compute);
    const int num_all_reduces = cost.pass.num_all_reduces;
    if (num_all_reduces == 0) return {compute, compute};
    const models::CollectiveFlow& flow = costs_.tensor_flows[group];
    const OpId reduce =
        graph_.add_transfer(OpKind::kTensorParallel, group, flow, flow.latency * num_all_reduces,
                            num_all_reduces * costs_.tensor_bytes);
    graph_.add_edge(compute, reduce);
    graph_.append_to_stream(reduce);
    return {compute, reduce};
  }

  /// Where a pass's result goes: the stage and the pass that consumes it there; false at the ends.
  bool consumer(int stage, const models::Pass& pass, int& to_stage, models::Pass& to) const {
    to = pass;
    to_stage = stage + (pass.forward ? 1 : -1);
    if (to_stage == layout_.pp) {
      to_stage = 0;
      ++to.chunk;
    } else if (to_stage < 0) {
      to_stage = layout_.pp - 1;
      --to.chunk;
    }
    return to.chunk >= 0 && to.chunk < layout_.virtual_stages;
  }

  /// Sends each pass's result on, in order in each direction. Without overlap the stage waits for
  /// its send before it computes on.
  void add_transfers(int stage, int replica) {
    const std::size_t group = costs_.group(stage, replica);
    std::array<OpId, 2> previous{kNoOp, kNoOp};
    for (const models::Pass& pass : models::pipeline_order(layout_, stage)) {
      int to_stage = 0;
      models::Pass to;
      if (!consumer(stage, pass, to_stage, to)) continue;
      const auto& flow = pass.forward ? costs_.send_forward[group] : costs_.send_backward[group];
      const OpId send = graph_.add_transfer(OpKind::kPipelineTransfer, group, flow, flow.latency,
                                            costs_.send_bytes);
      graph_.add_edge(passes_[group][pass_index(pass)].end, send);
      graph_.add_edge(previous[direction(pass)], send);
      graph_.add_edge(send, passes_[costs_.group(to_stage, replica)][pass_index(to)].begin);
      if (!costs_.overlap_pipeline) graph_.add_edge(send, after_pass_[group][pass_index(pass)]);
      previous[direction(pass)] = send;
    }
  }

  const StepCosts& costs_;
  const models::Layout& layout_;
  Graph& graph_;
  PassHooks hooks_;
  std::vector<std::vector<PassOps>> passes_;   ///< by group and pass_index
  std::vector<std::vector<OpId>> after_pass_;  ///< the operation next in the group's stream
};

}  // namespace

PassHooks add_passes(const StepCosts& costs, Graph& graph) {
  return PassBuilder(costs, graph).build();
}

}  // namespace railwright::planner
