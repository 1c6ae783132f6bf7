// SPDX-License-Identifier: Apache-2.0
// Tables of published steps, the draw among them, and numbers fitted to what was drawn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "../../support/source_tree.hpp"
#include "railwright/validation/calibration/fit_suite.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

/// Four models of one family on up to four nodes, figures of 1 s unless given.
core::Node small_suite(const std::map<std::string, double>& published = {},
                       const std::string& extra = {}) {
  std::string text = R"(
suite: small
description: Steps of one family
method: estimate
draw: {seed: 3, share: 1}
scenarios:
  nodes:
    name: Nodes
    workload: {model: gpt-1.7b, sequence_length: 2048, global_batch: 512, micro_batch: 4, steps: 1}
    parallelism: {tp: 1, pp: 1}
    cluster:
      nodes: 1
      node: {model: dgx-a100, accelerator: {memory: 1 TB}}
      fabric: {topology: rail_optimized, switch: qm8700}
    software: megatron-lm-2021
fit:
  device: [{path: cluster.node.accelerator.gemm_efficiency, width: 10, most: 1}]
  stack: []
tables:
  - group: family
    quantity: step_time
    source: nowhere
    scenario: nodes
    output: step_time_s
    columns: [source, workload.model, cluster.nodes, workload.micro_batch]
    rows:
)";
  const std::map<std::string, std::string> rows{{"a", "gpt-1.7b, 1, 4"},
                                                {"b", "gpt-3.6b, 2, 8"},
                                                {"c", "gpt-1.7b, 4, 16"},
                                                {"d", "gpt-3.6b, 4, ~"}};
  for (const auto& [id, cells] : rows) {
    const auto found = published.find(id);
    const double seconds = found == published.end() ? 1.0 : found->second;
    text += fmt::format("      - [{}, {:.6f} s, ~, line 1, {}]\n", id, seconds, cells);
  }
  return core::parse_yaml(text + extra, "small");
}

std::map<std::string, double> predictions(const core::Node& suite) {
  std::map<std::string, double> times;
  for (const auto& c : validation::validate(suite, source_catalogue()).cases) {
    times[c.id] = *c.predicted;
  }
  return times;
}

TEST(Suite, ARowIsItsScenarioWithItsCellsLaidOver) {
  const auto result = validation::validate(small_suite(), source_catalogue());
  ASSERT_EQ(result.cases.size(), 4U);
  EXPECT_EQ(result.summary.num_fitted_numbers, 1);
  const validation::ValidationCase& c = result.cases[2];
  EXPECT_EQ(c.id, "c");
  EXPECT_EQ(c.source, "nowhere, line 1");
  EXPECT_EQ(c.training->num_accelerators, 32);
  EXPECT_EQ(c.training->model, "gpt-1.7b");
  EXPECT_NE(c.scenario.find("micro_batch: 16"), std::string::npos);
  EXPECT_NE(result.cases[3].scenario.find("micro_batch: 4"), std::string::npos);
  EXPECT_EQ(c.role, validation::ClaimRole::kCalibrate);
}

TEST(Suite, ARowWithTooFewCellsIsReported) {
  try {
    validation::validate(small_suite({}, "      - [e, 1 s, ~, line 2]\n"), source_catalogue());
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("expected a list of 7 cells, got 4"),
              std::string::npos)
        << error.what();
  }
}

// The figures are what another efficiency predicts: the fit has to find it, far from its start.
TEST(FitSuite, FindsTheEfficiencyThatMadeTheFigures) {
  core::Node suite = small_suite();
  core::set_path(*suite.find("scenarios")->find("nodes"),
                 "cluster.node.accelerator.gemm_efficiency=0.5");
  const auto fit = validation::fit_suite(small_suite(predictions(suite)), source_catalogue());
  ASSERT_EQ(fit.numbers.size(), 1U);
  EXPECT_EQ(fit.numbers[0].owner, "a100-sxm-80gb");
  EXPECT_NEAR(fit.numbers[0].value, 0.5, 0.005);
  EXPECT_EQ(fit.num_rows, 4);
  EXPECT_GT(fit.before.median, 0.1);
  EXPECT_LT(fit.after.largest, 0.01);
}

TEST(FitSuite, ANarrowPriorHoldsANumberWhereItsSourceHasIt) {
  core::Node slow = small_suite();
  core::set_path(*slow.find("scenarios")->find("nodes"),
                 "cluster.node.accelerator.gemm_efficiency=0.5");
  core::Node suite = small_suite(predictions(slow));
  core::set_path(suite, "fit.device.0.width=0.001");
  const auto fit = validation::fit_suite(suite, source_catalogue());
  EXPECT_NEAR(fit.numbers[0].value, fit.numbers[0].start, 0.01);
}

// Four rows of one family that err together tell as much as one: half the certainty.
TEST(FitSuite, RowsThatErrTogetherTellLess) {
  core::Node suite = small_suite(predictions(small_suite()));
  const auto apart = validation::fit_suite(suite, source_catalogue());
  core::set_path(suite, "fit.correlation=1");
  core::set_path(suite, "fit.family_correlation=1");
  const auto together = validation::fit_suite(suite, source_catalogue());
  EXPECT_NEAR(together.numbers[0].log_error / apart.numbers[0].log_error, 2.0, 0.01);
}

TEST(FitSuite, RefusesMoreNumbersThanADeviceMayHave) {
  core::Node suite = small_suite();
  core::set_path(suite,
                 "fit.device=[{path: cluster.node.accelerator.gemm_efficiency, width: 1}, "
                 "{path: cluster.node.accelerator.memory_efficiency, width: 1}, "
                 "{path: cluster.node.accelerator.attention_efficiency, width: 1}, "
                 "{path: cluster.node.accelerator.kernel_overhead, width: 1}, "
                 "{path: cluster.node.accelerator.pcie_bandwidth, width: 1}]");
  EXPECT_THROW(validation::fit_suite(suite, source_catalogue()), core::ConfigError);
  EXPECT_THROW(validation::fit_suite(small_suite(), source_catalogue(), "nobody"),
               core::ConfigError);
}

}  // namespace
}  // namespace railwright::test
