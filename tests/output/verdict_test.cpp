// SPDX-License-Identifier: Apache-2.0
// The first lines of what a verb prints.
#include "railwright/output/text/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "../support/source_tree.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/words/lines.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {
namespace {

using Settings = std::vector<std::string>;

simulation::AnyResult result_of(const std::string& example, const Settings& settings = {}) {
  return simulation::simulate(
      simulation::load_scenario_tree(kSource + "/examples/" + example, settings),
      source_catalogue());
}

simulation::SimulationResult training(const std::string& example, const Settings& settings = {}) {
  return std::get<simulation::SimulationResult>(result_of(example, settings));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What stands behind a label.
std::string line_of(const std::string& text, const std::string& label) {
  const std::size_t begin = text.find('\n' + label + ' ');
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find('\n', begin + 1);
  const std::string line = text.substr(begin + 1, end - begin - 1);
  return line.substr(line.find_first_not_of(' ', label.size()));
}

auto lines_in(const std::string& text) { return std::ranges::count(text, '\n'); }

constexpr std::size_t kTerminal = 80;

TEST(Verdict, LeavesOneOfFourteenLinesWhateverIsSimulated) {
  const planner::ChangesTried of_step{
      .num_tried = 17,
      .best = planner::NextChange{.setting = "software.overlap_parameter_gather=true",
                                  .step_time = core::Duration::from_base(10.0),
                                  .saving = 0.1}};
  const planner::ServiceChangesTried of_service{
      .num_tried = 17,
      .best = planner::NextServiceChange{
          .settings = {"inference.engine.max_tokens=16384", "inference.tp=4"},
          .share = 0.1,
          .result = {}}};
  for (const char* example :
       {"neutral-llama-2-7b.yaml", "powerscale-checkpoints.yaml", "llama-2-70b-cost.yaml",
        "checkpoints-on-local-drives.yaml", "resnet50-f600p.yaml", "storage-on-infiniband.yaml",
        "three-jobs-one-powerscale.yaml", "all-reduce-8-h100-nodes.yaml",
        "inference-llama-2-70b.yaml", "serving-llama-3.3-70b.yaml", "serving-disaggregated.yaml",
        "post-training-qwen3-8b.yaml", "two-qm9790-24-nodes.yaml",
        "size-gpt3-175b-112-days.yaml"}) {
    const std::string text =
        output::verdict(result_of(example), {.of_step = of_step, .of_service = of_service});
    EXPECT_LE(lines_in(output::wrapped(text, kTerminal)), 13) << text;
    EXPECT_FALSE(line_of(text, "verdict").empty()) << text;
  }
}

TEST(Verdict, SaysTheAnswerWithItsIntervalAndWhatIsLeft) {
  const auto result = training("neutral-llama-2-7b.yaml");
  const std::string text = output::verdict(result, planner::ChangesTried{.num_tried = 5});
  EXPECT_EQ(line_of(text, "verdict"), "fits: 2 x xe9680-h100, 16 accelerators = tp 2 x dp 8");
  EXPECT_TRUE(has(line_of(text, "training time"), "for 500 steps"));
  EXPECT_TRUE(has(line_of(text, "80 % interval"), "(spread between sites)"));
  EXPECT_TRUE(has(line_of(text, "memory"), "38.6 GiB of 79.6 GiB on an accelerator"));
  EXPECT_EQ(line_of(text, "try next"), "none of 5 changes tried shortens the training by 1 %");
  EXPECT_TRUE(has(line_of(text, "trust"), "estimated: "));
}

/// A site without a spread has no interval, and says so; failures have one of their own.
TEST(Verdict, InventsNoInterval) {
  const auto fitted = training("search-h20003-cluster.yaml");
  EXPECT_EQ(line_of(output::verdict(fitted, {}), "80 % interval"),
            "none: the spread between sites is not known");
  const auto failing = training("checkpoints-on-local-drives.yaml");
  EXPECT_TRUE(line_of(output::verdict(failing, {}), "80 % interval")
                  .starts_with("none known between sites; failures alone "));
}

/// Each job has the interval of its class: settings that nobody stated are tried for one job alone.
TEST(Verdict, OfSeveralJobsHasTheIntervalOfTheLongest) {
  const auto jobs = std::get<simulation::JobsResult>(result_of("three-jobs-one-powerscale.yaml"));
  ASSERT_EQ(jobs.step_intervals.size(), 3U);
  EXPECT_TRUE(has(line_of(output::verdict(jobs), "80 % interval"), "(spread between sites)"));
  const auto alone = training("neutral-llama-2-7b.yaml");
  for (const std::size_t j : {0U, 1U}) {
    EXPECT_NEAR(jobs.step_intervals[j].low, alone.basis->low, 1e-12);
    EXPECT_NEAR(jobs.step_intervals[j].high, alone.basis->high, 1e-12);
  }
  // The software of the third was measured, that of the others was not: another class.
  EXPECT_NE(jobs.step_intervals[2].low, jobs.step_intervals[0].low);
  EXPECT_NE(jobs.step_intervals[2].high, jobs.step_intervals[0].high);
  const auto measured = std::get<simulation::JobsResult>(
      result_of("three-jobs-one-powerscale.yaml", {"jobs.0.run={step_time: 10 s}"}));
  EXPECT_EQ(measured.step_intervals[0].low, 1.0);
  EXPECT_EQ(measured.step_intervals[0].high, 1.0);
}

/// The change and what it gives; by how much a run beside its steps is in the limit.
TEST(Verdict, SaysWhatToTryNext) {
  const auto result = training("llama-2-70b-cost.yaml");
  const planner::ChangesTried changes{
      .num_tried = 7,
      .best = planner::NextChange{.setting = "parallelism.tp=8",
                                  .training_time = core::Duration::from_base(2.5 * 3600),
                                  .step_time = core::Duration::from_base(9.0),
                                  .saving = 0.125,
                                  .step_saving = 0.125}};
  const std::string text = output::verdict(result, changes);
  EXPECT_EQ(line_of(text, "try next"), "--set parallelism.tp=8: training 2.50 h (-12.5 %)");
  EXPECT_TRUE(has(line_of(text, "time goes into"), "matrix products 68.9 %"));
  EXPECT_TRUE(has(line_of(text, "time goes into"), "checkpoint stall 14.1 % of the run"));
}

/// The step stands there where it does not go with the training.
TEST(Verdict, SaysWhereAChangeTradesTheStepForCheckpoints) {
  const auto result = training("llama-2-70b-cost.yaml");
  const planner::ChangesTried changes{
      .num_tried = 7,
      .best = planner::NextChange{.setting = "parallelism.tp=8",
                                  .training_time = core::Duration::from_base(9000.0),
                                  .step_time = core::Duration::from_base(9.0),
                                  .saving = 0.125,
                                  .step_saving = -0.02}};
  EXPECT_EQ(line_of(output::verdict(result, changes), "try next"),
            "--set parallelism.tp=8: training 2.50 h (-12.5 %), step 9.00 s (+2.0 %)");
  const planner::ChangesTried none{.num_tried = 7, .num_simulated = 3, .are_more_faster = true};
  EXPECT_EQ(line_of(output::verdict(result, none), "try next"),
            "none of the best 3 of 7 changes tried, each with its run, shortens the training by 1 "
            "%");
}

TEST(Verdict, OfSeveralJobsSaysWhichJobToChange) {
  const auto jobs = std::get<simulation::JobsResult>(result_of("three-jobs-one-powerscale.yaml"));
  const planner::JobsChangesTried changes{
      .num_tried = 9,
      .best = planner::NextJobsChange{.setting = "jobs.1.parallelism.tp=4",
                                      .job = "Llama 2 7B",
                                      .training_time = core::Duration::from_base(7200.0),
                                      .mean_training_time = core::Duration::from_base(10800.0),
                                      .saving = 0.1,
                                      .mean_saving = 0.05}};
  EXPECT_EQ(
      line_of(output::verdict(jobs, changes), "try next"),
      "--set jobs.1.parallelism.tp=4: Llama 2 7B trains for 2.00 h (-10.0 %), the mean of all "
      "jobs 3.00 h (-5.0 %), of 9 changes tried");
  EXPECT_EQ(line_of(output::verdict(jobs, planner::JobsChangesTried{.num_tried = 9}), "try next"),
            "none of 9 changes tried shortens the mean training time by 1 %");
}

/// All reasons stand there, and the smallest change where there is one.
TEST(Verdict, SaysAllThatDoesNotFit) {
  const auto result = training("neutral-llama-2-7b.yaml", {"workload.model=llama-2-70b"});
  const std::string text = output::verdict(result, {});
  EXPECT_EQ(line_of(text, "verdict"), "does not fit");
  ASSERT_FALSE(result.infeasible.empty());
  for (const auto& reason : result.infeasible) EXPECT_TRUE(has(text, reason.what)) << text;
  EXPECT_FALSE(has(text, "training time"));
  const auto near =
      training("neutral-llama-2-7b.yaml", {"workload.micro_batch=9", "workload.global_batch=144"});
  ASSERT_FALSE(near.feasible());
  ASSERT_TRUE(near.smallest_change);
  EXPECT_TRUE(has(line_of(output::verdict(near, {}), "try next"),
                  "--set " + near.smallest_change->setting + ": the smallest change that fits"));
}

/// A long basis ends at a word in the verdict and is whole in the tables.
TEST(Verdict, LeavesALongBasisToTheTables) {
  auto result = training("powerscale-checkpoints.yaml", {"run.replicas=2"});
  ASSERT_TRUE(result.basis);
  result.basis->says += "; " + result.basis->says;
  EXPECT_TRUE(line_of(output::verdict(result, {}), "trust").ends_with(" \u2026"));
  EXPECT_TRUE(has(output::to_text(result), result.basis->says));
}

TEST(Verdict, SaysThatAnAcceleratorsMemoryMayNotSuffice) {
  const std::string set = "cluster.node.accelerator.memory=";
  const auto memory_at = [&](const std::string& size) {
    return line_of(output::verdict(training("neutral-llama-2-7b.yaml", {set + size}), {}),
                   "memory");
  };
  EXPECT_TRUE(has(memory_at("40 GiB"), "38.6 GiB of 40.0 GiB on an accelerator"));
  EXPECT_FALSE(has(memory_at("40 GiB"), "may not fit"));
  EXPECT_TRUE(has(memory_at("39 GiB"), "may not fit: half of the readings are 3 % above"));
}

TEST(Verdict, OfDesignsSaysWhichIsFasterAndAtWhatPrice) {
  const core::Node tree =
      simulation::load_scenario_tree(kSource + "/examples/neutral-llama-2-7b.yaml", {});
  const auto designs =
      planner::vary({{"", tree}}, simulation::read_variations({"cluster.node.nics.count=4,8"}));
  const auto all = planner::side_by_side(designs, source_catalogue());
  const std::string text = "\n" + output::verdict(all);
  EXPECT_TRUE(has(line_of(text, "verdict"), "nics.count=8 is faster: ")) << text;
  EXPECT_TRUE(has(line_of(text, "parts"), "8 more connectx-7, 8 more host link")) << text;
  const double saving = 1.0 - all.designs[1].result.step_time / all.designs[0].result.step_time;
  EXPECT_TRUE(has(line_of(text, "verdict"), fmt::format("({:.1f} %)", 100.0 * saving))) << text;
}

}  // namespace
}  // namespace railwright::test
