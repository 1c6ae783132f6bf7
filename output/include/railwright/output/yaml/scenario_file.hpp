// SPDX-License-Identifier: Apache-2.0
// A scenario as a file that people read and edit.
#pragma once

#include <string>

#include "railwright/core/config/tree.hpp"

namespace railwright::output {

/// Returns block-style YAML, with short mappings on one line, that core::parse_yaml reads back to
/// an equal tree. `comment` may have several lines.
std::string scenario_file(const core::Node& scenario, const std::string& comment = {});

}  // namespace railwright::output
