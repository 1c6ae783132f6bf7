// SPDX-License-Identifier: Apache-2.0
// Measurements made by the program itself with a cause that `diagnose` has to find.
#include "railwright/planner/diagnose/diagnose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "../../support/source_tree.hpp"
#include "railwright/output/json/diagnosis_json.hpp"
#include "railwright/output/text/diagnosis_text.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::planner {
namespace {

using simulation::Method;
using test::kSource;
using test::source_catalogue;

constexpr const char* kDiagnosed = "neutral-llama-2-7b.yaml";

core::Node diagnosed_tree(const std::vector<std::string>& settings = {}) {
  return simulation::load_scenario_tree(kSource + "/examples/" + kDiagnosed, settings);
}

core::Duration step_having(const std::vector<std::string>& settings) {
  return std::get<simulation::SimulationResult>(simulation::simulate(diagnosed_tree(settings),
                                                                     source_catalogue(),
                                                                     {.method = Method::kEstimate}))
      .step_time;
}

Diagnosis diagnosed(core::Duration measured, const std::vector<std::string>& settings = {}) {
  return diagnose(diagnosed_tree(settings), source_catalogue(), measured, Method::kEstimate);
}

/// Returns the place of a reason with just these settings; the number of reasons if there is none.
std::size_t place_of_reason(const Diagnosis& made, const std::vector<std::string>& settings) {
  const auto found = std::ranges::find_if(made.reasons, [&](const PossibleReason& one) {
    return std::ranges::equal(one.causes, settings, {}, &SuspectedCause::settings);
  });
  return static_cast<std::size_t>(found - made.reasons.begin());
}

TEST(Diagnose, FindsFullRecompute) {
  const Diagnosis made = diagnosed(step_having({"software.recompute=full"}));
  EXPECT_TRUE(made.is_slower());
  EXPECT_LT(place_of_reason(made, {"software.recompute=full"}), 3U);
  EXPECT_TRUE(made.reasons[place_of_reason(made, {"software.recompute=full"})].explains);
}

TEST(Diagnose, FindsASlowNode) {
  const std::string fault = "cluster.faults={nodes_slow: [{node: 0, speed: 0.65}]}";
  const Diagnosis made = diagnosed(step_having({fault}));
  const std::size_t place = place_of_reason(made, {fault});
  ASSERT_LT(place, made.reasons.size());
  EXPECT_TRUE(made.reasons[place].explains);
  EXPECT_EQ(made.reasons[place].causes[0].kind, CauseKind::kFault);
  EXPECT_EQ(made.reasons[place].step_time, step_having({fault}));
}

/// Too slow for any cause alone: two that act together explain it.
TEST(Diagnose, FindsPairs) {
  const std::vector<std::string> both{"software.recompute=full",
                                      "cluster.faults={nodes_slow: [{node: 0, speed: 0.65}]}"};
  const Diagnosis made = diagnosed(step_having(both));
  ASSERT_FALSE(made.reasons.empty());
  const auto pair = std::ranges::find_if(
      made.reasons, [](const PossibleReason& one) { return one.causes.size() == 2; });
  ASSERT_NE(pair, made.reasons.end());
  EXPECT_TRUE(pair->explains);
  const std::vector<std::string> settings{pair->causes[0].settings, pair->causes[1].settings};
  EXPECT_NEAR(pair->step_time / step_having(settings), 1.0, 1e-9);
}

/// A run that is faster than predicted has faster causes alone.
TEST(Diagnose, KnowsFasterRuns) {
  const std::vector<std::string> slow{"software.attention=unfused"};
  const Diagnosis made = diagnosed(step_having({}), slow);
  EXPECT_FALSE(made.is_slower());
  EXPECT_FALSE(made.is_inside());
  for (const PossibleReason& one : made.reasons) EXPECT_LT(one.factor, 1.0);
}

/// At the predicted time nothing is the most plausible.
TEST(Diagnose, SuspectsNothingAtThePrediction) {
  const Diagnosis made = diagnosed(step_having({}));
  EXPECT_TRUE(made.is_inside());
  EXPECT_GT(made.unexplained, 0.3);
  for (const PossibleReason& one : made.reasons) {
    EXPECT_LT(one.plausibility, made.unexplained);
    EXPECT_EQ(one.causes.size(), 1U);
  }
}

/// Shares of what was considered; the most plausible first.
TEST(Diagnose, SharesPlausibilityOut) {
  const Diagnosis made = diagnosed(1.2 * step_having({}));
  const double sum =
      std::accumulate(made.reasons.begin(), made.reasons.end(), made.unexplained,
                      [](double all, const PossibleReason& one) { return all + one.plausibility; });
  EXPECT_LE(sum, 1.0 + 1e-9);
  EXPECT_GT(sum, 0.8);
  EXPECT_TRUE(
      std::ranges::is_sorted(made.reasons, std::ranges::greater{}, &PossibleReason::plausibility));
  EXPECT_FALSE(made.measure.empty());
}

/// A fault that the scenario states is no longer suspected.
TEST(Diagnose, TakesStatedFaultsAsKnown) {
  const std::string fault = "cluster.faults={nodes_slow: [{node: 0, speed: 0.65}]}";
  for (const PossibleReason& one : diagnosed(2.0 * step_having({}), {fault}).reasons) {
    for (const SuspectedCause& cause : one.causes) {
      EXPECT_FALSE(cause.settings.starts_with("cluster.faults"));
    }
  }
}

TEST(Diagnose, SaysWhatDoesNotFit) {
  const Diagnosis made =
      diagnosed(core::Duration::from_base(1.0), {"cluster.node.accelerator.memory=1 GB"});
  EXPECT_FALSE(made.feasible());
  EXPECT_NE(output::to_text(made).find("does not fit"), std::string::npos);
}

TEST(Diagnose, PrintsTextAndJson) {
  const Diagnosis made = diagnosed(1.5 * step_having({}));
  const std::string text = output::to_text(made);
  EXPECT_NE(text.find("slower than predicted, beyond the spread of sites: "), std::string::npos)
      << text;
  EXPECT_NE(text.find("the measurement is outside"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(output::to_json(made));
  EXPECT_EQ(json["reasons"].size(), made.reasons.size());
  EXPECT_EQ(json["reasons"][0]["causes"][0]["setting"], made.reasons[0].causes[0].settings);
  EXPECT_FALSE(json["inside"].get<bool>());
}

core::Duration sum_of(const simulation::Breakdown& breakdown,
                      const std::vector<simulation::Cause>& causes) {
  core::Duration sum;
  for (const simulation::Cause cause : causes) sum += breakdown[cause];
  return sum;
}

TEST(Diagnose, PutsTimersBesideThePartsThatTheyTime) {
  simulation::Breakdown predicted;
  for (std::size_t i = 0; i < predicted.time.size(); ++i) {
    predicted.time[i] = core::Duration::from_base(1.0 + static_cast<double>(i));
  }
  using enum simulation::Cause;
  const auto seconds = [](double time) { return core::Duration::from_base(time); };
  const auto parts = timed_parts({{"forward-compute", seconds(20.0)},
                                  {"backward-compute", seconds(30.0)},
                                  {"forward-backward", seconds(80.0)},
                                  {"all-grads-sync", seconds(12.0)},
                                  {"grads-all-reduce", seconds(99.0)},
                                  {"batch-generator", seconds(1.0)}},
                                 predicted);
  ASSERT_EQ(parts.size(), 3U);
  // Passes are 50 s for 36, the pipeline 30 for 19, the reduction 12 for 11.
  EXPECT_EQ(parts[0].timers, "forward-compute + backward-compute");
  EXPECT_NEAR(parts[0].measured.base(), 50.0, 1e-12);
  EXPECT_EQ(parts[0].predicted, sum_of(predicted, {kMatrixProducts, kAttention, kElementwise,
                                                   kKernelGaps, kOverlapSlowdown, kTensorParallel,
                                                   kExpertParallel, kContextParallel}));
  EXPECT_NEAR(parts[1].measured.base(), 30.0, 1e-12);
  EXPECT_EQ(parts[1].predicted, sum_of(predicted, {kPipelineTransfer, kPipelineBubble}));
  EXPECT_NEAR(parts[2].excess().base(), 1.0, 1e-12);
}

TEST(Diagnose, HasNoPartsWithoutTimers) {
  EXPECT_TRUE(diagnosed(core::Duration::from_base(5.0)).parts.empty());
}

}  // namespace
}  // namespace railwright::planner
