// SPDX-License-Identifier: Apache-2.0
// `compare` of several scenarios, or of one with some of its keys varied.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/scenario/variant.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// A scenario that stands in a column.
struct Design {
  std::string name;
  core::Node tree;
};

/// Each scenario with every combination of the values, the last key running fastest.
std::vector<Design> vary(const std::vector<Design>& scenarios,
                         const std::vector<simulation::Variation>& variations);

/// A part of the training time. A cause of a step counts with all steps of the run.
struct TimePart {
  std::string_view name;
  core::Duration time;
};

/// The parts of a feasible result; they add up to its training time. Those of steps stand first,
/// always all of them, so that the parts of two results correspond.
std::vector<TimePart> time_parts(const simulation::SimulationResult& result);

struct DesignResult {
  std::string name;
  simulation::SimulationResult result;
};

struct SideBySide {
  std::vector<DesignResult> designs;

  [[nodiscard]] bool feasible() const;
  /// How design `i` differs from the first, the largest change first; empty where either does not
  /// fit. Parts that are the same are left out.
  [[nodiscard]] std::vector<TimePart> changes(std::size_t i) const;
};

/// Simulates every design. Throws ConfigError.
SideBySide side_by_side(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                        simulation::Method method = simulation::Method::kSimulate,
                        const ProgressFunction& progress = {});

}  // namespace railwright::planner
