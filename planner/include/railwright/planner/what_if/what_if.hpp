// SPDX-License-Identifier: Apache-2.0
// Answers a what-if page: one training job with changes, and how certain the answer is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/search/automatic_division.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// A source of uncertainty of the training time.
struct Uncertainty {
  std::string about;  ///< "site", "failures", "closed form"
  std::string sentence;
  double low = 1.0;  ///< factor on the predicted training time
  double high = 1.0;
  bool is_known = true;  ///< false where nobody knows the uncertainty: low and high are 1
};

/// Source of the division of the model.
enum class DivisionChoice : std::uint8_t {
  kOwn,          ///< the scenario's; nothing is added either
  kWhereNeeded,  ///< chosen only if the scenario's is illegal or does not fit
  kAutomatic,    ///< chosen, the fastest in closed form
};

constexpr auto enum_words(DivisionChoice) {
  using enum DivisionChoice;
  return core::words<DivisionChoice>(
      {{"own", kOwn}, {"where_needed", kWhereNeeded}, {"automatic", kAutomatic}});
}

struct WhatIf {
  core::Node tree;  ///< scenario with the changes and the division
  simulation::CheckedScenario checked;
  std::optional<Division> division;  ///< set if it was chosen for the question
  std::string own_division_fails;    ///< reason, if it was chosen where needed
  std::vector<std::string> added;    ///< settings of parts it lacked: front-end switches
  std::string fabric_name;  ///< catalogue name; empty where the scenario spells its fabric out
  simulation::SimulationResult result;
  /// 80 % interval over sites: the installation's interval combined with that of failures.
  core::Duration training_time_low;
  core::Duration training_time_high;
  std::vector<Uncertainty> uncertainties;  ///< the largest first; empty if the design does not fit
};

/// Inlines the files that the scenario names, so that its text alone reads back to the same. Throws
/// ConfigError, also for a scenario that is no training job.
core::Node in_one_piece(core::Node scenario, const core::Catalogue& catalogue);

/// Applies settings as for `--set`. Throws ConfigError with every problem of the settings, and for
/// a scenario that names a file: one from elsewhere may read only the catalogue of this machine.
core::Node with_changes(const core::Node& scenario, const std::vector<std::string>& settings);

struct WhatIfOptions {
  simulation::Method method = simulation::Method::kEstimate;
  DivisionChoice division = DivisionChoice::kOwn;
  std::vector<std::string> kept;  ///< keys of the division whose values a chosen one keeps
};

/// Applies the settings and answers; remembers chosen divisions. Throws ConfigError with every
/// problem of scenario and settings.
WhatIf what_if(const core::Node& scenario, const std::vector<std::string>& settings,
               const core::Catalogue& catalogue, Divisions& divisions,
               const WhatIfOptions& options = {});

/// The short answer to one of many variants of a design.
struct VariantOutcome {
  std::string fails;  ///< reason, if it cannot be answered or does not fit
  core::Duration training_time;
  core::Duration step_time;
};

/// Answers like what_if(), without intervals. An illegal variant is an outcome.
VariantOutcome variant_outcome(const core::Node& scenario, const std::vector<std::string>& settings,
                               const core::Catalogue& catalogue, Divisions& divisions,
                               const WhatIfOptions& options);

/// Lists the uncertainties of a feasible result, the largest first.
std::vector<Uncertainty> uncertainties_of(const simulation::CheckedScenario& checked,
                                          const simulation::SimulationResult& result);

}  // namespace railwright::planner
