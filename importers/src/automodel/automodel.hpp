// SPDX-License-Identifier: Apache-2.0
// Imports a recipe of NeMo Automodel. [@automodel_recipes]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_automodel(std::string_view head);
Imported import_automodel(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kAutomodel{
    .name = "automodel", .recognizes = is_automodel, .read = import_automodel};

}  // namespace railwright::importers
