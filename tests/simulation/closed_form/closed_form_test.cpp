// SPDX-License-Identifier: Apache-2.0
// The estimate of pipelines whose time can be written down.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "../step/equal_stages.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::equal_stages;
using test::seconds;

TEST(Estimate, IsExactForEqualStagesAndFreeCommunication) {
  using Shape = std::tuple<int, int, int, int>;
  for (const auto& [pp, v, m, layers] : {Shape{1, 1, 8, 4},
                                         {2, 1, 1, 4},
                                         {4, 1, 8, 2},
                                         {8, 1, 3, 1},
                                         {4, 2, 8, 2},
                                         {4, 20, 48, 1}}) {
    const StepCosts costs = equal_stages(pp, v, m, layers);
    EXPECT_NEAR(estimate_step(costs).total().base(), 0.003 * layers * (m * v + pp - 1), 1e-12);
  }
}

/// Transfers of `each` seconds, on links of their own.
StepCosts with_transfers(StepCosts costs, double each) {
  costs.send_bytes = 1000;
  for (std::size_t stage = 0; stage < costs.stages.size(); ++stage) {
    const auto link = static_cast<core::LinkId>(2 * stage);
    costs.send_forward[stage].route = {{link, 1.0}};
    costs.send_backward[stage].route = {{link + 1, 1.0}};
    costs.capacity.insert(costs.capacity.end(), 2, 1000 / each);
  }
  return costs;
}

/// Stages whose tensor-parallel calls of 1 ms go over a link of their own.
StepCosts with_calls(StepCosts costs, int num_replicas) {
  costs.num_replicas = costs.layout.dp = num_replicas;
  const std::size_t groups = costs.num_groups();
  costs.send_forward.assign(groups, {});
  costs.send_backward.assign(groups, {});
  costs.capacity.assign(groups, 1e6);
  GroupCalls& calls = costs.calls[static_cast<std::size_t>(LayerCall::kTensor)];
  calls.bytes = 1000;
  calls.flows.resize(groups);
  for (std::size_t group = 0; group < groups; ++group) {
    calls.flows[group].route = {{static_cast<core::LinkId>(group), 1.0}};
  }
  for (StageCosts& stage : costs.stages) {
    for (auto* passes : {&stage.forward, &stage.backward}) {
      for (LayerPass& pass : *passes) pass.calls[0] = 1.0;
    }
  }
  return costs;
}

/// Each chunk's buckets slow the calls of the last micro-batch's own pass, in every stage.
TEST(Estimate, CountsTheCallsThatEveryChunksReductionSlows) {
  using Shape = std::tuple<int, int, int>;
  for (const auto& [pp, v, m] : {Shape{4, 1, 8}, {4, 2, 8}, {4, 4, 4}, {8, 4, 16}}) {
    StepCosts costs = with_calls(equal_stages(pp, v, m, 2), 1);
    costs.overlap_gradient_reduce = costs.has_replicas = true;
    for (int stage = 0; stage < pp; ++stage) {
      ParameterSync& sync = costs.stages[static_cast<std::size_t>(stage)].syncs.emplace_back();
      sync.gradient_sync.route = {{static_cast<core::LinkId>(stage), 8.0}};
      for (int place = 2 * v - 1; place >= 0; --place) {
        sync.buckets.push_back({500, 500, place, place});
      }
    }
    EXPECT_NEAR(estimate_step(costs).total() / simulate_step(costs).step_time, 1.0, 1e-3)
        << pp << " " << v << " " << m;
  }
}

/// Each replica is the slowest in another stage: a micro-batch passes one slow stage, not all.
TEST(Estimate, NoReplicaIsTheSlowestInEveryStage) {
  for (const int m : {4, 16}) {
    StepCosts costs = with_calls(equal_stages(4, 1, m, 1), 4);
    for (int i = 0; i < 4; ++i) costs.calls[0].flows[costs.group(i, i)].route[0].coefficient = 4.0;
    const double ratio = estimate_step(costs).total() / simulate_step(costs).step_time;
    EXPECT_GE(ratio, 1.0) << m;
    EXPECT_LE(ratio, 1.08) << m;
  }
}

/// A stage with one link out and one in: what comes from both of its neighbours meets.
StepCosts with_shared_links(StepCosts costs, double each) {
  const auto pp = static_cast<int>(costs.stages.size());
  costs.send_bytes = 1000;
  costs.capacity.assign(2 * costs.stages.size(), 1000 / each);
  for (int stage = 0; stage < pp; ++stage) {
    const auto route = [&](int to) {
      return std::vector<core::LinkUse>{{2 * stage, 1.0}, {2 * ((to + pp) % pp) + 1, 1.0}};
    };
    costs.send_forward[static_cast<std::size_t>(stage)].route = route(stage + 1);
    costs.send_backward[static_cast<std::size_t>(stage)].route = route(stage - 1);
  }
  return costs;
}

