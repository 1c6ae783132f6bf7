// SPDX-License-Identifier: Apache-2.0
// A row of the table of kinds of scenario: what a kind answers, whoever asks.
#pragma once

#include <functional>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/workloads/any_result.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

struct ScenarioKind {
  /// A scenario that was read and can be simulated; it holds its tree and its catalogue by
  /// reference.
  using Simulation = std::function<AnyResult(const SimulateOptions&)>;

  KindFacts facts;
  core::Description (*describe)();
  /// Reads a scenario. Throws ConfigError with every problem.
  Simulation (*read)(const core::Node&, const core::Catalogue&);
  AnyResult (*simulate_point)(const core::Node&, const core::Catalogue&, const PointOptions&);
  /// Returns the scenario with every key that `read` finds for it. Throws ConfigError.
  core::Node (*complete)(const core::Node&, const core::Catalogue&);
  /// Returns the problems of single keys, without relations between them.
  std::vector<core::Diagnostic> (*field_problems)(const core::Node&, const core::Catalogue&);
  /// Returns all numbers of a result, in the order of the JSON.
  const Numbers<ResultView>& (*numbers)();
  /// Returns the number that ranks designs side by side.
  const Number<ResultView>& (*ranked_by)();
};

}  // namespace railwright::simulation
