// SPDX-License-Identifier: Apache-2.0
// Reads TOML into the tree that YAML is read into.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// Keeps the place of each value. Throws ConfigError.
core::Node parse_toml(std::string_view text, const std::string& file);

}  // namespace railwright::importers
