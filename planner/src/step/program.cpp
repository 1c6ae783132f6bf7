// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/step/program.hpp"

#include <algorithm>
#include <map>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::planner {

namespace {

constexpr OpId kNoOp = ~OpId{0};

/// First and last operation of a pass.
struct PassOps {
  OpId begin = kNoOp;
  OpId end = kNoOp;
};

class Builder {
 public:
  explicit Builder(const StepCosts& costs)
      : costs_(costs),
        layout_(costs.layout),
        num_groups_(costs.tensor_flows.size()),
        passes_(num_groups_),
        after_pass_(num_groups_),
        forward_begin_(num_groups_),
        backward_end_(num_groups_) {}

  Program build() {
    program_.streams.resize(num_groups_);
    for (int stage = 0; stage < layout_.pp; ++stage) {
      add_chunk_costs(stage);
      for (int data = 0; data < layout_.dp; ++data) add_passes(stage, data);
    }
    if (layout_.pp > 1) {
      for (int stage = 0; stage < layout_.pp; ++stage) {
        for (int data = 0; data < layout_.dp; ++data) add_transfers(stage, data);
      }
    }
    add_gradient_sync_and_optimizer();
    index_successors();
    return std::move(program_);
  }

 private:
  static std::int32_t index32(std::size_t i) { return static_cast<std::int32_t>(i); }

  OpId add_op(Op op) {
    program_.ops.push_back(op);
    return static_cast<OpId>(program_.ops.size() - 1);
  }
  void add_edge(OpId from, OpId to) {
    if (from != kNoOp && to != kNoOp) edges_.emplace_back(from, to);
  }
  std::int32_t flow_index(const models::CollectiveFlow& flow) {
    const auto [it, is_new] = flow_indices_.try_emplace(&flow, index32(program_.flows.size()));
    if (is_new) program_.flows.push_back(&flow);
    return it->second;
  }
  [[nodiscard]] std::size_t pass_index(const models::Pass& pass) const {
    return 2 * (static_cast<std::size_t>(pass.chunk) *
                    static_cast<std::size_t>(layout_.num_microbatches) +
                static_cast<std::size_t>(pass.microbatch)) +
           (pass.forward ? 0 : 1);
  }

  /// A pass's cost with the index of its compute part in the program's table.
  struct PartCost {
    LayerPass pass;
    std::int32_t compute = 0;
  };
  PartCost part(const LayerPass& pass) {
    program_.compute_costs.push_back(pass.compute);
    return {pass, index32(program_.compute_costs.size() - 1)};
  }

  void add_chunk_costs(int stage) {
    const StageCosts& stage_costs = costs_.stages[static_cast<std::size_t>(stage)];
    for (auto& table : {std::ref(chunk_costs_[0]), std::ref(chunk_costs_[1]),
                        std::ref(layer_costs_[0]), std::ref(layer_costs_[1])}) {
      table.get().clear();
    }
    for (const bool forward : {true, false}) {
      const auto& layers = forward ? stage_costs.forward : stage_costs.backward;
      for (int chunk = 0; chunk < layout_.virtual_stages; ++chunk) {
        LayerPass sum;
        for (int i = 0; i < layout_.layers_per_chunk; ++i) sum += layers[layer_of(chunk, i)];
        chunk_costs_[forward ? 0 : 1].push_back(part(sum));
      }
      for (const LayerPass& layer : layers) layer_costs_[forward ? 0 : 1].push_back(part(layer));
    }
  }

  [[nodiscard]] std::size_t layer_of(int chunk, int i) const {
    return static_cast<std::size_t>(chunk * layout_.layers_per_chunk + i);
  }

  /// Appends compute and then its tensor-parallel communication to the group's stream.
  PassOps add_part(std::size_t group, const PartCost& cost, OpId previous) {
    const core::Duration duration = cost.pass.compute.total();
    const OpId compute = add_op({.kind = OpKind::kCompute,
                                 .group = index32(group),
                                 .compute = cost.compute,
                                 .delay = core::ticks_at_or_after<core::StepTime>(duration)});
    add_edge(previous, compute);
    program_.streams[group].push_back(compute);
    if (cost.pass.tensor_bytes == 0) return {compute, compute};
    const models::CollectiveFlow& flow = costs_.tensor_flows[group];
    const OpId reduce =
        add_op({.kind = OpKind::kTensorParallel,
                .group = index32(group),
                .flow = flow_index(flow),
                .delay = core::ticks_at_or_after<core::StepTime>(cost.pass.tensor_latency),
                .bytes = cost.pass.tensor_bytes});
    add_edge(compute, reduce);
    program_.streams[group].push_back(reduce);
    return {compute, reduce};
  }

