// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/estimator/configuration.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "set_configuration.hpp"

namespace railwright::simulation {

Configuration configuration_of(const CheckedScenario& checked) {
  Configuration made;
  for_each_knob([&](const auto& knob) { knob.copy(checked.scenario, made); });
  return made;
}

CheckedScenario with_configuration(const CheckedScenario& checked, const Configuration& c) {
  CheckedScenario made = checked;
  set_configuration(c, made);
  return made;
}

void set_configuration(const Configuration& c, CheckedScenario& checked) {
  Scenario& scenario = checked.scenario;
  for_each_knob([&](const auto& knob) { knob.copy(c, scenario); });
  models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                      checked.layout);
}

}  // namespace railwright::simulation
