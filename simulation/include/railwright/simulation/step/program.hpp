// SPDX-License-Identifier: Apache-2.0
// One optimizer step as operations with dependencies.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/sim/time.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

using OpId = std::uint32_t;

enum class OpKind : std::uint8_t {
  kCompute,
  kTensorParallel,
  kExpertParallel,
  kContextParallel,
  kPipelineTransfer,
  kGradientReduce,
  kParameterGather,
  kOptimizer,
  kBarrier,  ///< the gradient norm that every optimizer waits for; takes no time of its own
  kJoin,  ///< the end of a computation and of the calls that overlap with it; takes no time either
};

/// The pass of a micro-batch through a chunk of the model that an operation belongs to.
enum class OpPass : std::uint8_t {
  kNone,
  kForward,
  kBackward,
  kInputGradient,
  kWeightGradient,
  kForwardAndBackward,  ///< of two micro-batches together
};
struct PassMark {
  OpPass pass = OpPass::kNone;
  std::int16_t chunk = 0;
  std::int32_t microbatch = 0;
};

/// One operation: first `delay` (the compute time, or the latency of a transfer), then `bytes`
/// along `flow`.
struct Op {
  OpKind kind = OpKind::kCompute;
  std::int32_t group = 0;     ///< the tensor-parallel group (stage, replica) it runs on
  std::int32_t compute = -1;  ///< index into Program::compute_costs
  std::int32_t flow = -1;     ///< index into Program::flows
  std::int32_t circle = -1;   ///< index into Program::circles; -1: its group alone
  core::StepTime delay;
  std::int64_t bytes = 0;
};

struct Program {
  std::vector<Op> ops;
  std::vector<PassMark> marks;                 ///< of each operation
  std::vector<std::uint32_t> first_successor;  ///< ops.size() + 1 offsets into `successors`
  std::vector<OpId> successors;
  std::vector<std::uint32_t> num_predecessors;
  std::vector<const models::CollectiveFlow*> flows;  ///< owned by the StepCosts or `merged`
  std::deque<models::CollectiveFlow> merged;         ///< flows of circles
  std::vector<std::vector<std::int32_t>> circles;    ///< groups that call together
  std::vector<models::ComputeCost> compute_costs;
  /// Operations of each group's compute stream, in order; indexed by StepCosts::group.
  std::vector<std::vector<OpId>> streams;
  /// Stage of each group, and for each stage the other one that holds its parameters, or itself.
  std::vector<std::int32_t> stage_of_group;
  std::vector<std::int32_t> partner_of_stage;
  /// Factor on the time of computation while its stage's gradients or parameters are under way.
  double overlap_slowdown = 1.0;

  [[nodiscard]] std::span<const OpId> successors_of(OpId op) const {
    return {successors.data() + first_successor[op], successors.data() + first_successor[op + 1]};
  }
  /// Returns all groups that run an operation.
  [[nodiscard]] std::span<const std::int32_t> groups_of(const Op& op) const {
    if (op.circle < 0) return {&op.group, 1};
    return circles[static_cast<std::size_t>(op.circle)];
  }
};

/// Builds the program of a steady step, from the start of the first forward pass to the end of the
/// optimizer (or of the parameter gather after it, if that does not overlap with the next step's
/// first forward pass). `costs` must outlive the program.
Program make_program(const StepCosts& costs);

}  // namespace railwright::simulation
