// SPDX-License-Identifier: Apache-2.0
// The operations of a step and what they wait for.
#include "railwright/simulation/step/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;

std::int64_t count(const Program& program, OpKind kind) {
  return std::ranges::count(program.ops, kind, &Op::kind);
}

TEST(Program, SendsEveryBoundaryOfEveryMicrobatchBothWays) {
  const BuiltScenario built(test::llama_2_70b());
  const Program program = make_program(built.costs);
  // 3 replicas, 48 micro-batches, 4 * 20 - 1 boundaries, forward and backward.
  EXPECT_EQ(count(program, OpKind::kPipelineTransfer), 3 * 48 * 79 * 2);
  EXPECT_EQ(count(program, OpKind::kBarrier), 1);
  EXPECT_EQ(count(program, OpKind::kOptimizer), 12);
}

TEST(Program, ReducesAndGathersEveryBucketOnce) {
  for (const bool overlap : {true, false}) {
    const BuiltScenario built(test::join(test::llama_2_70b(), test::overlaps(overlap)));
    std::int64_t buckets = 0;
    for (const StageCosts& stage : built.costs.stages) {
      buckets += static_cast<std::int64_t>(stage.syncs.at(0).buckets.size());
    }
    const Program program = make_program(built.costs);
    EXPECT_EQ(count(program, OpKind::kGradientReduce), buckets);
    EXPECT_EQ(count(program, OpKind::kParameterGather), buckets);
  }
}

/// Each boundary of each direction once each way; buckets of both copies of a layer once.
TEST(Program, SendsAndReducesFromBothEndsUnderDualPipe) {
  const auto settings = test::join(
      test::llama_2_70b(), {"parallelism.virtual_stages=1", "parallelism.schedule=dualpipe"});
  const BuiltScenario built(settings);
  const BuiltScenario plain(test::join(settings, {"parallelism.schedule=1f1b"}));
  const Program program = make_program(built.costs);
  EXPECT_EQ(count(program, OpKind::kPipelineTransfer),
            count(make_program(plain.costs), OpKind::kPipelineTransfer));
  const auto gradient_bytes = [](const StepCosts& costs) {
    std::int64_t bytes = 0;
    for (const StageCosts& stage : costs.stages) {
      for (const ParameterSync& sync : stage.syncs) {
        for (const Bucket& bucket : sync.buckets) bytes += bucket.gradient_bytes;
      }
    }
    return bytes;
  };
  EXPECT_NEAR(static_cast<double>(gradient_bytes(built.costs)),
              static_cast<double>(gradient_bytes(plain.costs)), 16.0);
  EXPECT_LT(simulate_step(built.costs).breakdown[Cause::kPipelineBubble],
            simulate_step(plain.costs).breakdown[Cause::kPipelineBubble]);
}

/// Within a node, and over two of them: the way between nodes is part of every call's latency.
TEST(Execution, TensorParallelCallsTakeTheTimeOfTheirGroup) {
  core::Duration in_node;
  for (const int tp : {8, 16}) {
    const BuiltScenario built(test::join(
        test::overlaps(false), {"cluster.nodes=4", "parallelism.tp=" + std::to_string(tp)}));
    std::vector<int> members(static_cast<std::size_t>(tp));
    std::iota(members.begin(), members.end(), 0);
    const models::CollectiveFlow call =
        models::Communicator(built.built.fabric, members,
                             built.checked.scenario.software.collectives)
            .flow(models::CollectiveOp::kAllReduce, 2.0 * 4096 * 4096);
    std::vector<core::LinkUse> way;
    built.built.fabric.append_route(0, tp - 1, 0, way);
    const core::Duration between = built.built.fabric.latency(std::span<const core::LinkUse>(way));
    if (tp == 8) {
      in_node = call.latency;
    } else {
      EXPECT_GT(call.latency, in_node + between * 2.0);
    }

    const Program program = make_program(built.costs);
    const Execution execution = execute(program, built.costs.capacity);
    const double one = models::isolated_time(call, 2.0 * 4096 * 4096, built.costs.capacity).base();
    int num_calls = 0;
    for (OpId op = 0; op < program.ops.size(); ++op) {
      if (program.ops[op].kind != OpKind::kTensorParallel) continue;
      const double calls = static_cast<double>(program.ops[op].bytes) / (2.0 * 4096 * 4096);
      const core::Duration time = (execution.end[op] - execution.start[op]).duration();
      EXPECT_NEAR(time.base() / (calls * one), 1.0, 1e-9) << tp;
      ++num_calls;
    }
    EXPECT_GT(num_calls, 0);
  }
}

TEST(Execution, StartsNothingBeforeWhatItWaitsFor) {
  for (const auto& settings : {test::Settings{}, test::llama_2_70b()}) {
    const BuiltScenario built(settings);
    const Program program = make_program(built.costs);
    const Execution execution = execute(program, built.costs.capacity);
    for (OpId op = 0; op < program.ops.size(); ++op) {
      EXPECT_LE(execution.start[op], execution.end[op]);
      for (const OpId next : program.successors_of(op)) {
        EXPECT_LE(execution.end[op], execution.start[next]);
      }
      const OpId cause = execution.waited_for[op];
      if (cause != Execution::kNobody) {
        EXPECT_EQ(execution.end[cause], execution.start[op]);
      }
    }
  }
}

/// With gradients of one bucket, its reduction starts when the last backward pass is over.
TEST(Execution, OneBucketWaitsForTheWholeBackwardPass) {
  const BuiltScenario built({"software.bucket={value: 1 TB, source: test}"});
  const Program program = make_program(built.costs);
  const Execution execution = execute(program, built.costs.capacity);
  core::StepTime last_pass{};
  core::StepTime reduce{};
  for (OpId op = 0; op < program.ops.size(); ++op) {
    const OpKind kind = program.ops[op].kind;
    if (kind == OpKind::kCompute || kind == OpKind::kTensorParallel) {
      last_pass = std::max(last_pass, execution.end[op]);
    }
    if (kind == OpKind::kGradientReduce) reduce = execution.start[op];
  }
  EXPECT_EQ(reduce, last_pass);
}

TEST(Execution, ParameterGatherOverlapsTheFirstForwardPass) {
  const BuiltScenario on({"software.overlap_parameter_gather=true"});
  const Program program = make_program(on.costs);
  const Execution execution = execute(program, on.costs.capacity);
  bool found = false;
  for (OpId op = 0; op < program.ops.size(); ++op) {
    if (program.ops[op].kind != OpKind::kParameterGather) continue;
    found = found || execution.start[op] == core::StepTime{};
    EXPECT_LT(execution.end[op], execution.end[execution.last]);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace railwright::simulation
