// SPDX-License-Identifier: Apache-2.0
// Reads the YAML of FlagScale, which has Megatron-LM's arguments in groups. [@flagscale_configs]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../common/shell_words.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

bool is_flagscale(std::string_view text);

/// Returns the arguments of all groups, and in `unset` those that a template fills in. Throws
/// ConfigError for what is no YAML.
core::Node flagscale_arguments(std::string_view text, const std::string& file,
                               std::vector<UnsetOption>& unset);

}  // namespace railwright::importers
