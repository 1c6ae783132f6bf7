// SPDX-License-Identifier: Apache-2.0
// Imports an InfiniBand fabric as `iblinkinfo` prints it. [@iblinkinfo]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_iblinkinfo(std::string_view head);
Imported import_iblinkinfo(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kIbLinkInfo{
    .name = "iblinkinfo", .recognizes = is_iblinkinfo, .read = import_iblinkinfo};

}  // namespace railwright::importers
