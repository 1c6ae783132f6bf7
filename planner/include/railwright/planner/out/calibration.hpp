// SPDX-License-Identifier: Apache-2.0
// A site's fit for people, for programs, and as an installation of the catalogue.
#pragma once

#include <string>

#include "railwright/planner/out/table.hpp"
#include "railwright/planner/verbs/calibrate_site.hpp"
#include "railwright/planner/verbs/calibrate_storage.hpp"

namespace railwright::planner {

std::string to_text(const SiteFit& fit, const TextStyle& style = {});
std::string to_json(const SiteFit& fit);

std::string to_text(const FioReport& report, const TextStyle& style = {});
std::string to_json(const FioReport& report);

/// A complete `installations/<name>.yaml`: values, where they come from, `estimate: true`, and the
/// band of its predictions.
std::string installation_yaml(const SiteFit& fit, const std::string& name);

}  // namespace railwright::planner
