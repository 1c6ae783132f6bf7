// SPDX-License-Identifier: Apache-2.0
// A suite that somebody writes: rows that cannot be read, memory, and what a step is made of.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/validation/suites/validate.hpp"

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
  EXPECT_NEAR(pairs[2].null_constant.largest, 0.5, 1e-12);
}

}  // namespace
}  // namespace railwright::test
