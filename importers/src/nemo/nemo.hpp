// SPDX-License-Identifier: Apache-2.0
// Imports a YAML recipe of NeMo. [@nemo_recipes]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_nemo(std::string_view head);
Imported import_nemo(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kNemo{
    .name = "nemo", .recognizes = is_nemo, .read = import_nemo, .marks = Marks::kCommon};

}  // namespace railwright::importers
