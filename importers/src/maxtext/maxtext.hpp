// SPDX-License-Identifier: Apache-2.0
// Imports a configuration of MaxText, or arguments of it in a script. [@maxtext_config]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_maxtext(std::string_view head);
Imported import_maxtext(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kMaxtext{
    .name = "maxtext", .recognizes = is_maxtext, .read = import_maxtext, .choose = with_variables};

}  // namespace railwright::importers
