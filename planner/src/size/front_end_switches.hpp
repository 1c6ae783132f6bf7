// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::planner {

struct FrontEndSwitches {
  std::vector<simulation::Change> changes;  ///< none if the scenario's own switches suffice
  std::string missing;  ///< the shortfall that remains; "" if all can be plugged in

  [[nodiscard]] std::vector<std::string> settings() const {
    std::vector<std::string> all;
    for (const simulation::Change& change : changes) all.push_back(change.setting);
    return all;
  }
};

/// Returns the fewest front-end switches that all nodes and storage nodes can be plugged into; if
/// no number suffices, as many as help.
FrontEndSwitches front_end_switches(const core::Node& tree, const core::Catalogue& catalogue);
FrontEndSwitches front_end_switches(const simulation::ScenarioSource& source);

}  // namespace railwright::planner
