// SPDX-License-Identifier: Apache-2.0
// `compare` for several scenarios of any kind.
#pragma once

#include <variant>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/compare/mixes.hpp"
#include "railwright/planner/compare/services.hpp"
#include "railwright/planner/compare/side_by_side.hpp"

namespace railwright::planner {

using AnySideBySide = std::variant<SideBySide, ServicesSideBySide, MixesSideBySide>;

/// Simulates every design of the kind that all are of. Throws ConfigError, also if some are of
/// another kind.
AnySideBySide side_by_side_any(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                               simulation::Method method = simulation::Method::kSimulate,
                               const ProgressFunction& progress = {});

}  // namespace railwright::planner
