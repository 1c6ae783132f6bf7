// SPDX-License-Identifier: Apache-2.0
// Reads a file into a scenario that can be simulated.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

struct CheckedCluster;
struct CheckedScenario;

/// Reads a file and lays the settings of `--set` over it, in order.
core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings);
/// Also allows included files in `include_folders`, in addition to the scenario's own folder.
core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& include_folders);

/// Reads the scenario of a training job from its tree and checks relations between fields:
/// divisibility, slots, names of topologies. Throws ConfigError with every problem.
CheckedScenario read_scenario(const core::Node& tree, const core::Catalogue& catalogue);

/// Reads and checks the cluster of a scenario and ignores all its other keys.
CheckedCluster read_cluster(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
