// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/spares.hpp"

#include <cmath>

namespace railwright::planner {

namespace {

constexpr double kChance = 0.95;

bool takes_node_away(models::Component component) {
  return component != models::Component::kSoftware && component != models::Component::kStorageNode;
}

}  // namespace

int spares_for(const simulation::Scenario& scenario, const simulation::JobRun& run) {
  if (!scenario.reliability) return 0;
  double failures = 0.0;
  for (std::size_t i = 0; i < models::kNumComponents; ++i) {
    if (takes_node_away(static_cast<models::Component>(i))) failures += run.failures[i];
  }
  const double mean = failures * (scenario.reliability->repair.value / run.training_time());
  double probability = std::exp(-mean);
  double sum = probability;
  int spares = 0;
  while (sum < kChance && spares < scenario.cluster.num_nodes) {
    ++spares;
    probability *= mean / spares;
    sum += probability;
  }
  return spares;
}

}  // namespace railwright::planner
