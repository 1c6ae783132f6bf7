// SPDX-License-Identifier: Apache-2.0
// `compare` for several scenarios, or for one with some of its keys varied.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/scenario/variant.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// A scenario in one column of the comparison.
struct Design {
  std::string name;
  core::Node tree;
  bool is_varied = false;  ///< it has values of vary(), which another design does without
};

/// Returns each scenario with every combination of the values; the last key varies fastest. Throws
/// ConfigError for a key that is there twice.
std::vector<Design> vary(const std::vector<Design>& scenarios,
                         const std::vector<simulation::Variation>& variations);

/// A part of the training time. A cause of a step stands for all steps of the run.
struct TimePart {
  std::string_view name;
  core::Duration time;
};

/// Splits the training time of a feasible result into parts that add up to it. The parts of steps
/// come first and are always complete, so that the parts of two results correspond.
std::vector<TimePart> time_parts(const simulation::SimulationResult& result);

struct DesignResult {
  std::string name;
  simulation::SimulationResult result;  ///< if invalid, its `infeasible` alone says why
  bool is_valid = true;                 ///< the scenario could be read
};

struct SideBySide {
  std::vector<DesignResult> designs;

  [[nodiscard]] bool feasible() const;
  /// Differences of design `i` from the first, the largest first; empty where either does not fit.
  /// Omits unchanged parts.
  [[nodiscard]] std::vector<TimePart> changes(std::size_t i) const;
};

/// Simulates every design. A varied design whose scenario cannot be read is invalid; throws
/// ConfigError if another cannot, or none can.
SideBySide side_by_side(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                        simulation::Method method = simulation::Method::kSimulate,
                        const ProgressFunction& progress = {});

}  // namespace railwright::planner
