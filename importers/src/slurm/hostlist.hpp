// SPDX-License-Identifier: Apache-2.0
// Expands lists of names as Slurm writes them: "n[001-032,040],gpu[1-2]x[0-3]". [@slurm_topology]
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railwright::importers {

/// Adds the names of a list, at most a million. Returns what is wrong with the list, or "".
std::string expand_hostlist(std::string_view list, std::vector<std::string>& names);

}  // namespace railwright::importers
