// SPDX-License-Identifier: Apache-2.0
// `compare` for several scenarios of inference, or for one with some of its keys varied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::planner {

struct ServiceDesign {
  std::string name;
  simulation::InferenceResult result;
  bool is_valid = true;  ///< the scenario could be read; else `infeasible` alone says why
};

struct ServicesSideBySide {
  std::vector<ServiceDesign> designs;

  [[nodiscard]] bool feasible() const;
  /// Index of the feasible design with the fewest nodes, then the fewest accelerators, then the
  /// most tokens per accelerator; nothing if none is feasible.
  [[nodiscard]] std::optional<std::size_t> best() const;
};

/// Simulates every design, as side_by_side() does. Throws ConfigError.
ServicesSideBySide services_side_by_side(const std::vector<Design>& designs,
                                         const core::Catalogue& catalogue,
                                         const ProgressFunction& progress = {});

}  // namespace railwright::planner
