// SPDX-License-Identifier: Apache-2.0
// Which files may be included by the one that is read.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// load_yaml of tree.hpp, whose `include` takes files from the folder of `path` and below alone,
/// links followed; here from `include_folders` too.
Node load_yaml_with(const std::vector<std::string>& include_folders, const std::string& path,
                    const YamlLimits& limits = {});

}  // namespace railwright::core
