// SPDX-License-Identifier: Apache-2.0
// Published steps of post-training stay predicted as well as they are. Nothing is fitted to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

TEST(ValidatePostTraining, StaysWithinItsBars) {
  const validation::ValidationResult result = validation::validate(
      core::load_yaml(simulation::suite_path("post-training")), source_catalogue());
  EXPECT_TRUE(result.skipped.empty());
  std::vector<double> errors;
  for (const validation::ValidationCase& row : result.cases) {
    ASSERT_TRUE(row.relative_error) << row.id;
    EXPECT_EQ(row.kind, validation::RowKind::kPrediction) << row.id;
    errors.push_back(std::abs(*row.relative_error));
  }
  ASSERT_EQ(errors.size(), 8U);
  std::ranges::sort(errors);
  EXPECT_LE(errors[4], 0.28);
  EXPECT_LE(errors[7], 0.42);
}

}  // namespace
}  // namespace railwright::test
