// SPDX-License-Identifier: Apache-2.0
// The next thing to try, checked by trying it.
#include "railwright/planner/next_change/next_change.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "../../../planner/src/next_change/changes.hpp"
#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {
namespace {

using planner::ChangesTried;
using simulation::Method;
using Settings = std::vector<std::string>;

core::Node example_tree(const std::string& example, const Settings& settings = {}) {
  return simulation::load_scenario_tree(kSource + "/examples/" + example, settings);
}

simulation::SimulationResult result_of(const core::Node& tree, Method method) {
  return simulation::simulate(simulation::read_scenario(tree, source_catalogue()),
                              {.method = method});
}

ChangesTried next_of(const core::Node& tree, Method method = Method::kSimulate) {
  return planner::next_change(tree, source_catalogue(), result_of(tree, method));
}

/// Few writers on slow storage: checkpoints take most of the time, and fewer writers make it worse.
Settings much_writing() {
  return {"cluster.storage={node: powerscale-f600p, count: 3, switch: s5232f-on, num_switches: 2}",
          "checkpoint={interval_steps: 5}", "workload.steps=50"};
}

Settings with(Settings settings, const std::string& more) {
  settings.push_back(more);
  return settings;
}

void expect_kept(const ChangesTried& changes, const simulation::SimulationResult& now,
                 const simulation::SimulationResult& changed) {
  ASSERT_TRUE(changed.feasible()) << changes.best->setting;
  EXPECT_EQ(changed.step_time, changes.best->step_time) << changes.best->setting;
  const core::Duration time = changed.run.job().training_time();
  EXPECT_EQ(time, changes.best->training_time) << changes.best->setting;
  EXPECT_NEAR(changes.best->saving, 1.0 - time / now.run.job().training_time(), 1e-12);
  EXPECT_NEAR(changes.best->step_saving, 1.0 - changed.step_time / now.step_time, 1e-12);
  EXPECT_GE(changes.best->saving, planner::kMinSaving);
  EXPECT_EQ(changed.samples_per_step, now.samples_per_step);
  EXPECT_EQ(changed.num_accelerators, now.num_accelerators);
}

/// What is said of a change is what `simulate` says with that setting, by either method: steps,
/// checkpoints, and failures drawn from the same seed.
TEST(NextChange, IsWhatSimulateSaysWithTheSetting) {
  const std::vector<std::pair<const char*, Settings>> jobs{
      {"neutral-llama-2-7b.yaml", {}},
      {"llama-2-70b-six-nodes.yaml", {}},
      {"powerscale-checkpoints.yaml", {"run.replicas=5"}},
      {"zero-infinity-1t-dgx-2.yaml", {}},
      {"neutral-llama-2-7b.yaml", much_writing()}};
  for (const auto& [example, settings] : jobs) {
    for (const Method method : {Method::kSimulate, Method::kEstimate}) {
      const core::Node tree = example_tree(example, settings);
      const ChangesTried changes = next_of(tree, method);
      ASSERT_TRUE(changes.best) << example;
      expect_kept(changes, result_of(tree, method),
                  result_of(example_tree(example, with(settings, changes.best->setting)), method));
    }
  }
}

/// The shortest step has the fewest writers of checkpoints, which makes the longest training.
TEST(NextChange, CountsTheCheckpoints) {
  const auto result = [](const Settings& settings) {
    return result_of(example_tree("neutral-llama-2-7b.yaml", settings), Method::kSimulate);
  };
  const auto now = result(much_writing());
  const auto fewer = result(with(much_writing(), "parallelism.tp=1"));
  ASSERT_LT(fewer.step_time, now.step_time);
  ASSERT_GT(fewer.run.job().training_time(), now.run.job().training_time());
  const ChangesTried changes = next_of(example_tree("neutral-llama-2-7b.yaml", much_writing()));
  ASSERT_TRUE(changes.best);
  EXPECT_NE(changes.best->setting, "parallelism.tp=1");
  EXPECT_LT(changes.best->training_time, now.run.job().training_time());
  const ChangesTried of_steps = next_of(example_tree("neutral-llama-2-7b.yaml"));
  ASSERT_TRUE(of_steps.best);
  EXPECT_EQ(of_steps.best->setting, "parallelism.tp=1") << "which is best where nothing is written";
}

/// At most three runs, and the text says if more of the changes were not asked.
TEST(NextChange, SimulatesAFewRunsAtMost) {
  for (const char* example : {"neutral-llama-2-7b.yaml", "mi300x-fine-tuning.yaml"}) {
    const ChangesTried changes = next_of(example_tree(example));
    EXPECT_LE(changes.num_simulated, planner::kMaxSimulated) << example;
    EXPECT_GE(changes.num_simulated, changes.best ? 1 : 0) << example;
    EXPECT_LE(changes.num_simulated, changes.num_tried) << example;
  }
}

/// By the closed form no other single change is faster.
TEST(NextChange, IsTheBestOfTheChangesTried) {
  const core::Node tree = example_tree("neutral-llama-2-7b.yaml");
  const ChangesTried changes = next_of(tree, Method::kEstimate);
  ASSERT_TRUE(changes.best);
  int num_fitting = 0;
  for (const char* setting :
       {"workload.micro_batch=2", "parallelism.tp=1", "parallelism.tp=4", "parallelism.cp=2",
        "parallelism.pp=2", "software.zero_stage=0", "software.zero_stage=2",
        "software.overlap_tensor_parallel=true", "parallelism.sequence_parallel=true"}) {
    core::Node changed = tree;
    core::set_path(changed, setting);
    try {
      const auto result = result_of(changed, Method::kEstimate);
      if (!result.feasible()) continue;
      ++num_fitting;
      EXPECT_GE(result.run.job().training_time(), changes.best->training_time) << setting;
    } catch (const core::ConfigError&) {
      continue;
    }
  }
  EXPECT_GE(num_fitting, 5);
  EXPECT_GE(changes.num_tried, num_fitting);
}

/// Slow NICs, of which every second accelerator has one: as many again help most.
TEST(NextChange, FindsMissingNics) {
  const core::Node tree = example_tree(
      "resnet50-f600p.yaml", {"cluster.node.nics.nic={model: connectx-7, line_rate: 2 Gb/s}"});
  const ChangesTried changes = next_of(tree);
  ASSERT_TRUE(changes.best);
  EXPECT_EQ(changes.best->setting, "cluster.node.nics.count=8");
}

/// Layers that are computed again though memory is left.
TEST(NextChange, FindsRecomputeThatMemoryDoesNotNeed) {
  const ChangesTried changes =
      next_of(example_tree("llama-2-70b-six-nodes.yaml", {"software.recompute=full"}));
  ASSERT_TRUE(changes.best);
  EXPECT_EQ(changes.best->setting, "software.recompute=none");
}

TEST(NextChange, IsNothingWhereNothingHelpsOrNothingCanBeAsked) {
  const ChangesTried tuned = next_of(example_tree("mi300x-fine-tuning.yaml"));
  EXPECT_GT(tuned.num_tried, 3);
  EXPECT_FALSE(tuned.best);
  const ChangesTried given =
      next_of(example_tree("neutral-llama-2-7b.yaml", {"run.step_time=1 s"}));
  EXPECT_TRUE(given.is_step_given);
  EXPECT_EQ(given.num_tried, 0);
  const ChangesTried unfit =
      next_of(example_tree("neutral-llama-2-7b.yaml", {"workload.model=llama-2-70b"}));
  EXPECT_EQ(unfit.num_tried, 0);
  EXPECT_FALSE(unfit.best);
}

/// Settings that a rule forbids are not counted as tried, and never said.
TEST(NextChange, FollowsTheRulesOfScenarios) {
  const core::Node tree = example_tree("resnet-18.yaml");
  const ChangesTried changes = next_of(tree);
  EXPECT_GT(changes.num_tried, 0);
  EXPECT_LT(changes.num_tried, 10);
}

/// A faster kernel, more bytes a call and captured launches are for the user to choose; another
/// format of gradients is another training.
TEST(NextChange, OffersUnstatedChoicesThatAreFaster) {
  using simulation::OtherValue;
  const auto other = [](const char* value, double factor) {
    return OtherValue{.value = value, .stacks = {}, .share = 0.5, .factor = factor};
  };
  const auto changes = planner::changes_of_unstated(
      {{.key = "software.attention",
        .value = "fused_first",
        .others = {other("fused_native", 0.8), other("unfused", 1.4)}},
       {.key = "software.gradient_reduce_bytes", .value = "4", .others = {other("2", 0.9)}},
       {.key = "software.bucket", .value = "80 MB", .others = {other("500 MB", 0.95)}}});
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].setting, "software.attention=fused_native");
  EXPECT_EQ(changes[1].setting, "software.bucket=500 MB");
  simulation::Scenario scenario =
      simulation::read_scenario(example_tree("neutral-llama-2-7b.yaml"), source_catalogue())
          .scenario;
  for (const simulation::Change& change : changes) change.apply(scenario);
  EXPECT_EQ(scenario.software.attention.value, models::AttentionKernel::kFusedNative);
  EXPECT_EQ(scenario.software.bucket.value, core::DataSize::from_base(500e6));
}

/// What the answer says of a setting that nobody stated, the next change gains.
TEST(NextChange, TakesAnUnstatedChoiceThatIsTheFastest) {
  const core::Node tree = example_tree(
      "neutral-llama-2-7b.yaml",
      {"software={model: megatron-core-0.12, elementwise: {value: eager, source: test}}"});
  simulation::SimulationResult now = result_of(tree, Method::kEstimate);
  now.unstated = {{.key = "software.elementwise",
                   .value = "eager",
                   .others = {{.value = "fused", .stacks = {}, .share = 0.5, .factor = 0.8}}}};
  const ChangesTried with = planner::next_change(tree, source_catalogue(), now);
  now.unstated.clear();
  const ChangesTried without = planner::next_change(tree, source_catalogue(), now);
  EXPECT_EQ(with.num_tried, without.num_tried + 1);
  ASSERT_TRUE(with.best);
  EXPECT_EQ(with.best->setting, "software.elementwise=fused");
  EXPECT_GT(with.best->step_saving, 0.1);
}

}  // namespace
}  // namespace railwright::test
