// SPDX-License-Identifier: Apache-2.0
// From a file to a scenario that can be simulated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// Reads a file and lays the settings of `--set` over it, in order.
core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings);
/// Files that it includes may lie in `include_folders` beside
/// the scenario's own.
core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& include_folders);

/// What a file without a training job describes, in words; empty where it has one. Of others only
/// `simulate` and some verbs know.
std::string_view other_kind(const core::Node& tree);

/// Reads a scenario from its tree and checks what no single field can say: divisibility, slots,
/// names of topologies. Throws ConfigError with every problem.
CheckedScenario read_scenario(const core::Node& tree, const core::Catalogue& catalogue);

/// Reads and checks the cluster of a scenario and passes over all its other keys.
CheckedCluster read_cluster(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
