// SPDX-License-Identifier: Apache-2.0
// What nobody stated of a recipe, and what it does to a step and its interval.
#include "railwright/workloads/training/unstated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::simulation {
namespace {

using test::kSource;
using test::source_catalogue;

constexpr const char* kExample = "neutral-llama-2-7b.yaml";

SimulationResult estimate(const std::string& example, const std::vector<std::string>& settings) {
  const core::Node tree = load_scenario_tree(kSource + "/examples/" + example, settings);
  return std::get<SimulationResult>(
      simulate(tree, source_catalogue(), {.method = Method::kEstimate}));
}

double width(const SimulationResult& result) {
  return std::log(result.step_time_high / result.step_time_low);
}

/// Each value, laid over the scenario, gives the step that the list says.
TEST(Unstated, IsWhatTheSettingGives) {
  const SimulationResult result = estimate(kExample, {});
  ASSERT_GE(result.unstated.size(), 4U);
  for (const UnstatedSetting& one : result.unstated) {
    const OtherValue& other = one.others.front();
    const SimulationResult changed = estimate(kExample, {one.setting(other)});
    EXPECT_NEAR(changed.step_time / result.step_time, other.factor, 1e-9) << one.setting(other);
    EXPECT_FALSE(other.stacks.empty());
  }
}

TEST(Unstated, BeginsWithWhatMovesTheStepMost) {
  const SimulationResult result = estimate(kExample, {});
  EXPECT_TRUE(
      std::ranges::is_sorted(result.unstated, std::ranges::greater{}, &UnstatedSetting::effect));
  const auto important = those_that_matter(result.unstated);
  ASSERT_LT(important.size(), result.unstated.size());
  EXPECT_GE(important.back().effect(), kMinUnstatedEffect);
  EXPECT_LT(result.unstated[important.size()].effect(), kMinUnstatedEffect);
}

/// A setting that is stated is no longer listed, and each one that matters narrows the interval.
TEST(Unstated, NarrowsTheIntervalWhenItIsStated) {
  const SimulationResult first = estimate(kExample, {});
  std::vector<std::string> stated;
  double last = width(first);
  for (const UnstatedSetting& one : those_that_matter(first.unstated)) {
    stated.push_back(one.key + "=" + one.value);
    const SimulationResult result = estimate(kExample, stated);
    EXPECT_EQ(result.step_time, first.step_time) << stated.back();
    EXPECT_EQ(std::ranges::find(result.unstated, one.key, &UnstatedSetting::key),
              result.unstated.end());
    EXPECT_LT(width(result), last) << stated.back();
    last = width(result);
  }
}

/// With all of the recipe stated the interval is that of the record's class alone.
TEST(Unstated, LeavesTheIntervalOfStatedRecipes) {
  std::vector<std::string> stated;
  for (const UnstatedSetting& one : estimate(kExample, {}).unstated) {
    stated.push_back(one.key + "=" + one.value);
  }
  const SimulationResult result = estimate(kExample, stated);
  ASSERT_TRUE(result.basis.has_value());
  EXPECT_TRUE(result.unstated.empty());
  EXPECT_NEAR(result.step_time_low / result.step_time, result.basis->stated_low, 1e-9);
  EXPECT_NEAR(result.step_time_high / result.step_time, result.basis->stated_high, 1e-9);
}

/// A recipe that would not fit into memory did not run: whole weights on each rank, in 30 GB.
TEST(Unstated, LeavesOutWhatDoesNotFit) {
  const auto has_whole_weights = [](const char* memory) {
    const SimulationResult result =
        estimate(kExample,
                 {"software=torchtitan", std::string("cluster.node.accelerator.memory=") + memory});
    return std::ranges::find(result.unstated, "software.zero_stage", &UnstatedSetting::key) !=
           result.unstated.end();
  };
  EXPECT_TRUE(has_whole_weights("40 GB"));
  EXPECT_FALSE(has_whole_weights("30 GB"));
}

/// Whoever measured a step or a site knows more than any recipe.
TEST(Unstated, IsNothingBesideAMeasurement) {
  EXPECT_TRUE(estimate(kExample, {"run.step_time=4 s"}).unstated.empty());
  EXPECT_TRUE(estimate(kExample, {"installation=h20003"}).unstated.empty());
}

TEST(Unstated, IsPrintedInPlainWords) {
  const SimulationResult result = estimate(kExample, {});
  const UnstatedSetting& first = result.unstated.front();
  const std::string text = output::verdict(result, {}, {}, {});
  EXPECT_NE(text.find("not stated      " + first.key + " " + first.value + " assumed: at " +
                      first.others.front().value + " a step takes "),
            std::string::npos)
      << text;
  EXPECT_NE(output::to_json(result).find("\"unstated\": ["), std::string::npos);
}

}  // namespace
}  // namespace railwright::simulation
