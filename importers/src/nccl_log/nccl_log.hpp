// SPDX-License-Identifier: Apache-2.0
// Imports what NCCL prints with NCCL_DEBUG=INFO: nodes, accelerators and NICs of a job. [@nccl]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_nccl_log(std::string_view head);
Imported import_nccl_log(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kNcclLog{.name = "nccl-log",
                                   .recognizes = is_nccl_log,
                                   .read = import_nccl_log,
                                   .marks = Marks::kCommon};

}  // namespace railwright::importers
