// SPDX-License-Identifier: Apache-2.0
// Imports the TOML of torchtitan, or arguments of it in a script. [@torchtitan_config]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_torchtitan(std::string_view head);
Imported import_torchtitan(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kTorchtitan{.name = "torchtitan",
                                      .recognizes = is_torchtitan,
                                      .read = import_torchtitan,
                                      .choose = with_variables};

}  // namespace railwright::importers
