// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/spares.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/core/arithmetic.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

constexpr double kChance = 0.95;

bool takes_node_away(models::Component component) {
  return component != models::Component::kSoftware &&
         component != models::Component::kStorageNode && component != models::Component::kPower;
}

}  // namespace

int spares_for(const Scenario& scenario, const JobRun& run) {
  if (!scenario.reliability) return 0;
  double failures = 0.0;
  for (std::size_t i = 0; i < models::kNumComponents; ++i) {
    if (takes_node_away(static_cast<models::Component>(i))) failures += run.failures[i];
  }
  const double mean = failures * (scenario.reliability->repair.value / run.training_time());
  double probability = std::exp(-mean);
  double sum = probability;
  int spares = 0;
  const core::ComputeNode& node = scenario.cluster.node;
  const int num_trays = scenario.cluster.num_nodes * node.num_trays;
  while (sum < kChance && spares < num_trays) {
    ++spares;
    probability *= mean / spares;
    sum += probability;
  }
  const int not_in_racks = std::max(0, spares - scenario.cluster.num_nodes * node.spare_trays);
  return core::ceil_div(not_in_racks, node.num_trays);
}

}  // namespace railwright::simulation
