// SPDX-License-Identifier: Apache-2.0
// The combinations of parts that a cluster may be made of.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

struct SizeOption {
  std::string name;
  std::vector<std::string> settings;
};

/// Every combination; one with the scenario's own parts and its name where nothing is allowed
/// beside them.
std::vector<SizeOption> size_options(const simulation::Scenario& scenario,
                                     const core::Catalogue& catalogue);

}  // namespace railwright::planner
