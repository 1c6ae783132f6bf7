// SPDX-License-Identifier: Apache-2.0
// Imports the rings and trees that NCCL writes where NCCL_GRAPH_DUMP_FILE names a file. [@nccl]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_nccl_graph(std::string_view head);
Imported import_nccl_graph(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kNcclGraph{
    .name = "nccl-graph", .recognizes = is_nccl_graph, .read = import_nccl_graph};

}  // namespace railwright::importers
