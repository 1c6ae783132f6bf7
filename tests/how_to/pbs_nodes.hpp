// SPDX-License-Identifier: Apache-2.0
// An importer of its own, added as the how-to says: the nodes that `pbsnodes -a` lists.
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_pbs_nodes(std::string_view head);
Imported import_pbs_nodes(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kPbsNodes{
    .name = "pbs-nodes", .recognizes = is_pbs_nodes, .read = import_pbs_nodes};

}  // namespace railwright::importers
