// SPDX-License-Identifier: Apache-2.0
// Published throughputs of serving, and accelerators that keep published latencies, stay predicted
// as well as they are. Nothing is fitted to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

TEST(ValidateServing, StaysWithinItsBars) {
  const validation::ValidationResult result =
      validation::validate(core::load_yaml(simulation::suite_path("serving")), source_catalogue());
  std::vector<double> errors;
  std::vector<double> of_accelerators;
  for (const validation::ValidationCase& row : result.cases) {
    ASSERT_TRUE(row.relative_error) << row.id;
    EXPECT_EQ(row.kind, validation::RowKind::kPrediction) << row.id;
    (row.quantity == "throughput" ? errors : of_accelerators)
        .push_back(std::abs(*row.relative_error));
  }
  ASSERT_EQ(errors.size(), 53U);
  std::ranges::sort(errors);
  EXPECT_LE(errors[26], 0.065);
  EXPECT_LE(errors[47], 0.16);
  ASSERT_EQ(of_accelerators.size(), 8U);
  std::ranges::sort(of_accelerators);
  EXPECT_LE(of_accelerators[4], 0.16);
  EXPECT_LE(of_accelerators[6], 0.25);
}

}  // namespace
}  // namespace railwright::test
