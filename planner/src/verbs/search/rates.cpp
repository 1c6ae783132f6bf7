// SPDX-License-Identifier: Apache-2.0
#include "rates.hpp"

#include "railwright/planner/verbs/power_of_steps.hpp"
#include "railwright/planner/verbs/run_cost.hpp"

namespace railwright::planner {

ObjectiveRates objective_rates(const CheckedScenario& checked, Objective objective) {
  ObjectiveRates rates{};
  if (objective == Objective::kThroughput || objective == Objective::kMemory) {
    rates.fill(1.0);
    return rates;
  }
  const Scenario& scenario = checked.scenario;
  const core::PartsList parts = checked.topology->build(scenario.cluster).parts;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    Breakdown second;
    second.time[i] = core::Duration::from_base(1.0);
    const RunPower power = power_of_steps(scenario, parts, second);
    const double whole = objective == Objective::kEnergy
                             ? power.total_energy().base()
                             : run_cost(scenario, parts, power).run.base();
    rates[i] = whole / static_cast<double>(scenario.workload.steps);
  }
  return rates;
}

double value_of(const ObjectiveRates& rates, const Breakdown& breakdown) {
  double value = 0.0;
  for (std::size_t i = 0; i < rates.size(); ++i) value += rates[i] * breakdown.time[i].base();
  return value;
}

}  // namespace railwright::planner
