// SPDX-License-Identifier: Apache-2.0
#include "rank_nodes.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railwright::output::chakra {

namespace {

constexpr std::int32_t kNobody = -1;

class Builder {
 public:
  Builder(const simulation::StepCosts& costs, const simulation::Program& program,
          const simulation::Execution& execution, const Calls& calls)
      : costs_(costs), program_(program), execution_(execution), calls_(calls) {
    nodes_.resize(costs.num_groups());
    ends_.resize(costs.num_groups());
  }

  std::vector<std::vector<Node>> build() {
    find_predecessors();
    find_receivers();
    for (const simulation::OpId id : in_order()) add(id);
    if (costs_.overhead > core::Duration{}) {
      for (std::vector<Node>& nodes : nodes_) add_overhead(nodes);
    }
    return std::move(nodes_);
  }

 private:
  using Ends = std::vector<std::uint32_t>;

  void find_predecessors() {
    predecessors_.resize(program_.ops.size());
    for (simulation::OpId id = 0; id < program_.ops.size(); ++id) {
      for (const simulation::OpId next : program_.successors_of(id))
        predecessors_[next].push_back(id);
    }
  }

  /// Finds the receiver of each transfer between stages, and its number among its sender's.
  void find_receivers() {
    receivers_.assign(program_.ops.size(), kNobody);
    tags_.assign(program_.ops.size(), 0);
    std::vector<int> num_sent(costs_.num_groups());
    for (simulation::OpId id = 0; id < program_.ops.size(); ++id) {
      const simulation::Op& op = program_.ops[id];
      if (op.kind != simulation::OpKind::kPipelineTransfer) continue;
      tags_[id] = num_sent[static_cast<std::size_t>(op.group)]++;
      for (const simulation::OpId next : program_.successors_of(id)) {
        const simulation::Op& consumer = program_.ops[next];
        if (consumer.group != op.group) receivers_[id] = consumer.group;
      }
    }
  }

  /// Orders operations by start; among simultaneous ones each follows those that it waits for.
  [[nodiscard]] std::vector<simulation::OpId> in_order() const {
    std::vector<std::uint32_t> waits_for = program_.num_predecessors;
    std::vector<simulation::OpId> order;
    order.reserve(waits_for.size());
    for (simulation::OpId id = 0; id < waits_for.size(); ++id) {
      if (waits_for[id] == 0) order.push_back(id);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const simulation::OpId next : program_.successors_of(order[i])) {
        if (--waits_for[next] == 0) order.push_back(next);
      }
    }
    std::ranges::stable_sort(order, {}, [&](simulation::OpId id) { return execution_.start[id]; });
    return order;
  }

  void add(simulation::OpId id) {
    const simulation::Op& op = program_.ops[id];
    const auto group = static_cast<std::size_t>(op.group);
    switch (op.kind) {
      case simulation::OpKind::kPipelineTransfer:
        add_to(group, id, {transfer(id, NodeType::kSend)});
        add_to(static_cast<std::size_t>(receivers_[id]), id, {transfer(id, NodeType::kReceive)});
        return;
      case simulation::OpKind::kBarrier:
        for (std::size_t g = 0; g < nodes_.size(); ++g) add_to(g, id, calls_.of(op));
        return;
      case simulation::OpKind::kGradientReduce:
      case simulation::OpKind::kParameterGather:
        add_to_stage(calls_.sync_of(op).stage, id);
        return;
      default:
        for (const std::int32_t member : program_.groups_of(op)) {
          add_to(static_cast<std::size_t>(member), id, calls_.of(op));
        }
    }
  }

  [[nodiscard]] Node transfer(simulation::OpId id, NodeType type) const {
    const simulation::Op& op = program_.ops[id];
    const std::int32_t peer = type == NodeType::kSend ? receivers_[id] : op.group;
    return {.type = type,
            .kind = op.kind,
            .bytes = op.bytes,
            .peer_stage = peer / costs_.num_replicas,
            .tag = tags_[id]};
  }

  /// Adds an operation to all groups that hold the parameters of a stage.
  void add_to_stage(int stage, simulation::OpId id) {
    const std::vector<Node> calls = calls_.of(program_.ops[id]);
    const int mirrored = costs_.layout.pp - 1 - stage;
    for (int replica = 0; replica < costs_.num_replicas; ++replica) {
      add_to(costs_.group(stage, replica), id, calls);
      if (costs_.layout.num_directions() == 2) add_to(costs_.group(mirrored, replica), id, calls);
    }
  }

  /// A node waits only for nodes of its own group; a collective or transfer links it to the others.
  void add_to(std::size_t group, simulation::OpId id, std::vector<Node> calls) {
    Ends before;
    for (const simulation::OpId one : predecessors_[id]) {
      const auto found = ends_[group].find(one);
      if (found == ends_[group].end()) continue;
      before.insert(before.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(before);
    before.erase(std::ranges::unique(before).begin(), before.end());
    const core::StepTime start = execution_.start[id];
    const std::int64_t all = (execution_.end[id] - start).count;
    const auto count = static_cast<std::int64_t>(calls.size());
    for (std::int64_t i = 0; i < count; ++i) {
      Node& node = calls[static_cast<std::size_t>(i)];
      node.start = {start.count + all / count * i};
      if (node.type != NodeType::kCompute) node.duration = {all / count};
      node.waits_for = std::exchange(before, {static_cast<std::uint32_t>(nodes_[group].size())});
      nodes_[group].push_back(std::move(node));
    }
    ends_[group][id] = std::move(before);
  }

  void add_overhead(std::vector<Node>& nodes) const {
    std::vector<bool> is_last(nodes.size(), true);
    for (const Node& node : nodes) {
      for (const std::uint32_t one : node.waits_for) is_last[one] = false;
    }
    Node overhead{.type = NodeType::kCompute,
                  .kind = simulation::OpKind::kJoin,
                  .start = execution_.end[execution_.last],
                  .duration = core::ticks_at_or_after<core::StepTime>(costs_.overhead)};
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (is_last[i]) overhead.waits_for.push_back(i);
    }
    nodes.push_back(std::move(overhead));
  }

  const simulation::StepCosts& costs_;
  const simulation::Program& program_;
  const simulation::Execution& execution_;
  const Calls& calls_;
  std::vector<std::vector<simulation::OpId>> predecessors_;
  std::vector<std::int32_t> receivers_;  ///< receiving group, for transfers between stages
  std::vector<int> tags_;
  std::vector<std::vector<Node>> nodes_;  ///< indexed by group
  std::vector<std::unordered_map<simulation::OpId, Ends>>
      ends_;  ///< indexed by group: last nodes of each operation
};

}  // namespace

std::vector<std::vector<Node>> rank_nodes(const simulation::StepCosts& costs,
                                          const simulation::Program& program,
                                          const simulation::Execution& execution,
                                          const Calls& calls) {
  return Builder(costs, program, execution, calls).build();
}

}  // namespace railwright::output::chakra
