// SPDX-License-Identifier: Apache-2.0
// `compare` of several scenarios of inference, or of one with some of its keys varied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::planner {

struct ServiceDesign {
  std::string name;
  simulation::InferenceResult result;
};

struct ServicesSideBySide {
  std::vector<ServiceDesign> designs;

  [[nodiscard]] bool feasible() const;
  /// The place of the feasible design that needs fewest nodes, then fewest accelerators, then gives
  /// most tokens an accelerator; none where nothing is feasible.
  [[nodiscard]] std::optional<std::size_t> best() const;
};

/// Whether these are scenarios of inference. Throws ConfigError where only some are.
bool are_services(const std::vector<Design>& designs);

/// Simulates every design. Throws ConfigError.
ServicesSideBySide services_side_by_side(const std::vector<Design>& designs,
                                         const core::Catalogue& catalogue,
                                         const ProgressFunction& progress = {});

}  // namespace railwright::planner
