// SPDX-License-Identifier: Apache-2.0
// Which settings of a training recipe a scenario states, and which it leaves to the profile.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::simulation {

struct Scenario;

/// Keys of the software profile in which published recipes differ, of those that act on this step.
struct RecipeSettings {
  std::vector<std::string> stated;   ///< given with the scenario, or by an imported file
  std::vector<std::string> assumed;  ///< left to the profile
};

/// Sorts the settings that act on the step by whether `tree`, its source, has them.
RecipeSettings recipe_settings(const core::Node& tree, const Scenario& scenario,
                               const models::Layout& layout);

}  // namespace railwright::simulation
