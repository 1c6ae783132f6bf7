// SPDX-License-Identifier: Apache-2.0
// The division that is chosen for a cluster.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/planner/search/automatic_division.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::test {
namespace {

using planner::DivisionChoice;
using planner::WhatIf;

/// Llama 2 7B on two XE9680, without storage or failures.
core::Node small(std::vector<std::string> settings = {}) {
  settings.insert(settings.begin(), {"workload.global_batch=48"});
  return simulation::with_settings(
      core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/neutral-llama-2-7b.yaml"), settings);
}

/// Samples per second in closed form; 0 if it is illegal or does not fit.
double rate_of(const core::Node& tree) {
  try {
    const auto checked = simulation::read_scenario(tree, source_catalogue());
    const auto result = simulation::simulate(checked, {.method = simulation::Method::kEstimate});
    if (!result.feasible()) return 0.0;
    return static_cast<double>(checked.scenario.workload.global_batch) / result.step_time.base();
  } catch (const core::ConfigError&) {
    return 0.0;
  }
}

/// The best of all plain divisions, each read and estimated for itself.
double best_by_hand(const core::Node& tree) {
  double best = 0.0;
  for (const int tp : {1, 2, 4, 8}) {
    for (const int pp : {1, 2, 4, 8, 16}) {
      for (const int micro : {1, 2, 3}) {
        best = std::max(best, rate_of(simulation::with_settings(
                                  tree, {"parallelism.tp=" + std::to_string(tp),
                                         "parallelism.pp=" + std::to_string(pp),
                                         "workload.micro_batch=" + std::to_string(micro)})));
      }
    }
  }
  return best;
}

TEST(AutomaticDivision, IsNoSlowerThanAnyPlainOne) {
  for (const int nodes : {1, 2, 3, 4, 6}) {
    const core::Node tree = small({"cluster.nodes=" + std::to_string(nodes)});
    const auto division = planner::automatic_division(tree, source_catalogue());
    ASSERT_TRUE(division) << nodes;
    EXPECT_EQ(division->global_batch, 48) << nodes;
    EXPECT_GE(rate_of(planner::with_division(tree, *division)), best_by_hand(tree) * (1 - 1e-9))
        << nodes;
  }
}

/// 56 accelerators want a multiple of seven replicas or stages, which 100 sequences and 32 layers
/// are not.
TEST(AutomaticDivision, RoundsABatchThatNothingDivides) {
  const core::Node tree = small({"cluster.nodes=7", "workload.global_batch=100"});
  const auto division = planner::automatic_division(tree, source_catalogue());
  ASSERT_TRUE(division);
  EXPECT_EQ(division->wanted_batch, 100);
  EXPECT_NE(division->global_batch, 100);
  EXPECT_NEAR(static_cast<double>(division->global_batch), 100.0, 10.0);
  EXPECT_GT(rate_of(planner::with_division(tree, *division)), 0.0);
}

TEST(AutomaticDivision, KeepsWhatItIsTold) {
  const core::Node tree = small({"cluster.nodes=4", "parallelism.tp=2", "parallelism.pp=2"});
  const auto free = planner::automatic_division(tree, source_catalogue());
  const auto kept =
      planner::automatic_division(tree, source_catalogue(), {"parallelism.tp", "name"});
  ASSERT_TRUE(free && kept);
  const core::Node divided = planner::with_division(tree, *kept);
  EXPECT_EQ(simulation::read_scenario(divided, source_catalogue()).scenario.parallelism.tp, 2);
  EXPECT_LE(rate_of(divided), rate_of(planner::with_division(tree, *free)));
  EXPECT_GT(rate_of(divided), 0.0);
  const core::Node illegal = small({"parallelism.tp=3"});
  EXPECT_FALSE(planner::automatic_division(illegal, source_catalogue(), {"parallelism.tp"}));
}

TEST(AutomaticDivision, IsTheOneOfLeastMemoryWhereNoneFits) {
  const core::Node tree = small({"workload.model=llama-3.1-405b", "cluster.nodes=1"});
  const auto division = planner::automatic_division(tree, source_catalogue());
  ASSERT_TRUE(division);
  const auto checked =
      simulation::read_scenario(planner::with_division(tree, *division), source_catalogue());
  EXPECT_FALSE(simulation::simulate(checked, {.method = simulation::Method::kEstimate}).feasible());
}

WhatIf ask(const std::vector<std::string>& settings, DivisionChoice choice) {
  planner::Divisions divisions;
  return planner::what_if(small(), settings, source_catalogue(), divisions, {.division = choice});
}

TEST(DivisionWhereNeeded, IsTheScenariosWhereItFits) {
  const WhatIf own = ask({"cluster.nodes=4"}, DivisionChoice::kOwn);
  const WhatIf answer = ask({"cluster.nodes=4"}, DivisionChoice::kWhereNeeded);
  EXPECT_FALSE(answer.division);
  EXPECT_EQ(answer.result.step_time, own.result.step_time);
  const WhatIf chosen = ask({"cluster.nodes=4"}, DivisionChoice::kAutomatic);
  ASSERT_TRUE(chosen.division);
  EXPECT_LE(chosen.result.step_time, own.result.step_time);
}

TEST(DivisionWhereNeeded, IsChosenWhereTheScenariosCannotBe) {
  EXPECT_THROW(ask({"parallelism.tp=3"}, DivisionChoice::kOwn), core::ConfigError);
  const WhatIf illegal = ask({"parallelism.tp=3"}, DivisionChoice::kWhereNeeded);
  ASSERT_TRUE(illegal.division);
  EXPECT_TRUE(illegal.result.feasible());
  EXPECT_NE(illegal.own_division_fails.find("tp 3"), std::string::npos)
      << illegal.own_division_fails;

  const std::vector<std::string> large{"workload.model=llama-2-70b", "cluster.nodes=4"};
  EXPECT_FALSE(ask(large, DivisionChoice::kOwn).result.feasible());
  const WhatIf answer = ask(large, DivisionChoice::kWhereNeeded);
  ASSERT_TRUE(answer.division);
  EXPECT_TRUE(answer.result.feasible());
  EXPECT_NE(answer.own_division_fails.find("memory"), std::string::npos)
      << answer.own_division_fails;
  // The answer's tree is a scenario that gives the same by itself.
  const auto again =
      simulation::simulate(simulation::read_scenario(answer.tree, source_catalogue()),
                           {.method = simulation::Method::kEstimate});
  EXPECT_EQ(again.step_time, answer.result.step_time);
}

TEST(DivisionWhereNeeded, KeepsOtherProblems) {
  try {
    ask({"parallelism.tp=3", "workload.stepz=4"}, DivisionChoice::kWhereNeeded);
    FAIL() << "an unknown key was taken";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("stepz"), std::string::npos) << error.what();
  }
}

TEST(Divisions, AreFoundAgainWhereOnlyTheRunDiffers) {
  planner::Divisions divisions;
  const auto first = divisions.find(small(), source_catalogue());
  const auto again = divisions.find(
      small({"checkpoint.interval_steps=7", "workload.steps=1000000"}), source_catalogue());
  const auto other = divisions.find(small({"cluster.nodes=1"}), source_catalogue());
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(first->settings, again->settings);
  EXPECT_EQ(other->settings,
            planner::automatic_division(small({"cluster.nodes=1"}), source_catalogue())->settings);
}

}  // namespace
}  // namespace railwright::test
