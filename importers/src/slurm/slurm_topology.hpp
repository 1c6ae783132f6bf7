// SPDX-License-Identifier: Apache-2.0
// Imports Slurm's topology.conf, switches of a tree or blocks. [@slurm_topology]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_slurm_topology(std::string_view head);
Imported import_slurm_topology(std::string_view text, const std::string& file,
                               const core::Node& known);

inline constexpr Importer kSlurmTopology{
    .name = "slurm-topology", .recognizes = is_slurm_topology, .read = import_slurm_topology};

}  // namespace railwright::importers
