// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "../../support/source_tree.hpp"
#include "railwright/planner/compare/fit_installation.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::test {
namespace {

using planner::Fit;
using planner::MeasuredRun;
using planner::NoFit;

simulation::CheckedScenario scenario_with(int nics, double compute, double nic) {
  core::Node tree = nics_example();
  core::set_path(tree, "cluster.node.nics.count=" + std::to_string(nics));
  simulation::CheckedScenario checked = simulation::read_scenario(tree, source_catalogue());
  checked.scenario.installation.compute_efficiency.value = compute;
  checked.scenario.installation.nic_efficiency.value = nic;
  return checked;
}

MeasuredRun measured(int nics, double compute, double nic) {
  MeasuredRun run;
  run.scenario = scenario_with(nics, compute, nic);
  run.step_time = simulation::simulate(run.scenario).step_time;
  return run;
}

TEST(FitInstallation, FindsTheFactorsThatMadeTheTimes) {
  const auto fit = planner::fit_installation({measured(8, 0.61, 0.23), measured(4, 0.61, 0.23)});
  ASSERT_TRUE(std::holds_alternative<Fit>(fit));
  EXPECT_NEAR(std::get<Fit>(fit).compute_efficiency, 0.61, 1e-6);
  EXPECT_NEAR(std::get<Fit>(fit).nic_efficiency, 0.23, 1e-6);
}

TEST(FitInstallation, LeastSquaresOfThreeMeasurements) {
  auto low = measured(8, 0.5, 0.3);
  auto high = low;
  low.step_time *= 0.99;
  high.step_time *= 1.01;
  const auto fit = planner::fit_installation({low, high, measured(4, 0.5, 0.3)});
  ASSERT_TRUE(std::holds_alternative<Fit>(fit));
  EXPECT_NEAR(std::get<Fit>(fit).compute_efficiency, 0.5, 0.005);
  EXPECT_NEAR(std::get<Fit>(fit).largest_residual, 0.01, 0.002);
}

TEST(FitInstallation, RefusesTheSameMeasurementTwice) {
  const auto same = measured(8, 0.5, 0.3);
  const auto fit = planner::fit_installation({same, same});
  ASSERT_TRUE(std::holds_alternative<NoFit>(fit));
  EXPECT_EQ(std::get<NoFit>(fit).why,
            "the measurements cannot tell compute and NIC efficiency apart");
}

TEST(FitInstallation, RefusesOneMeasurement) {
  const auto fit = planner::fit_installation({measured(8, 0.5, 0.3)});
  ASSERT_TRUE(std::holds_alternative<NoFit>(fit));
  EXPECT_EQ(std::get<NoFit>(fit).why, "two factors need at least two measurements");
}

TEST(FitInstallation, RefusesASiteFasterThanItsDevices) {
  auto eight = measured(8, 1.0, 0.3);
  auto four = measured(4, 1.0, 0.3);
  eight.step_time *= 0.6;
  four.step_time *= 0.65;
  const auto fit = planner::fit_installation({eight, four});
  EXPECT_TRUE(std::holds_alternative<NoFit>(fit));
}

}  // namespace
}  // namespace railwright::test
