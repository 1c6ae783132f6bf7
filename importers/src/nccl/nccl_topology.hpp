// SPDX-License-Identifier: Apache-2.0
// Imports the XML that NCCL and RCCL write where NCCL_TOPO_DUMP_FILE names a file. [@nccl]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_nccl_topology(std::string_view head);
Imported import_nccl_topology(std::string_view text, const std::string& file,
                              const core::Node& known);

inline constexpr Importer kNcclTopology{
    .name = "nccl-topology", .recognizes = is_nccl_topology, .read = import_nccl_topology};

}  // namespace railwright::importers
