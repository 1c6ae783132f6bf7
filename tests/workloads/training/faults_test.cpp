// SPDX-License-Identifier: Apache-2.0
// A broken part is a scenario like any other: the step goes around it and takes longer.
#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

/// Eight nodes on rails, with nothing hidden behind computation, so that all that the network loses
/// is seen.
test::Settings rails_with_faults(const std::string& faults) {
  test::Settings settings{
      "cluster.nodes=8",
      "cluster.fabric={topology: rail_optimized, switch: qm9790, nodes_per_group: 4, "
      "num_spines: 2}",
      "parallelism.tp=4", "parallelism.sequence_parallel=true"};
  if (!faults.empty()) settings.push_back("cluster.faults={" + faults + "}");
  return test::join(settings, test::overlaps(false));
}

double step_time(const std::string& faults) {
  return simulate(test::scenario(rails_with_faults(faults))).step_time.base();
}

class Fault : public ::testing::TestWithParam<std::string> {};

TEST_P(Fault, IsRoutedAroundAndTheStepTakesLonger) {
  static const double kSound = step_time("");
  const double broken = step_time(GetParam());
  EXPECT_GT(broken, 1.001 * kSound);
  EXPECT_LT(broken, 10.0 * kSound);
}

INSTANTIATE_TEST_SUITE_P(
    Simulate, Fault,
    ::testing::Values("nics: [{node: 3, nic: 1}]", "links: [{from: node 3 NIC 1, to: leaf 1}]",
                      "links: [{from: leaf 0, to: spine 0}, {from: leaf 0, to: spine 1}]",
                      "switches: [leaf 3]", "nodes_slow: [{node: 5, speed: 0.5}]"));

TEST_P(Fault, IsEstimatedAsWell) {
  const auto estimate = [](const std::string& faults) {
    return simulate(test::scenario(rails_with_faults(faults)), {.method = Method::kEstimate})
        .step_time.base();
  };
  EXPECT_GT(estimate(GetParam()), 1.001 * estimate(""));
}

TEST(SimulatedFaults, ASpineAndAnUplinkAreRoutedAround) {
  const double sound = step_time("");
  EXPECT_GE(step_time("switches: [spine 1]"), sound);
  EXPECT_GE(step_time("links: [{from: leaf 0, to: spine 0}]"), sound);
}

TEST(SimulatedFaults, ACutOffNodeIsAnErrorThatSaysSo) {
  std::string all;
  for (int nic = 0; nic < 8; ++nic) {
    all += (nic > 0 ? ", " : "") + std::string("{node: 3, nic: ") + std::to_string(nic) + "}";
  }
  for (const std::string& faults :
       {"nics: [" + all + "]", std::string("switches: [spine 0, spine 1]")}) {
    try {
      step_time(faults);
      ADD_FAILURE() << faults;
    } catch (const core::ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("is cut off"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace railwright::simulation
