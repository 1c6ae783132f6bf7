// SPDX-License-Identifier: Apache-2.0
// Imports a configuration of GPT-NeoX. [@neox_arguments]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_gpt_neox(std::string_view head);
Imported import_gpt_neox(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kGptNeox{
    .name = "gpt-neox", .recognizes = is_gpt_neox, .read = import_gpt_neox};

}  // namespace railwright::importers
