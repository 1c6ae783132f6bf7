// SPDX-License-Identifier: Apache-2.0
// Published latencies of serving at a number of requests under way stay predicted as well as they
// are, those of the families that nothing is fitted to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

double at_share(std::vector<double> errors, double share) {
  std::ranges::sort(errors);
  return errors[static_cast<std::size_t>(share * static_cast<double>(errors.size()))];
}

TEST(ValidateServingLatency, StaysWithinItsBars) {
  const validation::ValidationResult result = validation::validate(
      core::load_yaml(simulation::suite_path("serving-latency")), source_catalogue());
  EXPECT_GE(result.cases.size(), 3100U);
  std::vector<double> of_tokens;
  std::vector<double> of_first;
  for (const validation::ValidationCase& row : result.cases) {
    const bool counts =
        row.relative_error && row.group.starts_with("held") && !row.group.ends_with("apart");
    if (!counts) continue;
    const bool is_first = row.quantity == "time_to_first_token";
    (is_first ? of_first : of_tokens).push_back(std::abs(*row.relative_error));
  }
  EXPECT_LE(at_share(of_tokens, 0.5), 0.09);
  EXPECT_LE(at_share(of_tokens, 0.9), 0.275);
  EXPECT_LE(at_share(of_first, 0.5), 0.205);
  EXPECT_LE(at_share(of_first, 0.9), 0.62);
}

}  // namespace
}  // namespace railwright::test
