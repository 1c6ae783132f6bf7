// SPDX-License-Identifier: Apache-2.0
// An estimate from tables asks for no memory.
#include "../../support/allocations.hpp"

#include <gtest/gtest.h>

#include "configurations.hpp"

namespace railwright::simulation {
namespace {

TEST(Estimator, AllocatesNothing) {
  core::RandomStream random(5);
  int num_estimates = 0;
  for (const test::Job& job : test::jobs()) {
    Estimator estimator(job.base);
    for (int i = 0; i < 60; ++i) {
      const Configuration configuration = test::draw_configuration(job.base, random);
      const std::size_t before_tables = test::num_allocations();
      if (estimator.prepare(configuration) != EstimateStatus::kOk) continue;
      const std::size_t before = test::num_allocations();
      const Estimate estimate = estimator.estimate(configuration);
      EXPECT_EQ(test::num_allocations(), before) << job.name << test::to_text(configuration);
      EXPECT_GT(estimate.step_time, core::Duration{});
      num_estimates += before > before_tables ? 1 : 0;
    }
  }
  // The count would stay the same too if nothing were counted.
  EXPECT_GT(num_estimates, 100);
}

}  // namespace
}  // namespace railwright::simulation
