// SPDX-License-Identifier: Apache-2.0
// Published training steps, with nothing fitted to any of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/verbs/validate.hpp"
#include "support.hpp"

namespace railwright::test {
namespace {

const planner::ValidationResult& published() {
  static const planner::ValidationResult result =
      planner::validate(core::load_yaml(planner::suite_path("published")), source_catalogue());
  return result;
}

std::map<std::string, std::vector<double>> errors_by_family() {
  std::map<std::string, std::vector<double>> errors;
  for (const planner::ValidationCase& c : published().cases) {
    errors[c.group].push_back(c.relative_error.value_or(1.0));
  }
  for (auto& [family, of_family] : errors) std::ranges::sort(of_family);
  return errors;
}

TEST(ValidatePublished, EveryRecordRunsAndNothingIsFitted) {
  EXPECT_GE(published().cases.size(), 100U);
  for (const planner::ValidationCase& c : published().cases) {
    EXPECT_TRUE(c.predicted.has_value()) << c.id;
    EXPECT_EQ(c.role, planner::ClaimRole::kValidate) << c.id;
  }
}

/// Medians as they were reached; what is too fast by as much everywhere is one factor, which a
/// fitted efficiency would take away. The spread is the model's own.
TEST(ValidatePublished, MediansAndSpreadsByFamilyStay) {
  const auto errors = errors_by_family();
  const auto median = [&](const char* family) {
    const std::vector<double>& of_family = errors.at(family);
    return of_family[of_family.size() / 2];
  };
  EXPECT_NEAR(median("megatron_sc21"), -0.14, 0.03);
  EXPECT_NEAR(median("korthikanti2022"), -0.08, 0.03);
  EXPECT_NEAR(median("vtrain_multi"), -0.10, 0.03);
  EXPECT_NEAR(median("bloom_176b"), -0.28, 0.05);
  EXPECT_LT(errors.at("megatron_sc21").back() - errors.at("megatron_sc21").front(), 0.10);
  EXPECT_LT(errors.at("korthikanti2022").back() - errors.at("korthikanti2022").front(), 0.12);
}

}  // namespace
}  // namespace railwright::test
