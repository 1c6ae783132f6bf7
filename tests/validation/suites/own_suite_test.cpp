// SPDX-License-Identifier: Apache-2.0
// A suite that somebody writes: rows that cannot be read, memory, and what a step is made of.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/validation/suites/validate.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::test {
namespace {

/// One node of A100 and rows of [id, figure, rounding, model, tp, recompute].
core::Node suite_of(const std::string& rows) {
  return core::parse_yaml(R"(
suite: own
description: for this test
scenarios:
  node:
    name: one node
    workload: {model: gpt-22b, sequence_length: 2048, global_batch: 8, micro_batch: 4, steps: 1}
    parallelism: {tp: 8, pp: 1}
    cluster: {nodes: 1, node: dgx-a100, fabric: {topology: rail_optimized, switch: qm8700}}
    software: megatron-lm-2022
    installation: neutral
tables:
  - group: own
    quantity: step_time
    source: nowhere
    scenario: node
    output: step_time_s
    columns: [workload.model, parallelism.tp, software.recompute]
    rows: )" + rows,
                          "own.yaml");
}

validation::ValidationResult run(const std::string& rows,
                                 const validation::ValidationOptions& options = {}) {
  return validation::validate(suite_of(rows), source_catalogue(), options);
}

TEST(OwnSuite, SkipsRowsWhoseScenarioCannotBeRead) {
  const auto result = run("[[a, 1 s, ~, ~, 7, full], [b, 1 s, ~, ~, 8, full]]");
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped.front().id, "a");
  EXPECT_EQ(result.skipped.front().group, "own");
  EXPECT_NE(result.skipped.front().reason.find("parallelism.tp=7"), std::string::npos)
      << result.skipped.front().reason;
  ASSERT_EQ(result.cases.size(), 1U);
  EXPECT_EQ(result.cases.front().id, "b");
  EXPECT_EQ(result.summary.num_validate, 1);
}

TEST(OwnSuite, IsRefusedWhereNoRowCanBeRunEachProblemOnce) {
  try {
    run("[[a, 1 s, ~, gpt-22c, 8, full], [b, 2 s, ~, gpt-22c, 8, full], [c, 1 s, ~, ~, 7, full]]");
    FAIL() << "accepted";
  } catch (const core::ConfigError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("cases.a: workload.model: no workload 'gpt-22c'"), std::string::npos)
        << said;
    EXPECT_EQ(said.find("cases.b"), std::string::npos) << said;
    EXPECT_NE(said.find("cases.c"), std::string::npos) << said;
  }
}

TEST(OwnSuite, PredictsWhatDoesNotFitWhereMemoryIsIgnored) {
  const std::string rows = "[[a, 1 s, ~, gpt-3-175b, 8, none], [b, 1 s, ~, ~, 8, full]]";
  const auto kept = run(rows);
  EXPECT_FALSE(kept.cases[0].predicted);
  EXPECT_FALSE(kept.cases[0].step);
  const auto ignored = run(rows, {.ignore_memory = true});
  ASSERT_TRUE(ignored.cases[0].predicted);
  EXPECT_GT(*ignored.cases[0].predicted, *ignored.cases[1].predicted);
  EXPECT_EQ(ignored.cases[1].predicted, kept.cases[1].predicted);
}

/// The profile has the recipe then, as if the rows had not said any.
TEST(OwnSuite, LeavesTheRecipeToTheProfile) {
  const std::string rows = "[[a, 1 s, ~, ~, 8, selective]]";
  const auto bare = run(rows, {.without_recipe = true}).cases[0];
  const auto stated = run(rows).cases[0];
  EXPECT_EQ(bare.predicted, run("[[a, 1 s, ~, ~, 8, ~]]").cases[0].predicted);
  EXPECT_GT(*bare.predicted, *stated.predicted);
  EXPECT_NE(stated.scenario.find("recompute"), std::string::npos);
  EXPECT_EQ(bare.scenario.find("recompute"), std::string::npos);
  EXPECT_NE(bare.scenario.find("megatron-lm-2022"), std::string::npos);
}

/// A row that does not fit is no prediction; it says what simulate says.
TEST(OwnSuite, CountsWhatDoesNotFitApart) {
  const std::string bad = "[a, 1 s, ~, gpt-3-175b, 8, none]";
  const auto some = run("[" + bad + ", [b, 1 s, ~, ~, 8, full]]");
  EXPECT_TRUE(some.feasible());
  EXPECT_EQ(some.summary.num_unfit, 1);
  ASSERT_EQ(some.summary.kinds.size(), 1U);
  EXPECT_EQ(some.summary.kinds[0].num_rows, 1);
  EXPECT_EQ(*some.summary.median_absolute_error, std::abs(*some.cases[1].relative_error));
  const auto alone = simulation::simulate(
      simulation::read_scenario(core::parse_yaml(some.cases[0].scenario, "a"), source_catalogue()));
  ASSERT_FALSE(alone.feasible());
  ASSERT_FALSE(some.cases[0].misfits.empty());
  EXPECT_EQ(some.cases[0].misfits[0], alone.infeasible[0].what);
  const std::string text = output::to_text(some);
  EXPECT_NE(text.find("\n1 predictions: "), std::string::npos) << text;
  EXPECT_NE(text.find("1 row does not fit, without a prediction\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ndoes not fit a: " + alone.infeasible[0].what), std::string::npos) << text;

  const auto none = run("[" + bad + "]");
  EXPECT_FALSE(none.feasible());
  EXPECT_FALSE(none.summary.median_absolute_error);
  EXPECT_TRUE(none.summary.kinds.empty());
  EXPECT_EQ(output::to_text(none).find("median"), std::string::npos) << output::to_text(none);
  const auto json = nlohmann::json::parse(output::to_json(none));
  EXPECT_TRUE(json["summary"]["median_absolute_error"].is_null());
  EXPECT_EQ(json["summary"]["num_unfit"], 1);
  EXPECT_EQ(json["cases"][0]["reason"], alone.infeasible[0].what);
}

