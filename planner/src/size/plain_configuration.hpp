// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::planner {

/// Returns settings that make the scenario legal on any number of nodes, before the search.
inline std::vector<std::string> plain_configuration(const simulation::Scenario& scenario) {
  const simulation::Configuration plain;
  std::vector<std::string> settings;
  simulation::for_each_knob([&](const auto& knob) {
    if (!simulation::divides(knob.kind)) return;
    simulation::Configuration now;
    knob.copy(scenario, now);
    if (knob.number(now) != knob.number(plain)) settings.push_back(knob.setting(plain));
  });
  return settings;
}

}  // namespace railwright::planner
