// SPDX-License-Identifier: Apache-2.0
// Combinations of the parts that a cluster may be made of.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::simulation {
struct Scenario;
}  // namespace railwright::simulation

namespace railwright::planner {

struct SizeOption {
  std::string name;
  std::vector<std::string> settings;
};

/// Lists every combination. If no parts are allowed, returns one with the scenario's own parts and
/// the name of its node.
std::vector<SizeOption> size_options(const simulation::Scenario& scenario,
                                     const core::Catalogue& catalogue);

}  // namespace railwright::planner
