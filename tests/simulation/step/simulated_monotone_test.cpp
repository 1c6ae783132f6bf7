// SPDX-License-Identifier: Apache-2.0
// Taking something away from a whole class of equipment hardly ever makes a simulated step faster.
// It can: a transfer that comes later may leave the link to one that more waits for (see
// tests/core/sim/anomaly_test.cpp), and the library chooses protocols by its own model. Nothing is
// clamped; the worst is printed, and more than 2 % fails.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

#include "../closed_form/random_scenario.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

constexpr int kSimulated = 660;
constexpr double kMax = 0.02;

core::Duration simulated(const test::RandomSystem& system) {
  const auto built = system.checked.topology->build(system.checked.scenario.cluster);
  return simulate_without_run(system.checked, built).step_time;
}

TEST(Simulate, IsHardlyEverFasterWithLess) {
  test::RandomScenarios scenarios(20260115);
  core::RandomStream random(11);
  const auto& worsenings = test::worsenings();
  double most = 0.0;
  std::string worst = "none";
  int num_slower = 0;
  int num_run = 0;
  for (int i = 0; i < kSimulated; ++i) {
    const test::RandomSystem system = scenarios.next();
    const auto& worsening = worsenings[static_cast<std::size_t>(i) % worsenings.size()];
    test::RandomSystem worse = system;
    worsening.apply(worse, random);
    const core::Duration base = simulated(system);
    const core::Duration time = simulated(worse);
    // Too little memory is a result without a time.
    if (base == core::Duration{} || time == core::Duration{}) continue;
    ++num_run;
    if (time > base) ++num_slower;
    const double gain = 1.0 - time / base;
    if (gain <= most) continue;
    most = gain;
    worst = fmt::format("less {}: {}; now {}", worsening.name, system.describe(), worse.describe());
  }
  std::cout << fmt::format("{} of {} designs slower; the most that one gained: {:.2g} %, {}\n",
                           num_slower, num_run, 100.0 * most, worst);
  EXPECT_LE(most, kMax);
  EXPECT_GT(num_run, kSimulated / 2);
  EXPECT_GT(num_slower, num_run / 3);
}

}  // namespace
}  // namespace railwright::simulation
