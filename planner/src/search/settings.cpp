// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <utility>

#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::planner {

std::vector<simulation::Change> changes_between(const simulation::Scenario& scenario,
                                                const simulation::Configuration& made) {
  // In order: an absent etp is tp, which an earlier change may have set.
  simulation::Scenario changed = scenario;
  std::vector<simulation::Change> changes;
  simulation::for_each_knob([&](const auto& knob) {
    simulation::Configuration before;
    knob.copy(changed, before);
    if (knob.number(before) == knob.number(made)) return;
    changes.push_back(knob.change_to(made));
    knob.copy(made, changed);
  });
  return changes;
}

std::vector<std::string> settings_between(const simulation::Scenario& scenario,
                                          const simulation::Configuration& made) {
  std::vector<std::string> settings;
  for (simulation::Change& change : changes_between(scenario, made)) {
    settings.push_back(std::move(change.setting));
  }
  return settings;
}

}  // namespace railwright::planner
