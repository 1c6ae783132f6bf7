// SPDX-License-Identifier: Apache-2.0
// Imports cables that a manager of a fabric lists as JSON: NetQ's neighbours by LLDP [@netq], UFM's
// links [@ufm].
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_link_list(std::string_view head);
Imported import_link_list(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kLinkList{
    .name = "link-list", .recognizes = is_link_list, .read = import_link_list};

}  // namespace railwright::importers