TEST(Estimate, TransfersBothWaysMeetWhereTheyTakeLongerThanPasses) {
  using Shape = std::tuple<int, int, int>;
  for (const bool overlap : {false, true}) {
    for (const auto& [pp, v, m] : {Shape{4, 1, 16}, {8, 1, 32}, {16, 1, 64}, {8, 4, 32}}) {
      for (const double transfer : {0.0003, 0.001, 0.003, 0.010}) {
        StepCosts costs = with_shared_links(equal_stages(pp, v, m, 1), transfer);
        costs.overlap_pipeline = overlap;
        EXPECT_NEAR(estimate_step(costs).total() / simulate_step(costs).step_time, 1.0, 0.10)
            << overlap << " " << pp << " " << v << " " << m << " " << transfer;
      }
    }
  }
}

/// Micro-batches leave the pipeline in bursts of p, which hides 1/p of one round trip.
TEST(Estimate, CountsTransfersThatNeverMeetToAPartOfOne) {
  for (const auto& [pp, m] : {std::pair{2, 8}, {4, 8}, {4, 16}, {8, 64}}) {
    for (const double transfer : {0.0001, 0.001}) {
      const StepCosts costs = with_transfers(equal_stages(pp, 1, m, 4), transfer);
      const double late = (estimate_step(costs).total() - simulate_step(costs).step_time).base();
      EXPECT_NEAR(late, 2 * transfer / pp, 1e-9) << pp << " " << m << " " << transfer;
    }
  }
}

/// The simulated order hides the reduction behind the last micro-batch's way through all chunks.
TEST(Estimate, HidesGradientsBehindAllChunksOfTheLastMicrobatch) {
  StepCosts costs = equal_stages(4, 8, 16, 1);
  costs.overlap_gradient_reduce = true;
  costs.capacity = {1000.0};
  for (StageCosts& stage : costs.stages) {
    ParameterSync& sync = stage.syncs.emplace_back();
    sync.gradient_sync.route = {{0, 0.25}};
    // 1 ms a bucket with all stages at once; the last micro-batch takes 4 * 7 + 1 passes of 2 ms.
    for (int layer = 7; layer >= 0; --layer) sync.buckets.push_back({1, 1, layer, layer});
  }
  EXPECT_NEAR(estimate_step(costs)[Cause::kGradientReduce].base(), 0.001, 1e-12);
}

TEST(Estimate, AStageThatGetsSlowerAndTakesTheLeadNeverHelps) {
  StepCosts costs = equal_stages(2, 1, 2, 1);
  costs.overlap_gradient_reduce = true;
  costs.capacity = {1000.0};
  costs.stages[0].forward[0].compute.matrix = seconds(0.010);
  costs.stages[0].backward[0].compute.matrix = seconds(0.001);
  costs.stages[1].forward[0].compute.matrix = seconds(0.001);
  for (StageCosts& stage : costs.stages) {
    ParameterSync& sync = stage.syncs.emplace_back();
    sync.gradient_sync.route = {{0, 0.5}};
    for (int i = 0; i < 20; ++i) sync.buckets.push_back({1, 1, 0, 0});
  }
  // From 10.5 to 11.5 ms of work: stage 1 overtakes stage 0 and hides more of the reduction.
  double before = 0.0;
  for (int step = 0; step < 10; ++step) {
    const double backward = 0.0095 + 0.0001 * step;
    costs.stages[1].backward[0].compute.matrix = seconds(backward);
    const double time = estimate_step(costs).total().base();
    EXPECT_GE(time, before) << backward;
    before = time;
  }
}

TEST(Estimate, NeverBeatsTheBusiestLink) {
  StepCosts costs = equal_stages(2, 2, 4, 1);
  costs.send_bytes = 100;
  costs.capacity = {1000.0};
  for (auto* sends : {&costs.send_forward, &costs.send_backward}) {
    for (auto& send : *sends) send.route = {{0, 1.0}};
  }
  // Three boundaries, four micro-batches, both ways, 0.1 s each on one link.
  EXPECT_GE(estimate_step(costs).total().base(), 2.4);
  EXPECT_NEAR(estimate_step(costs).total() / simulate_step(costs).step_time, 1.0, 0.01);
}

}  // namespace
}  // namespace railwright::simulation
