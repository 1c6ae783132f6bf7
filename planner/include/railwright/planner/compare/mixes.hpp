// SPDX-License-Identifier: Apache-2.0
// `compare` for several scenarios of a kind that is neither training nor inference, or for one with
// some of its keys varied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::planner {

struct MixDesign {
  std::string name;
  simulation::AnyResult result;
  bool is_valid = true;   ///< the scenario could be read
  std::string problem{};  ///< why it could not be
};

/// Designs of one kind, such as mixes of jobs.
struct MixesSideBySide {
  const simulation::ScenarioKind* kind = nullptr;
  std::vector<MixDesign> designs;

  [[nodiscard]] bool feasible() const;
  /// Returns the number of a feasible design that ranks it.
  [[nodiscard]] double rank(const MixDesign& design) const;
  /// Index of the best feasible design, such as that with the shortest mean wait; nothing if none
  /// is feasible.
  [[nodiscard]] std::optional<std::size_t> best() const;
};

/// Simulates every design, as side_by_side() does. Throws ConfigError.
MixesSideBySide mixes_side_by_side(const std::vector<Design>& designs,
                                   const core::Catalogue& catalogue,
                                   const ProgressFunction& progress = {});

}  // namespace railwright::planner