  void add_passes(int stage, int data) {
    const std::size_t group = costs_.group(stage, data);
    const auto num_layers = costs_.stages[static_cast<std::size_t>(stage)].forward.size();
    const auto order = models::pipeline_order(layout_, stage);
    passes_[group].resize(order.size());
    after_pass_[group].assign(order.size(), kNoOp);
    forward_begin_[group].assign(num_layers, kNoOp);
    backward_end_[group].assign(num_layers, kNoOp);
    OpId previous = kNoOp;
    std::size_t previous_pass = 0;
    for (const models::Pass& pass : order) {
      const PassOps ops = add_pass(group, pass, previous);
      passes_[group][pass_index(pass)] = ops;
      if (previous != kNoOp) after_pass_[group][previous_pass] = ops.begin;
      previous = ops.end;
      previous_pass = pass_index(pass);
    }
  }

  /// Whole, or layer by layer where buckets of gradients or parameters go along with it.
  PassOps add_pass(std::size_t group, const models::Pass& pass, OpId previous) {
    const bool with_gather = pass.forward && pass.microbatch == 0 && costs_.gathers_parameters &&
                             costs_.overlap_parameter_gather;
    const bool with_reduce = !pass.forward && pass.microbatch == layout_.num_microbatches - 1 &&
                             costs_.overlap_gradient_reduce && layout_.dp > 1;
    const int direction = pass.forward ? 0 : 1;
    if (!with_gather && !with_reduce) {
      return add_part(group, chunk_costs_[direction][static_cast<std::size_t>(pass.chunk)],
                      previous);
    }
    PassOps ops;
    for (int i = 0; i < layout_.layers_per_chunk; ++i) {
      const std::size_t layer =
          layer_of(pass.chunk, pass.forward ? i : layout_.layers_per_chunk - 1 - i);
      const PassOps part_ops = add_part(group, layer_costs_[direction][layer], previous);
      if (ops.begin == kNoOp) ops.begin = part_ops.begin;
      (pass.forward ? forward_begin_ : backward_end_)[group][layer] =
          pass.forward ? part_ops.begin : part_ops.end;
      previous = ops.end = part_ops.end;
    }
    return ops;
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

  void add_transfers(int stage, int data) {
    const std::size_t group = costs_.group(stage, data);
    OpId previous[2] = {kNoOp, kNoOp};
    for (const models::Pass& pass : models::pipeline_order(layout_, stage)) {
      int to_stage = 0;
      models::Pass to;
      if (!consumer(stage, pass, to_stage, to)) continue;
      const auto& flow = pass.forward ? costs_.send_forward[group] : costs_.send_backward[group];
      const OpId send = add_op({.kind = OpKind::kPipelineTransfer,
                                .group = index32(group),
                                .flow = flow_index(flow),
                                .delay = core::ticks_at_or_after<core::StepTime>(flow.latency),
                                .bytes = costs_.send_bytes});
      add_edge(passes_[group][pass_index(pass)].end, send);
      add_edge(previous[pass.forward ? 0 : 1], send);
      add_edge(send, passes_[costs_.group(to_stage, data)][pass_index(to)].begin);
      if (!costs_.overlap_pipeline) add_edge(send, after_pass_[group][pass_index(pass)]);
      previous[pass.forward ? 0 : 1] = send;
    }
  }

  OpId add_bucket(OpKind kind, int stage, const models::CollectiveFlow& flow, std::int64_t bytes,
                  OpId previous) {
    const OpId op = add_op({.kind = kind,
                            .group = index32(costs_.group(stage, 0)),
                            .flow = flow_index(flow),
                            .delay = core::ticks_at_or_after<core::StepTime>(flow.latency),
                            .bytes = bytes});
    add_edge(previous, op);
    return op;
  }

  [[nodiscard]] OpId last_of_stream(int stage, int data) const {
    return program_.streams[costs_.group(stage, data)].back();
  }

  /// Reduces a stage's gradients bucket by bucket; returns the last one.
  OpId add_gradient_reduce(int stage) {
    const StageCosts& stage_costs = costs_.stages[static_cast<std::size_t>(stage)];
    OpId previous = kNoOp;
    for (const Bucket& bucket : stage_costs.buckets) {
      const OpId op = add_bucket(OpKind::kGradientReduce, stage, stage_costs.gradient_sync,
                                 bucket.gradient_bytes, previous);
      for (int data = 0; data < layout_.dp; ++data) {
        const auto& ends = backward_end_[costs_.group(stage, data)];
        add_edge(costs_.overlap_gradient_reduce ? ends[static_cast<std::size_t>(bucket.first_layer)]
                                                : last_of_stream(stage, data),
                 op);
      }
      previous = op;
    }
    return previous;
  }

  /// Gathers a stage's parameters in the order a forward pass needs them.
  void add_parameter_gather(int stage, const std::vector<OpId>& optimizers) {
    const StageCosts& stage_costs = costs_.stages[static_cast<std::size_t>(stage)];
    OpId previous = kNoOp;
    for (auto bucket = stage_costs.buckets.rbegin(); bucket != stage_costs.buckets.rend();
         ++bucket) {
      const OpId op = add_bucket(OpKind::kParameterGather, stage, stage_costs.parameter_gather,
                                 bucket->parameter_bytes, previous);
      for (int data = 0; data < layout_.dp; ++data) {
        const std::size_t group = costs_.group(stage, data);
        if (!costs_.overlap_parameter_gather) {
          if (previous == kNoOp) add_edge(optimizers[group], op);
          continue;
        }
        for (int layer = bucket->first_layer; layer <= bucket->last_layer; ++layer) {
          add_edge(op, forward_begin_[group][static_cast<std::size_t>(layer)]);
        }
      }
      previous = op;
    }
  }

  void add_gradient_sync_and_optimizer() {
    std::vector<OpId> before_norm;
    for (int stage = 0; stage < layout_.pp; ++stage) {
      before_norm.push_back(add_gradient_reduce(stage));
      for (int data = 0; data < layout_.dp; ++data) {
        before_norm.push_back(last_of_stream(stage, data));
      }
    }
    const OpId norm = add_op({.kind = OpKind::kBarrier, .delay = {}});
    for (const OpId op : before_norm) add_edge(op, norm);

    std::vector<OpId> optimizers;
    for (int stage = 0; stage < layout_.pp; ++stage) {
      for (int data = 0; data < layout_.dp; ++data) {
        const core::Duration time = costs_.stages[static_cast<std::size_t>(stage)].optimizer;
        const std::size_t group = costs_.group(stage, data);
        optimizers.push_back(add_op({.kind = OpKind::kOptimizer,
                                     .group = index32(group),
                                     .delay = core::ticks_at_or_after<core::StepTime>(time)}));
        program_.streams[group].push_back(optimizers.back());
        add_edge(norm, optimizers.back());
      }
    }
    if (!costs_.gathers_parameters) return;
    for (int stage = 0; stage < layout_.pp; ++stage) add_parameter_gather(stage, optimizers);
  }

  /// Turns the list of edges into successor lists.
  void index_successors() {
    const std::size_t num_ops = program_.ops.size();
    program_.first_successor.assign(num_ops + 1, 0);
    program_.num_predecessors.assign(num_ops, 0);
    for (const auto& [from, to] : edges_) {
      ++program_.first_successor[from + 1];
      ++program_.num_predecessors[to];
    }
    for (std::size_t i = 0; i < num_ops; ++i) {
      program_.first_successor[i + 1] += program_.first_successor[i];
    }
    program_.successors.resize(edges_.size());
    std::vector<std::uint32_t> next(program_.first_successor.begin(),
                                    program_.first_successor.end() - 1);
    for (const auto& [from, to] : edges_) program_.successors[next[from]++] = to;
  }

  const StepCosts& costs_;
  const models::Layout& layout_;
  std::size_t num_groups_;
  Program program_;
  std::vector<std::pair<OpId, OpId>> edges_;
  std::map<const models::CollectiveFlow*, std::int32_t> flow_indices_;
  std::vector<PartCost> chunk_costs_[2];      ///< of the stage at hand: forward, backward; by chunk
  std::vector<PartCost> layer_costs_[2];      ///< the same by layer
  std::vector<std::vector<PassOps>> passes_;  ///< by group and pass_index
  std::vector<std::vector<OpId>> after_pass_;     ///< the operation next in the group's stream
  std::vector<std::vector<OpId>> forward_begin_;  ///< by group and layer, first micro-batch
  std::vector<std::vector<OpId>> backward_end_;   ///< by group and layer, last micro-batch
};

}  // namespace

Program make_program(const StepCosts& costs) { return Builder(costs).build(); }

}  // namespace railwright::planner
