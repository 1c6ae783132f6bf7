// SPDX-License-Identifier: Apache-2.0
// Configurations as changes of a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::planner {

/// Lists the changes that make `scenario` the configuration `made`.
std::vector<simulation::Change> changes_between(const simulation::Scenario& scenario,
                                                const simulation::Configuration& made);
/// Returns their settings, `path=value` as for `--set`.
std::vector<std::string> settings_between(const simulation::Scenario& scenario,
                                          const simulation::Configuration& made);

}  // namespace railwright::planner
