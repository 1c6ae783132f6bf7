// SPDX-License-Identifier: Apache-2.0
// Settings `path=value`, as `--set` has them, laid over a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// In order. Throws ConfigError for a malformed one.
core::Node with_settings(core::Node tree, const std::vector<std::string>& settings);

}  // namespace railwright::simulation
