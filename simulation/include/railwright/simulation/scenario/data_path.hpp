// SPDX-License-Identifier: Apache-2.0
// Paths of the data that come with railwright, in the source tree or installed.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"

namespace railwright::simulation {

/// Returns the catalogue roots in order: those given, those of RAILWRIGHT_CATALOGUE_PATH
/// (colon-separated), the installed one beside the running program, the source tree's.
std::vector<std::string> catalogue_roots(const std::vector<std::string>& given = {});

/// Returns the file of a suite that comes with railwright ("documents"), or "" if none has that
/// name.
std::string suite_path(const std::string& name);

}  // namespace railwright::simulation
