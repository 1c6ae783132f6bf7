// SPDX-License-Identifier: Apache-2.0
// Published throughputs of serving stay predicted as well as they are. Nothing is fitted to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

TEST(ValidateServing, ThroughputStaysWithinItsBars) {
  const validation::ValidationResult result =
      validation::validate(core::load_yaml(simulation::suite_path("serving")), source_catalogue());
  std::vector<double> errors;
  for (const validation::ValidationCase& row : result.cases) {
    ASSERT_TRUE(row.relative_error) << row.id;
    EXPECT_EQ(row.kind, validation::RowKind::kPrediction) << row.id;
    errors.push_back(std::abs(*row.relative_error));
  }
  ASSERT_EQ(errors.size(), 47U);
  std::ranges::sort(errors);
  EXPECT_LE(errors[23], 0.11);
  EXPECT_LE(errors[42], 0.30);
}

}  // namespace
}  // namespace railwright::test
