// SPDX-License-Identifier: Apache-2.0
// Taking something away never makes the estimate faster, but for what a collective library loses by
// choosing its protocol by its own model: on a slower link it may choose better.
#include <gtest/gtest.h>

#include "railwright/planner/estimate/estimate.hpp"
#include "random_scenario.hpp"

namespace railwright::planner {
namespace {

core::Duration estimate(const test::RandomSystem& system) {
  return estimate_step(system.checked, *system.checked.topology).total();
}

constexpr int kScenarios = 2040;
constexpr double kChoice = 1e-5;

TEST(Estimate, IsNeverFasterWithLess) {
  test::RandomScenarios scenarios(20240501);
  core::RandomStream random(7);
  const auto& worsenings = test::worsenings();
  int num_slower = 0;
  for (int i = 0; i < kScenarios; ++i) {
    const test::RandomSystem system = scenarios.next();
    const core::Duration base = estimate(system);
    const auto& worsening = worsenings[static_cast<std::size_t>(i) % worsenings.size()];
    test::RandomSystem worse = system;
    worsening.apply(worse, random);
    const core::Duration time = estimate(worse);
    EXPECT_GE(time / base, 1.0 - kChoice)
        << "less " << worsening.name << ": " << system.describe() << "; now " << worse.describe();
    if (time > base) ++num_slower;
  }
  // The property would hold of a constant too.
  EXPECT_GT(num_slower, kScenarios / 3);
}

}  // namespace
}  // namespace railwright::planner
