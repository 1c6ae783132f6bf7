// SPDX-License-Identifier: Apache-2.0
// One run of each table that nothing was fitted to, as published and with its recipe taken away:
// what stating it is worth, and whether the interval covers what nobody stated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

using validation::ValidationCase;

/// The suite `outside` with the first row of each table.
core::Node first_rows() {
  core::Node suite = core::load_yaml(kSource + "/validation/data/outside.yaml");
  for (core::Node& table : suite.find("tables")->items) table.find("rows")->items.resize(1);
  return suite;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

bool is_held(const ValidationCase& one) {
  return one.step->low.base() <= one.published && one.published <= one.step->high.base();
}

TEST(WithoutRecipe, StatingItBringsTheErrorDownAndTheIntervalHoldsWhatIsNotStated) {
  const core::Node suite = first_rows();
  const auto stated = validation::validate(suite, source_catalogue());
  const auto bare = validation::validate(suite, source_catalogue(), {.without_recipe = true});
  std::vector<double> stated_errors;
  std::vector<double> bare_errors;
  int num_held = 0;
  int num_wider = 0;
  for (const ValidationCase& one : bare.cases) {
    const auto same = std::ranges::find(stated.cases, one.id, &ValidationCase::id);
    ASSERT_NE(same, stated.cases.end());
    if (!one.step || !same->step || one.step->time == same->step->time) continue;
    stated_errors.push_back(std::abs(*same->relative_error));
    bare_errors.push_back(std::abs(*one.relative_error));
    num_held += static_cast<int>(is_held(one));
    num_wider +=
        static_cast<int>(one.step->high / one.step->low > same->step->high / same->step->low);
  }
  const auto count = static_cast<double>(bare_errors.size());
  ASSERT_GE(count, 20.0);
  EXPECT_LT(median(stated_errors), 0.75 * median(bare_errors));
  EXPECT_GE(num_held, 0.65 * count);
  EXPECT_GE(num_wider, 0.65 * count);
}

}  // namespace
}  // namespace railwright::test
