// SPDX-License-Identifier: Apache-2.0
// Imports overrides of a recipe of Megatron-Bridge, in YAML or in a script, and what ms-swift
// trains by Megatron. [@bridge_overrides]
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_megatron_bridge(std::string_view head);
Imported import_megatron_bridge(std::string_view text, const std::string& file,
                                const core::Node& known);

/// Returns a script with chosen variables, or a module of Python with the one recipe.
std::optional<std::string> choose_of_bridge(std::string_view text, const std::string& file,
                                            const ImportChoices& choices);

inline constexpr Importer kMegatronBridge{.name = "megatron-bridge",
                                          .recognizes = is_megatron_bridge,
                                          .read = import_megatron_bridge,
                                          .choose = choose_of_bridge};

}  // namespace railwright::importers
