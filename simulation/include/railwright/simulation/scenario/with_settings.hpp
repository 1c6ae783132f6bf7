// SPDX-License-Identifier: Apache-2.0
// Settings `path=value`, as `--set` has them, laid over a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// In order. Throws ConfigError for a malformed one.
core::Node with_settings(core::Node tree, const std::vector<std::string>& settings);

/// Says in a scenario's `name` what settings have changed: "Llama 2 70B on six nodes, with
/// cluster.nodes=8". Not where they set the name themselves.
void name_settings(core::Node& tree, const std::vector<std::string>& settings);

}  // namespace railwright::simulation
