// SPDX-License-Identifier: Apache-2.0
// Imports an experiment of Primus. [@primus_configs]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_primus(std::string_view head);
Imported import_primus(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kPrimus{.name = "primus", .recognizes = is_primus, .read = import_primus};

}  // namespace railwright::importers
