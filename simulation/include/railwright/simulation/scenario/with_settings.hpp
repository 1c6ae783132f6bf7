// SPDX-License-Identifier: Apache-2.0
// Settings `path=value`, as in `--set`, that override a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// Applies settings in order. Throws ConfigError for a malformed one.
core::Node with_settings(core::Node tree, const std::vector<std::string>& settings);

/// Appends the settings to a scenario's `name`: "Llama 2 70B on six nodes, with cluster.nodes=8".
/// Does nothing if they set the name themselves.
void name_settings(core::Node& tree, const std::vector<std::string>& settings);

/// Drops, in every catalogue entry, overrides of a model that was replaced later: YAML cannot
/// express them.
void settle(core::Node& scenario);

}  // namespace railwright::simulation
