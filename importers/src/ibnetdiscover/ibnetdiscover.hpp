// SPDX-License-Identifier: Apache-2.0
// Imports an InfiniBand fabric as `ibnetdiscover` prints it. [@ibnetdiscover]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_ibnetdiscover(std::string_view head);
Imported import_ibnetdiscover(std::string_view text, const std::string& file,
                              const core::Node& known);

inline constexpr Importer kIbNetDiscover{
    .name = "ibnetdiscover", .recognizes = is_ibnetdiscover, .read = import_ibnetdiscover};

}  // namespace railwright::importers
