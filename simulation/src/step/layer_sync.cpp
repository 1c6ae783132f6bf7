// SPDX-License-Identifier: Apache-2.0
#include "layer_sync.hpp"

namespace railwright::simulation {

namespace {

/// A layer's part of a pass on every replica.
struct LayerOfPass {
  bool forward = true;
  bool reduces = false;
  std::size_t layer = 0;
  std::size_t hook = 0;
};

class LayerSyncs {
 public:
  LayerSyncs(const StepCosts& costs, const PassHooks& hooks, Graph& graph)
      : costs_(costs), hooks_(hooks), graph_(graph) {}

  std::vector<OpId> build() {
    std::vector<OpId> last;
    const auto parts = all_parts();
    for (const ParameterSync& sync : costs_.stages.front().syncs) {
      if (costs_.gathers_every_pass) gather(sync, parts);
      last.push_back(reduce(sync, parts));
    }
    return last;
  }

 private:
  /// Returns every layer's part of every pass, in the order of the stage's stream.
  [[nodiscard]] std::vector<LayerOfPass> all_parts() const {
    const auto num_layers = static_cast<std::size_t>(costs_.layout.layers_per_stage());
    const auto num_microbatches = static_cast<std::size_t>(costs_.layout.num_microbatches);
    std::vector<LayerOfPass> parts;
    for (std::size_t m = 0; m < num_microbatches; ++m) {
      const bool reduces = costs_.reduces_every_microbatch || m + 1 == num_microbatches;
      for (std::size_t i = 0; i < num_layers; ++i) {
        parts.push_back({.forward = true, .layer = i, .hook = m * num_layers + i});
      }
      if (costs_.is_forward_alone) continue;
      for (std::size_t i = num_layers; i-- > 0;) {
        parts.push_back(
            {.forward = false, .reduces = reduces, .layer = i, .hook = m * num_layers + i});
      }
    }
    return parts;
  }

  [[nodiscard]] const PassOps& ops(const LayerOfPass& part, std::size_t group) const {
    return (part.forward ? hooks_.forward : hooks_.backward)[group][part.hook];
  }

  /// Whether a part does anything; nothing passes back through a frozen layer.
  [[nodiscard]] bool computes(const LayerOfPass& part) const {
    const StageCosts& stage = costs_.stages.front();
    const LayerPass& pass = (part.forward ? stage.forward : stage.backward)[part.layer];
    return pass.compute.total() > core::Duration{};
  }

  static const Bucket* bucket_of(const ParameterSync& sync, std::size_t layer) {
    for (const Bucket& bucket : sync.buckets) {
      if (bucket.first_layer == static_cast<int>(layer)) return &bucket;
    }
    return nullptr;
  }

  void gather(const ParameterSync& sync, const std::vector<LayerOfPass>& parts) {
    const std::size_t ahead = costs_.overlap_parameter_gather ? 2 : 1;
    const models::CollectiveFlow& flow = sync.parameter_gather;
    OpId previous = kNoOp;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Bucket* bucket = bucket_of(sync, parts[i].layer);
      if (bucket == nullptr || !computes(parts[i])) continue;
      const OpId op =
          graph_.add_transfer(OpKind::kParameterGather, 0, flow, flow.latency * bucket->num_calls,
                              bucket->parameter_bytes);
      graph_.add_edge(previous, op);
      for (std::size_t group = 0; group < costs_.num_groups(); ++group) {
        if (i >= ahead) graph_.add_edge(ops(parts[i - ahead], group).end, op);
        graph_.add_edge(op, ops(parts[i], group).begin);
      }
      previous = op;
    }
  }

  OpId reduce(const ParameterSync& sync, const std::vector<LayerOfPass>& parts) {
    const models::CollectiveFlow& flow = sync.gradient_sync;
    OpId previous = kNoOp;
    if (!costs_.reduces_every_microbatch) return previous;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Bucket* bucket = parts[i].reduces ? bucket_of(sync, parts[i].layer) : nullptr;
      if (bucket == nullptr) continue;
      const OpId op = graph_.add_transfer(OpKind::kGradientReduce, 0, flow,
                                          flow.latency * bucket->num_calls, bucket->gradient_bytes);
      graph_.add_edge(previous, op);
      for (std::size_t group = 0; group < costs_.num_groups(); ++group) {
        graph_.add_edge(ops(parts[i], group).end, op);
        if (costs_.overlap_gradient_reduce || i + 1 == parts.size()) continue;
        graph_.add_edge(op, ops(parts[i + 1], group).begin);
      }
      previous = op;
    }
    return previous;
  }

  const StepCosts& costs_;
  const PassHooks& hooks_;
  Graph& graph_;
};

}  // namespace

std::vector<OpId> add_layer_syncs(const StepCosts& costs, const PassHooks& hooks, Graph& graph) {
  if (!costs.gathers_every_pass && !costs.reduces_every_microbatch) return {};
  return LayerSyncs(costs, hooks, graph).build();
}

}  // namespace railwright::simulation
