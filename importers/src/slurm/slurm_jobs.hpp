// SPDX-License-Identifier: Apache-2.0
// Imports jobs that `sacct` lists. [@slurm_sacct]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_slurm_jobs(std::string_view head);
Imported import_slurm_jobs(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kSlurmJobs{
    .name = "slurm-jobs", .recognizes = is_slurm_jobs, .read = import_slurm_jobs};

}  // namespace railwright::importers