TEST(OwnSuite, SaysWhatIsMissingOfPortsAndOfTheRunToCombineWith) {
  core::Node suite = suite_of("[[a, 1 s, ~, ~, 8, full]]");
  core::Node& node = suite.entries[2].value.entries[0].value;
  core::set_path(node, "cluster.nodes=6");
  core::set_path(node, "workload.global_batch=24");
  core::set_path(node, "cluster.fabric.topology=single_switch");
  const auto ports = validation::validate(suite, source_catalogue(), {.ignore_memory = true});
  ASSERT_EQ(ports.cases[0].misfits.size(), 1U);
  EXPECT_EQ(ports.cases[0].misfits[0], "6 nodes x 8 NICs need 48 ports; qm8700 has 40");

  const auto combined = validation::validate(
      core::parse_yaml(core::to_yaml(suite_of("[]").entries[2].value).insert(0, R"(suite: s
description: d
cases:
  - id: c
    group: g
    quantity: step_time
    role: validate
    published: 1.0
    source: nowhere
    scenario: node
    output: step_time_s
    against: [workload.model=gpt-3-175b, software.recompute=none]
    combine: ratio
scenarios: )"),
                       "own.yaml"),
      source_catalogue());
  ASSERT_FALSE(combined.cases[0].predicted);
  ASSERT_FALSE(combined.cases[0].misfits.empty());
}

TEST(OwnSuite, SkipsARowWhoseOutputNoResultHas) {
  core::Node suite = suite_of("[[a, 1 s, ~, ~, 8, full]]");
  core::Node& table = suite.entries[3].value.items[0];
  core::set_path(table, "output=step_tim_s");
  try {
    validation::validate(suite, source_catalogue());
    FAIL() << "accepted";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'step_time_s'?"), std::string::npos)
        << error.what();
  }
}

/// No row meets or misses a target that is for none.
TEST(OwnSuite, HoldsNoRowsAgainstNoTarget) {
  core::Node suite = suite_of("[[a, 1 s, ~, gpt-3-175b, 8, none]]");
  core::set_path(suite, "targets=[{name: all, median: 0.1}]");
  const auto result = validation::validate(suite, source_catalogue());
  ASSERT_EQ(result.summary.targets.size(), 1U);
  EXPECT_FALSE(result.summary.targets[0].value);
  EXPECT_NE(output::to_text(result).find("no rows"), std::string::npos);
}

TEST(OwnSuite, GivesTheStepItsPartsAndItsInterval) {
  const validation::ValidationCase row = run("[[a, 1 s, ~, ~, 8, full]]").cases.front();
  ASSERT_TRUE(row.step);
  EXPECT_DOUBLE_EQ(row.step->time.base(), *row.predicted);
  EXPECT_NEAR(row.step->breakdown.total().base(), *row.predicted, 1e-9);
  EXPECT_LT(row.step->low, row.step->time);
  EXPECT_GT(row.step->high, row.step->time);
}

TEST(OwnSuite, SetsRowsThatDifferInOneKeyAgainstOneAnother) {
  // The first and the last differ in two keys.
  const auto result =
      run("[[a, 1 s, ~, ~, 8, full], [b, 2 s, ~, ~, 8, selective], [c, 3 s, ~, ~, 4, selective]]",
          {.ignore_memory = true});
  const auto predicted = [&](std::size_t row) { return *result.cases[row].predicted; };
  const std::vector<validation::ErrorGroup>& pairs = result.summary.pairs;
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].name, "all");
  EXPECT_EQ(pairs[0].errors.num_rows, 2);
  EXPECT_EQ(pairs[1].name, "parallelism.tp");
  EXPECT_NEAR(pairs[1].errors.largest, std::abs(predicted(2) / predicted(1) / 1.5 - 1.0), 1e-12);
  EXPECT_EQ(pairs[2].name, "software.recompute");
  EXPECT_NEAR(pairs[2].errors.largest, std::abs(predicted(1) / predicted(0) / 2.0 - 1.0), 1e-12);
  EXPECT_NEAR(pairs[2].constant_baseline.largest, 0.5, 1e-12);
}

}  // namespace
}  // namespace railwright::test
