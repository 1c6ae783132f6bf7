// SPDX-License-Identifier: Apache-2.0
// Imports the nodes of slurm.conf, or as `scontrol show node` and `sinfo` print them. [@slurm_conf]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_slurm_nodes(std::string_view head);
Imported import_slurm_nodes(std::string_view text, const std::string& file,
                            const core::Node& known);

inline constexpr Importer kSlurmNodes{.name = "slurm-nodes",
                                      .recognizes = is_slurm_nodes,
                                      .read = import_slurm_nodes,
                                      .marks = Marks::kLikely};

}  // namespace railwright::importers
