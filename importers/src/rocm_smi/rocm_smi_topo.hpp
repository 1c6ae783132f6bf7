// SPDX-License-Identifier: Apache-2.0
// Imports a node as `rocm-smi --showtopo` and `amd-smi topology` print it. [@rocm_smi]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_rocm_smi_topo(std::string_view head);
Imported import_rocm_smi_topo(std::string_view text, const std::string& file,
                              const core::Node& known);

inline constexpr Importer kRocmSmiTopo{
    .name = "rocm-smi-topo", .recognizes = is_rocm_smi_topo, .read = import_rocm_smi_topo};

}  // namespace railwright::importers
