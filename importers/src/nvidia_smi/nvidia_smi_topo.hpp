// SPDX-License-Identifier: Apache-2.0
// Imports the matrix and legend of `nvidia-smi topo -m`. [@nvidia_smi]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_nvidia_smi_topo(std::string_view head);
Imported import_nvidia_smi_topo(std::string_view text, const std::string& file,
                                const core::Node& known);

inline constexpr Importer kNvidiaSmiTopo{.name = "nvidia-smi-topo",
                                         .recognizes = is_nvidia_smi_topo,
                                         .read = import_nvidia_smi_topo,
                                         .marks = Marks::kLikely};

}  // namespace railwright::importers
