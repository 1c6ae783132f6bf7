// SPDX-License-Identifier: Apache-2.0
// Answers a what-if page: one training job with changes, and how certain the answer is.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// A source of uncertainty of the training time.
struct Doubt {
  std::string about;  ///< "site", "failures", "closed form"
  std::string sentence;
  double low = 1.0;  ///< factor on the predicted training time
  double high = 1.0;
  bool is_known = true;  ///< false where nobody knows the uncertainty: low and high are 1
};

struct WhatIf {
  simulation::CheckedScenario checked;
  std::string fabric_name;  ///< catalogue name; empty where the scenario spells its fabric out
  simulation::SimulationResult result;
  /// 80 % interval over sites: the installation's interval combined with that of failures.
  core::Duration training_time_low;
  core::Duration training_time_high;
  std::vector<Doubt> doubts;  ///< the largest first; empty if the design does not fit
};

/// Inlines the files that the scenario names, so that its text alone reads back to the same. Throws
/// ConfigError, also for a scenario that is no training job.
core::Node in_one_piece(core::Node scenario, const core::Catalogue& catalogue);

/// Applies settings as for `--set`. Throws ConfigError with every problem of the settings, and for
/// a scenario that names a file: one from elsewhere may read only the catalogue of this machine.
core::Node with_changes(const core::Node& scenario, const std::vector<std::string>& settings);

/// Applies the settings and answers. Throws ConfigError with every problem of both.
WhatIf what_if(const core::Node& scenario, const std::vector<std::string>& settings,
               const core::Catalogue& catalogue, simulation::Method method);

/// Lists the uncertainties of a feasible result, the largest first.
std::vector<Doubt> doubts_of(const simulation::CheckedScenario& checked,
                             const simulation::SimulationResult& result);

}  // namespace railwright::planner
