// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/estimator/configuration.hpp"
#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::simulation {

Configuration configuration_of(const CheckedScenario& checked) {
  Configuration made;
  for_each_knob([&](const auto& knob) { knob.copy(checked.scenario, made); });
  return made;
}

CheckedScenario with_configuration(const CheckedScenario& checked, const Configuration& c) {
  CheckedScenario made = checked;
  Scenario& scenario = made.scenario;
  for_each_knob([&](const auto& knob) { knob.copy(c, scenario); });
  models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                      made.layout);
  return made;
}

}  // namespace railwright::simulation
