// SPDX-License-Identifier: Apache-2.0
// A site's fit as text, as JSON, and as an installation of the catalogue.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"
#include "railwright/validation/calibration/calibrate_storage.hpp"

namespace railwright::output {

std::string to_text(const validation::SiteFit& fit, const TextStyle& style = {});
std::string to_json(const validation::SiteFit& fit);

std::string to_text(const validation::FioReport& report, const TextStyle& style = {});
std::string to_json(const validation::FioReport& report);

/// Returns a complete `installations/<name>.yaml`: values, their sources, `estimate: true`, and the
/// 80 % interval of its predictions.
std::string installation_yaml(const validation::SiteFit& fit, const std::string& name);

}  // namespace railwright::output
