// SPDX-License-Identifier: Apache-2.0
// Estimates of random configurations against their simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "../estimator/configurations.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {
namespace {

TEST(Estimator, AgreesWithTheSimulationAsFarAsItSays) {
  core::RandomStream random(23);
  std::array<double, kNumApproximations> nearest{};  // to what is stated, as a share of it
  std::array<int, kNumApproximations> number{};
  for (const test::Job& job : test::jobs()) {
    Estimator estimator(job.base);
    const auto built = job.base.topology->build(job.base.scenario.cluster);
    for (int i = 0, made = 0; i < 1000 && made < 40; ++i) {
      const Configuration configuration = test::draw_configuration(job.base, random);
      if (estimator.prepare(configuration) != EstimateStatus::kOk) continue;
      ++made;
      const Estimate estimate = estimator.estimate(configuration);
      const CheckedScenario checked = with_configuration(job.base, configuration);
      const StepResult step = simulate_step(step_costs(checked, built.fabric));
      const double difference = std::abs(step.step_time / estimate.step_time - 1.0);
      EXPECT_LE(difference, estimate.error_bound) << job.name << test::to_text(configuration);
      const auto kind = static_cast<std::size_t>(estimate.approximation);
      nearest[kind] = std::max(nearest[kind], difference / estimate.error_bound);
      ++number[kind];
    }
  }
  EXPECT_GE(number[0], 200);
  // Bounds that nothing comes near to would say nothing.
  for (std::size_t kind = 0; kind < nearest.size(); ++kind) {
    RecordProperty("nearest_" + std::to_string(kind), std::to_string(nearest[kind]));
    const auto approximation = static_cast<Approximation>(kind);
    if (approximation == Approximation::kCrowdedSends) continue;
    if (approximation == Approximation::kCrowdedCalls) continue;
    if (approximation == Approximation::kLayerCollectives) continue;  // few of them
    EXPECT_GT(nearest[kind], 0.15) << kind << " of " << number[kind];
  }
}

}  // namespace
}  // namespace railwright::simulation
