// SPDX-License-Identifier: Apache-2.0
// Imports an InfiniBand fabric from the list of cables that `ibdiagnet` leaves in ibdiagnet2.lst.
// [@ibdiagnet]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_ibdiagnet(std::string_view head);
Imported import_ibdiagnet(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kIbDiagnet{
    .name = "ibdiagnet", .recognizes = is_ibdiagnet, .read = import_ibdiagnet};

}  // namespace railwright::importers
