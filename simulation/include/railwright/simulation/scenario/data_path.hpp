// SPDX-License-Identifier: Apache-2.0
// Where the data that come with railwright lie: in the source tree, or installed.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::simulation {

/// Catalogue roots in order: those given, those of RAILWRIGHT_CATALOGUE_PATH (colon-separated), the
/// installed one beside the running program, the source tree's.
std::vector<std::string> catalogue_roots(const std::vector<std::string>& given = {});

/// The file of a suite that comes with railwright ("documents"), or "" where none has that name.
std::string suite_path(const std::string& name);

}  // namespace railwright::simulation
