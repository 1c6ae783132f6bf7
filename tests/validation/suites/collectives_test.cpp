// SPDX-License-Identifier: Apache-2.0
// Measured collectives, and the benchmark scenario that each of their rows is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

constexpr double kMebibyte = 1048576.0;

core::Node suite() { return core::load_yaml(simulation::suite_path("collectives")); }

const validation::ValidationResult& collectives() {
  static const validation::ValidationResult kResult =
      validation::validate(suite(), source_catalogue());
  return kResult;
}

TEST(ValidateCollectives, EveryRowRuns) { EXPECT_TRUE(collectives().skipped.empty()); }

TEST(ValidateCollectives, MediansStayWithinTheirBars) {
  std::map<std::pair<std::string, double>, double> medians;
  for (const validation::SizeClass& c : collectives().summary.size_classes) {
    medians[{c.group, c.from_bytes}] = c.median_absolute_error;
  }
  for (const std::string op : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"}) {
    EXPECT_LE(medians.at({op, 0.0}), 0.20) << op;
    EXPECT_LE(medians.at({op, kMebibyte}), 0.10) << op;
    EXPECT_LE(medians.at({op, 64 * kMebibyte}), 0.05) << op;
  }
}

TEST(ValidateCollectives, SaysWhatNoRecordCovers) {
  ASSERT_FALSE(collectives().not_covered.empty());
  EXPECT_NE(collectives().not_covered.front().find("fewer NICs than accelerators"),
            std::string::npos);
  const std::string text = output::to_text(collectives());
  for (const std::string& what : collectives().not_covered) {
    EXPECT_NE(text.find("no public record covers " + what), std::string::npos);
  }
}

// Held out: no constant was taken from either.
TEST(ValidateCollectives, MediansHoldForMachinesThatNothingWasTakenFrom) {
  for (const std::string machine : {"nccl-h200-8-aiconfigurator", "nccl-gb200-4-aiconfigurator"}) {
    std::vector<double> large;
    for (const validation::ValidationCase& c : collectives().cases) {
      if (!c.id.starts_with(machine + "/") || c.group == "all_to_all") continue;
      EXPECT_EQ(c.role, validation::ClaimRole::kValidate) << c.id;
      if (*c.size_bytes >= 64 * kMebibyte) large.push_back(std::abs(*c.relative_error));
    }
    ASSERT_EQ(large.size(), 9U);
    std::ranges::sort(large);
    EXPECT_LE(large[4], 0.10) << machine;
  }
}

TEST(ValidateCollectives, ContradictionsAreComputedFromTheRecordsOfOneCall) {
  int num_contested = 0;
  for (const validation::ValidationCase& c : collectives().cases) {
    double low = c.published;
    double high = c.published;
    for (const validation::ValidationCase& other : collectives().cases) {
      if (other.group != c.group || other.scenario != c.scenario) continue;
      low = std::min(low, other.published);
      high = std::max(high, other.published);
    }
    const double bar = *c.size_bytes >= 64 * kMebibyte ? 1.1 : 1.3;
    EXPECT_EQ(c.published_low.has_value(), high > bar * low) << c.id;
    if (!c.published_low) continue;
    ++num_contested;
    EXPECT_EQ(*c.published_low, low) << c.id;
    EXPECT_EQ(*c.published_high, high) << c.id;
  }
  EXPECT_GT(num_contested, 20);
  int num_calls = 0;
  int num_between = 0;
  for (const validation::SizeClass& c : collectives().summary.size_classes) {
    num_calls += c.num_contested;
    num_between += c.num_between;
  }
  EXPECT_LT(num_calls, num_contested);
  // Small calls are predicted as on the fastest hosts, now and then a little below all records.
  EXPECT_GE(3 * num_between, num_calls);
}

TEST(ValidateCollectives, RowsCarryTheirSizeAndAreNamedByIt) {
  for (const validation::ValidationCase& c : collectives().cases) {
    ASSERT_TRUE(c.size_bytes.has_value()) << c.id;
    const std::string tail = "/" + c.group + "/" + std::to_string(std::llround(*c.size_bytes));
    EXPECT_TRUE(c.id.ends_with(tail)) << c.id;
    EXPECT_EQ(c.quantity, "bus_bandwidth");
    EXPECT_TRUE(c.predicted.has_value()) << c.id;
  }
}

// Half of the sizes of three devices inside a node are fitted to; the other half is held out.
TEST(ValidateCollectives, MostRowsAreNotCalibratedOn) {
  const validation::ValidationSummary& summary = collectives().summary;
  EXPECT_GT(summary.num_validate, summary.num_calibrate * 19 / 10);
}

TEST(ValidateCollectives, HalfTheScaleUpBandwidthMovesLargeBuffersInANode) {
  core::Node changed = suite();
  core::set_path(*changed.find("scenarios"),
                 "dgx-h100.cluster.node={model: dgx-h100, accelerator: {scale_up_bandwidth: "
                 "{value: 225 GB/s, source: test}}}");
  const auto result = validation::validate(changed, source_catalogue());
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    if (result.cases[i].id == "nccl-h100-8-dgxc/all_reduce/8589934592") {
      EXPECT_LT(*result.cases[i].predicted, 0.6 * *collectives().cases[i].predicted);
    }
  }
}

}  // namespace
}  // namespace railwright::test
