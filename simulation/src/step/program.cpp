// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/program.hpp"

#include "graph.hpp"
#include "layer_sync.hpp"
#include "passes.hpp"

namespace railwright::simulation {

namespace {

/// Adds data parallelism and the optimizer around the passes.
class SyncBuilder {
 public:
  SyncBuilder(const StepCosts& costs, const PassHooks& hooks, Graph& graph)
      : costs_(costs), layout_(costs.layout), hooks_(hooks), graph_(graph) {}

  void build() {
    std::vector<OpId> before_norm;
    for (int stage = 0; stage < layout_.pp; ++stage) {
      const StageCosts& stage_costs = costs_.stages[static_cast<std::size_t>(stage)];
      for (const ParameterSync& sync : stage_costs.syncs) {
        if (!costs_.reduces_every_microbatch) before_norm.push_back(reduce_gradients(stage, sync));
      }
      for (int replica = 0; replica < costs_.num_replicas; ++replica) {
        before_norm.push_back(graph_.last_of_stream(costs_.group(stage, replica)));
      }
    }
    const OpId norm = graph_.add({.kind = OpKind::kBarrier, .delay = {}});
    for (const OpId op : before_norm) graph_.add_edge(op, norm);
    for (const OpId op : add_layer_syncs(costs_, hooks_, graph_)) graph_.add_edge(op, norm);
    for (int stage = 0; stage < layout_.pp; ++stage) add_optimizers(stage, norm);
    if (!costs_.gathers_parameters || costs_.gathers_every_pass) return;
    for (int stage = 0; stage < layout_.pp; ++stage) {
      for (const ParameterSync& sync : costs_.stages[static_cast<std::size_t>(stage)].syncs) {
        gather_parameters(stage, sync);
      }
    }
  }

 private:
  /// Calls visit(group, offset) for all groups that hold a stage's parameters; there a layer is
  /// `offset` places further on.
  template <typename Visit>
  void for_each_holder(int stage, Visit visit) const {
    for (int replica = 0; replica < costs_.num_replicas; ++replica) {
      visit(costs_.group(stage, replica), 0);
      if (layout_.num_directions() == 1) continue;
      visit(costs_.group(layout_.pp - 1 - stage, replica), layout_.layers_per_chunk);
    }
  }

  [[nodiscard]] std::size_t moved(int place, int by) const {
    return static_cast<std::size_t>((place + by) % layout_.layers_per_stage());
  }

  /// Reduces a stage's gradients bucket by bucket; returns the last reduction.
  OpId reduce_gradients(int stage, const ParameterSync& sync) {
    const models::CollectiveFlow& flow = sync.gradient_sync;
    const std::size_t last_microbatch =
        static_cast<std::size_t>(layout_.microbatches_per_chunk() - 1) *
        static_cast<std::size_t>(layout_.layers_per_stage());
    OpId previous = kNoOp;
    for (const Bucket& bucket : sync.buckets) {
      const OpId op = graph_.add_transfer(OpKind::kGradientReduce, costs_.group(stage, 0), flow,
                                          flow.latency * bucket.num_calls, bucket.gradient_bytes);
      graph_.add_edge(previous, op);
      for_each_holder(stage, [&](std::size_t group, int by) {
        graph_.add_edge(
            costs_.overlap_gradient_reduce
                ? hooks_.backward[group][last_microbatch + moved(bucket.first_layer, by)].end
                : graph_.last_of_stream(group),
            op);
      });
      previous = op;
    }
    return previous;
  }

  void add_optimizers(int stage, OpId norm) {
    const core::Duration time = costs_.stages[static_cast<std::size_t>(stage)].optimizer;
    for (int replica = 0; replica < costs_.num_replicas; ++replica) {
      const std::size_t group = costs_.group(stage, replica);
      const OpId op = graph_.add(
          {.kind = OpKind::kOptimizer,
           .group = static_cast<std::int32_t>(group),
           .delay = core::ticks_at_or_after<core::StepTime>(time / costs_.speed(group))});
      graph_.add_edge(norm, op);
      graph_.append_to_stream(group, op);
    }
  }

  /// Gathers a stage's parameters in the order a forward pass needs them: during the first forward
  /// pass, or after the optimizer.
  void gather_parameters(int stage, const ParameterSync& sync) {
    const models::CollectiveFlow& flow = sync.parameter_gather;
    OpId previous = kNoOp;
    for (auto bucket = sync.buckets.rbegin(); bucket != sync.buckets.rend(); ++bucket) {
      const OpId op =
          graph_.add_transfer(OpKind::kParameterGather, costs_.group(stage, 0), flow,
                              flow.latency * bucket->num_calls, bucket->parameter_bytes);
      graph_.add_edge(previous, op);
      for_each_holder(stage, [&](std::size_t group, int by) {
        if (!costs_.overlap_parameter_gather) {
          if (previous == kNoOp) graph_.add_edge(graph_.last_of_stream(group), op);
          return;
        }
        for (int layer = bucket->first_layer; layer <= bucket->last_layer; ++layer) {
          graph_.add_edge(op, hooks_.forward[group][moved(layer, by)].begin);
        }
      });
      previous = op;
    }
  }

  const StepCosts& costs_;
  const models::Layout& layout_;
  const PassHooks& hooks_;
  Graph& graph_;
};

}  // namespace

Program make_program(const StepCosts& costs) {
  Graph graph(costs.num_groups());
  const PassHooks hooks = add_passes(costs, graph);
  SyncBuilder(costs, hooks, graph).build();
  Program program = graph.finish();
  const models::Layout& layout = costs.layout;
  program.overlap_slowdown = costs.overlap_slowdown;
  for (std::int32_t stage = 0; stage < layout.pp; ++stage) {
    program.stage_of_group.insert(program.stage_of_group.end(),
                                  static_cast<std::size_t>(costs.num_replicas), stage);
    program.partner_of_stage.push_back(layout.num_directions() == 2 ? layout.pp - 1 - stage
                                                                    : stage);
  }
  return program;
}

}  // namespace railwright::simulation
