// SPDX-License-Identifier: Apache-2.0
#include "objective_weights.hpp"

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/run_cost.hpp"
#include "railwright/workloads/training/run_power.hpp"

namespace railwright::planner {

ObjectiveRates objective_rates(const simulation::CheckedScenario& checked,
                               simulation::Objective objective) {
  ObjectiveRates rates{};
  if (objective == simulation::Objective::kThroughput ||
      objective == simulation::Objective::kMemory) {
    rates.fill(1.0);
    return rates;
  }
  const simulation::Scenario& scenario = checked.scenario;
  const core::PartsList parts = checked.topology->build(scenario.cluster).parts;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    simulation::Breakdown second;
    second.time[i] = core::Duration::from_base(1.0);
    const simulation::RunPower power = power_of_steps(scenario, parts, second);
    const double whole = objective == simulation::Objective::kEnergy
                             ? power.total_energy().base()
                             : run_cost(scenario, parts, power).run.base();
    rates[i] = whole / static_cast<double>(scenario.workload.steps);
  }
  return rates;
}

models::Ownership ownership_of(const simulation::CheckedScenario& checked) {
  const core::PartsList parts = checked.topology->build(checked.scenario.cluster).parts;
  simulation::Breakdown second;
  second.time.front() = core::Duration::from_base(1.0);
  return run_cost(checked.scenario, parts, power_of_steps(checked.scenario, parts, second))
      .ownership;
}

double value_of(const ObjectiveRates& rates, const simulation::Breakdown& breakdown) {
  double value = 0.0;
  for (std::size_t i = 0; i < rates.size(); ++i) value += rates[i] * breakdown.time[i].base();
  return value;
}

}  // namespace railwright::planner
