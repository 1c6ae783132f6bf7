// SPDX-License-Identifier: Apache-2.0
// MLPerf Storage: half of the products fits hand-over and jitter, the other half is predicted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

using validation::ClaimRole;
using validation::ValidationCase;

class ValidateStorage : public testing::Test {
 protected:
  static const std::vector<ValidationCase>& rows() {
    static const std::vector<ValidationCase> kRows = [] {
      std::vector<ValidationCase> rows;
      for (ValidationCase& row :
           validation::validate(core::load_yaml(simulation::suite_path("storage")),
                                source_catalogue())
               .cases) {
        if (!row.product.empty()) rows.push_back(std::move(row));
      }
      return rows;
    }();
    return kRows;
  }
};

TEST_F(ValidateStorage, UtilizationStaysWithinItsBars) {
  std::vector<double> errors;
  for (const ValidationCase& row : rows()) {
    ASSERT_TRUE(row.relative_error) << row.id;
    if (row.role == ClaimRole::kValidate) errors.push_back(std::abs(*row.relative_error));
  }
  ASSERT_EQ(rows().size(), 93U);
  ASSERT_EQ(errors.size(), 47U);
  std::ranges::sort(errors);
  EXPECT_LE(errors[23], 0.033);
  EXPECT_LE(errors[42], 0.08);
}

TEST_F(ValidateStorage, AProductIsFittedToOrLeftOutAsAWhole) {
  std::map<std::string, std::set<ClaimRole>> roles;
  for (const ValidationCase& row : rows()) roles[row.product].insert(row.role);
  EXPECT_EQ(roles.size(), 13U);
  for (const auto& [product, of_product] : roles) EXPECT_EQ(of_product.size(), 1U) << product;
}

TEST_F(ValidateStorage, TheBaselineIsTheMeanOfOtherProductsWithTheSameWorkload) {
  for (const ValidationCase& row : rows()) {
    double sum = 0.0;
    int count = 0;
    for (const ValidationCase& other : rows()) {
      if (other.group != row.group || other.product == row.product) continue;
      sum += other.published;
      ++count;
    }
    ASSERT_TRUE(row.constant_baseline);
    EXPECT_NEAR(*row.constant_baseline, sum / count / row.published - 1.0, 1e-12) << row.id;
  }
}

}  // namespace
}  // namespace railwright::test
