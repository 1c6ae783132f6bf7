// SPDX-License-Identifier: Apache-2.0
// Imports a configuration of torchtune. [@torchtune_configs]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_torchtune(std::string_view head);
Imported import_torchtune(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kTorchtune{
    .name = "torchtune", .recognizes = is_torchtune, .read = import_torchtune};

}  // namespace railwright::importers
