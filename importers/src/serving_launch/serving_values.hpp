// SPDX-License-Identifier: Apache-2.0
// Reads files that say in keys of their own which model is served and how: values of Helm charts,
// KServe's services, recipes of vLLM. [@serving_values]
#pragma once

#include <string>
#include <string_view>

#include "../common/manifest.hpp"

namespace railwright::importers {

/// Whether a text is one of them, by its keys.
bool is_serving_values(std::string_view text);

/// Writes them as the commands that they become. Throws ConfigError for a template, or if a
/// document is no YAML.
Manifest read_serving_values(std::string_view text, const std::string& file);

}  // namespace railwright::importers
