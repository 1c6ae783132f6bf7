// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/error.hpp"

namespace railwright::output::chakra {

namespace {

/// Bytes of the gradient norm: one number in 32 bits.
constexpr std::int64_t kNormBytes = 4;

std::int64_t rounded_up(std::int64_t bytes, std::int64_t parts) {
  return core::ceil_div(bytes, parts);
}

/// Size of the i-th of n parts that differ by at most one byte.
std::int64_t part(std::int64_t bytes, std::int64_t i, std::int64_t n) {
  return bytes / n + (i < bytes % n ? 1 : 0);
}

/// Counts the successive calls that an operation of a flow stands for.
std::int64_t num_calls(const simulation::Op& op, const models::CollectiveFlow& flow) {
  if (flow.latency == core::Duration{}) return 1;
  return std::max<std::int64_t>(1, std::llround(op.delay.duration() / flow.latency));
}

}  // namespace

std::vector<Node> Calls::of(const simulation::Op& op) const {
  switch (op.kind) {
    case simulation::OpKind::kCompute:
    case simulation::OpKind::kOptimizer:
      return {Node{.type = NodeType::kCompute, .kind = op.kind, .duration = op.delay}};
    case simulation::OpKind::kTensorParallel:
      return tensor_calls(op);
    case simulation::OpKind::kExpertParallel:
      return same_calls(op, simulation::LayerCall::kExpert, Collective::kAllToAll, Role::kExpert);
    case simulation::OpKind::kContextParallel:
      return same_calls(
          op, simulation::LayerCall::kContext,
          costs_.calls[static_cast<std::size_t>(simulation::LayerCall::kContext)].is_swap
              ? Collective::kAllToAll
              : Collective::kAllGather,
          Role::kContext);
    case simulation::OpKind::kGradientReduce:
    case simulation::OpKind::kParameterGather:
      return sync_calls(op);
    case simulation::OpKind::kBarrier:
      if (groups_.size(Role::kAll) == 1) return {};
      return {collective(op, Collective::kAllReduce, Role::kAll, kNormBytes)};
    case simulation::OpKind::kPipelineTransfer:
    case simulation::OpKind::kJoin:
      break;
  }
  return {};
}

/// `bytes` is the whole buffer; in an all-gather a rank contributes its share of it.
Node Calls::collective(const simulation::Op& op, Collective collective, Role role,
                       std::int64_t bytes) const {
  const bool is_gather = collective == Collective::kAllGather;
  return {.type = NodeType::kCollective,
          .kind = op.kind,
          .collective = collective,
          .role = role,
          .bytes = is_gather ? rounded_up(bytes, groups_.size(role)) : bytes};
}

/// With sequence parallelism a reduce-scatter and an all-gather replace an all-reduce. Half an
/// all-reduce in the operation's bytes is an all-gather.
std::vector<Node> Calls::tensor_calls(const simulation::Op& op) const {
  const std::int64_t bytes =
      costs_.calls[static_cast<std::size_t>(simulation::LayerCall::kTensor)].bytes;
  const auto halves =
      std::llround(2.0 * static_cast<double>(op.bytes) / static_cast<double>(bytes));
  std::vector<Node> calls;
  const auto add = [&](Collective type) {
    calls.push_back(collective(op, type, Role::kTensor, bytes));
  };
  for (std::int64_t i = 0; i < halves / 2; ++i) {
    if (!costs_.layout.sequence_parallel) {
      add(Collective::kAllReduce);
      continue;
    }
    add(Collective::kReduceScatter);
    add(Collective::kAllGather);
  }
  if (halves % 2 == 1) add(Collective::kAllGather);
  return calls;
}

std::vector<Node> Calls::same_calls(const simulation::Op& op, simulation::LayerCall call,
                                    Collective type, Role role) const {
  const std::int64_t bytes = costs_.calls[static_cast<std::size_t>(call)].bytes;
  const auto count = std::llround(static_cast<double>(op.bytes) / static_cast<double>(bytes));
  return {static_cast<std::size_t>(count), collective(op, type, role, bytes)};
}

Calls::Sync Calls::sync_of(const simulation::Op& op) const {
  const models::CollectiveFlow* flow = program_.flows[static_cast<std::size_t>(op.flow)];
  for (int stage = 0; stage < costs_.layout.pp; ++stage) {
    for (const simulation::ParameterSync& sync :
         costs_.stages[static_cast<std::size_t>(stage)].syncs) {
      if (flow == &sync.gradient_sync || flow == &sync.parameter_gather) {
        return {.stage = stage, .of_experts = sync.of_experts};
      }
    }
  }
  throw core::SimulationError("a collective of no stage");
}

std::vector<Node> Calls::sync_calls(const simulation::Op& op) const {
  const bool of_experts = sync_of(op).of_experts;
  const Role within = of_experts ? Role::kExpertsWithin : Role::kDenseWithin;
  const Role across = of_experts ? Role::kExpertsAcross : Role::kDenseAcross;
  const Role gather = of_experts ? Role::kExpertsGather : Role::kDenseGather;
  const bool reduces = op.kind == simulation::OpKind::kGradientReduce;
  const std::int64_t shards = groups_.size(within);
  if (shards == 1 && groups_.size(across) == 1) {
    if (!(reduces ? traits_.offloads_optimizer : traits_.offloads_parameters)) return {};
    return {Node{.type = reduces ? NodeType::kMemoryStore : NodeType::kMemoryLoad,
                 .kind = op.kind,
                 .bytes = op.bytes}};
  }
  const std::int64_t count = num_calls(op, *program_.flows[static_cast<std::size_t>(op.flow)]);
  std::vector<Node> calls;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t bytes = part(op.bytes, i, count);
    if (shards > 1) {
      const Collective type = !reduces            ? Collective::kAllGather
                              : traits_.is_spread ? Collective::kReduceScatter
                                                  : Collective::kAllReduce;
      calls.push_back(collective(op, type, reduces ? within : gather, bytes));
    }
    if (reduces && groups_.size(across) > 1) {
      calls.push_back(collective(op, Collective::kAllReduce, across, rounded_up(bytes, shards)));
    }
  }
  return calls;
}

}  // namespace railwright::output::chakra
