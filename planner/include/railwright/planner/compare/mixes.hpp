// SPDX-License-Identifier: Apache-2.0
// `compare` for several scenarios of jobs or of a queue, or for one with some of its keys varied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/simulate_any.hpp"

namespace railwright::planner {

struct MixDesign {
  std::string name;
  simulation::AnyResult result;  ///< of jobs or of a queue
  bool is_valid = true;          ///< the scenario could be read; else `infeasible` alone says why
};

/// Mixes of jobs, of which all are `jobs` or all a `queue`.
struct MixesSideBySide {
  std::vector<MixDesign> designs;

  [[nodiscard]] bool feasible() const;
  /// Index of the feasible design with the shortest mean wait of a queue or the shortest longest
  /// job; nothing if none is feasible.
  [[nodiscard]] std::optional<std::size_t> best() const;
};

/// Returns the mean wait of a queue, or the time of the longest of several jobs.
core::Duration time_of(const MixDesign& design);

/// Returns why a design does not fit; empty if it does.
std::vector<std::string> reasons_of(const MixDesign& design);

/// Whether all designs are jobs, or all a queue. Throws ConfigError if only some are.
bool are_mixes(const std::vector<Design>& designs);

/// Simulates every design, as side_by_side() does. Throws ConfigError.
MixesSideBySide mixes_side_by_side(const std::vector<Design>& designs,
                                   const core::Catalogue& catalogue,
                                   const ProgressFunction& progress = {});

}  // namespace railwright::planner
