// SPDX-License-Identifier: Apache-2.0
// Imports a configuration of nanotron. [@nanotron_config]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_nanotron(std::string_view head);
Imported import_nanotron(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kNanotron{
    .name = "nanotron", .recognizes = is_nanotron, .read = import_nanotron};

}  // namespace railwright::importers
