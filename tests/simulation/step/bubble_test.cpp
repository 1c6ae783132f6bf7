// SPDX-License-Identifier: Apache-2.0
// Steps of equal stages between which communication is free.
#include <gtest/gtest.h>

#include <tuple>

#include "equal_stages.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::equal_stages;
using test::seconds;

TEST(FreeCommunication, BubbleIsTheIdealOne) {
  using Shape = std::tuple<int, int, int, int>;
  for (const auto& [pp, v, m, layers] : {Shape{1, 1, 8, 4},
                                         {2, 1, 1, 4},
                                         {4, 1, 8, 2},
                                         {8, 1, 3, 1},
                                         {4, 2, 8, 2},
                                         {4, 20, 48, 1},
                                         {4, 2, 4, 3},
                                         {8, 3, 24, 1},
                                         {2, 5, 6, 2}}) {
    for (const bool overlap : {true, false}) {
      StepCosts costs = equal_stages(pp, v, m, layers);
      costs.overlap_pipeline = overlap;
      const StepResult step = simulate_step(costs);
      const double busy = 0.003 * m * v * layers;
      const double share = (pp - 1.0) / (v * m + pp - 1.0);
      EXPECT_NEAR(step.step_time.base(), busy / (1 - share), 1e-9) << pp << " " << v << " " << m;
      EXPECT_NEAR(step.breakdown[Cause::kPipelineBubble] / step.step_time, share, 1e-9);
      EXPECT_NEAR(step.breakdown[Cause::kMatrixProducts].base(), busy, 1e-9);
    }
  }
}

/// Simulated, and in closed form.
TEST(FreeCommunication, SplitBackwardPassesLeaveTheirOwnBubble) {
  using models::Schedule;
  using Case = std::tuple<Schedule, int, int, double>;  // idle milliseconds
  for (const auto& [schedule, pp, m, idle] : {Case{Schedule("zb_h1"), 2, 8, 1},
                                              {Schedule("zb_h1"), 4, 8, 3},
                                              {Schedule("zb_h1"), 8, 32, 7},
                                              {Schedule("zb_h1"), 8, 2, 13},
                                              {Schedule("zb_h1"), 4, 3, 4},
                                              {Schedule("zb_h1"), 4, 1, 6},
                                              {Schedule("dualpipe"), 2, 8, 0},
                                              {Schedule("dualpipe"), 4, 8, 2},
                                              {Schedule("dualpipe"), 8, 32, 6}}) {
    for (const bool overlap : {true, false}) {
      StepCosts costs = test::split_stages(schedule, pp, m);
      costs.overlap_pipeline = overlap;
      const StepResult step = simulate_step(costs);
      EXPECT_NEAR(step.step_time.base(), 0.003 * m + 0.001 * idle, 1e-9) << pp << " " << m;
      EXPECT_NEAR(step.breakdown[Cause::kMatrixProducts].base(), 0.003 * m, 1e-9);
      EXPECT_NEAR(estimate_step(costs).total().base(), step.step_time.base(), 1e-9);
    }
  }
}

TEST(FreeCommunication, ASlowStageSetsThePace) {
  StepCosts costs = equal_stages(4, 1, 100, 2);
  for (LayerPass& layer : costs.stages[2].forward) layer.compute.matrix = seconds(0.005);
  const StepResult step = simulate_step(costs);
  // Stages 0 and 1 fill; stage 2 is never idle until the last backward pass, whose way through
  // stage 3 (6 ms) its backward pass before that (4 ms) does not hide; stages 1 and 0 drain.
  const double fill = 2 * 2 * 0.001;
  const double drain = 2 * 2 * 0.002;
  EXPECT_NEAR(step.step_time.base(), fill + 100 * 2 * (0.005 + 0.002) + 0.002 + drain, 1e-9);
}

TEST(FreeCommunication, ASlowNodeSlowsItsStageAlone) {
  StepCosts costs = equal_stages(4, 1, 100, 2);
  costs.speeds = {1.0, 1.0, 0.5, 1.0};
  const StepResult slow = simulate_step(costs);
  costs.speeds.clear();
  for (LayerPass& layer : costs.stages[2].forward) layer.compute.matrix *= 2.0;
  for (LayerPass& layer : costs.stages[2].backward) layer.compute.matrix *= 2.0;
  EXPECT_EQ(slow.step_time, simulate_step(costs).step_time);
}

TEST(FreeCommunication, OptimizersWaitForTheSlowestStage) {
  StepCosts costs = equal_stages(2, 1, 4, 1);
  costs.stages[0].optimizer = seconds(0.010);
  costs.stages[1].optimizer = seconds(0.004);
  const StepResult step = simulate_step(costs);
  EXPECT_NEAR(step.step_time.base(), 0.003 * (4 + 1) + 0.010, 1e-9);
  EXPECT_NEAR(step.breakdown[Cause::kOptimizer].base(), 0.010, 1e-9);
}

}  // namespace
}  // namespace railwright::simulation
