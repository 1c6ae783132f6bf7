// SPDX-License-Identifier: Apache-2.0
// What a what-if page asks: one training job with changes, answered with how sure the answer is.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Something that keeps the training time from being certain.
struct Doubt {
  std::string about;  ///< "site", "failures", "closed form"
  std::string sentence;
  double low = 1.0;  ///< of the training time, as a factor on what is predicted
  double high = 1.0;
  bool is_known = true;  ///< false where nobody can say how far it may be off: low and high are 1
};

struct WhatIf {
  simulation::CheckedScenario checked;
  std::string fabric_name;  ///< in the catalogue; empty where the scenario spells its fabric out
  simulation::SimulationResult result;
  /// 80 % interval over sites: the band of the installation together with that of failures.
  core::Duration training_time_low;
  core::Duration training_time_high;
  std::vector<Doubt> doubts;  ///< the largest first; none where the design does not fit
};

/// The scenario in one piece: what its files gave stands in it, and its text reads back to the
/// same. Throws ConfigError, also for one that is no training job.
core::Node in_one_piece(core::Node scenario, const core::Catalogue& catalogue);

/// `scenario` with settings as for `--set`. Throws ConfigError with every problem of the settings,
/// and where it names a file: what comes from elsewhere reads nothing of this machine but the
/// catalogue.
core::Node with_changes(const core::Node& scenario, const std::vector<std::string>& settings);

/// The same, answered. Throws ConfigError with every problem of both.
WhatIf what_if(const core::Node& scenario, const std::vector<std::string>& settings,
               const core::Catalogue& catalogue, simulation::Method method);

/// Of a result that is feasible.
std::vector<Doubt> doubts_of(const simulation::CheckedScenario& checked,
                             const simulation::SimulationResult& result);

}  // namespace railwright::planner
