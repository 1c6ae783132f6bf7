// SPDX-License-Identifier: Apache-2.0
// Scenarios and installations as files that people read and edit.
#pragma once

#include <string>

#include "railwright/core/config/tree.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"

namespace railwright::output {

/// Returns block-style YAML, with short mappings on one line, that core::parse_yaml reads back to
/// an equal tree. `comment` may have several lines.
std::string scenario_file(const core::Node& scenario, const std::string& comment = {});

/// Returns a complete `installations/<name>.yaml`: values, their sources, `estimate: true`, and the
/// 80 % interval of its predictions.
std::string installation_yaml(const validation::SiteFit& fit, const std::string& name);

}  // namespace railwright::output
