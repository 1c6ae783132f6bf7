// SPDX-License-Identifier: Apache-2.0
// Measured collectives, and the benchmark scenario that each of their rows is.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/verbs/validate.hpp"
#include "support.hpp"

namespace railwright::test {
namespace {

constexpr double kMebibyte = 1048576.0;

core::Node suite() { return core::load_yaml(planner::suite_path("collectives")); }

const planner::ValidationResult& collectives() {
  static const planner::ValidationResult result = planner::validate(suite(), source_catalogue());
  return result;
}

TEST(ValidateCollectives, MediansStayWithinWhatWasReached) {
  std::map<std::pair<std::string, double>, double> medians;
  for (const planner::SizeClass& c : collectives().summary.size_classes) {
    medians[{c.group, c.from_bytes}] = c.median_absolute_error;
  }
  EXPECT_LE(medians.at({"all_reduce", 0.0}), 0.30);
  EXPECT_LE(medians.at({"all_reduce", 64 * kMebibyte}), 0.06);
  EXPECT_LE(medians.at({"reduce_scatter", 64 * kMebibyte}), 0.05);
}

TEST(ValidateCollectives, RowsCarryTheirSizeAndAreNamedByIt) {
  for (const planner::ValidationCase& c : collectives().cases) {
    ASSERT_TRUE(c.size_bytes.has_value()) << c.id;
    const std::string tail = "/" + c.group + "/" + std::to_string(std::llround(*c.size_bytes));
    EXPECT_TRUE(c.id.ends_with(tail)) << c.id;
    EXPECT_EQ(c.quantity, "bus_bandwidth");
    EXPECT_TRUE(c.predicted.has_value()) << c.id;
  }
}

TEST(ValidateCollectives, MostRowsAreNotCalibratedOn) {
  const planner::ValidationSummary& summary = collectives().summary;
  EXPECT_GT(summary.num_validate, 8 * summary.num_calibrate);
}

TEST(ValidateCollectives, HalfTheScaleUpBandwidthMovesLargeBuffersInANode) {
  core::Node changed = suite();
  core::set_path(*changed.find("scenarios"),
                 "dgx-h100.cluster.node={model: dgx-h100, accelerator: {scale_up_bandwidth: "
                 "{value: 225 GB/s, source: test}}}");
  const auto result = planner::validate(changed, source_catalogue());
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    if (result.cases[i].id == "nccl-h100-8-dgxc/all_reduce/8589934592") {
      EXPECT_LT(*result.cases[i].predicted, 0.6 * *collectives().cases[i].predicted);
    }
  }
}

}  // namespace
}  // namespace railwright::test
