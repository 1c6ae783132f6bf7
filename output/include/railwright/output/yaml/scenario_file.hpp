// SPDX-License-Identifier: Apache-2.0
// A scenario as a file that people read and change.
#pragma once

#include <string>

#include "railwright/core/config/tree.hpp"

namespace railwright::output {

/// YAML in block style, short mappings on one line, that core::parse_yaml reads back to an equal
/// tree. `comment` may have several lines.
std::string scenario_file(const core::Node& scenario, const std::string& comment = {});

}  // namespace railwright::output
