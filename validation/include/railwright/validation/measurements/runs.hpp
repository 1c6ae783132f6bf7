// SPDX-License-Identifier: Apache-2.0
// Reads measured runs that people write down in YAML or CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"

namespace railwright::validation {

/// A scenario's tree, and settings from the command line to apply to it.
struct BaseScenario {
  std::optional<core::Node> tree;  ///< none if the runs name their own
  std::vector<std::string> settings;
  std::vector<std::string> include_folders = {};  ///< for a scenario that the runs name
};

/// Reads `{scenario: base.yaml, set: [...], source: ..., runs: [{name: ..., set: [path=value],
/// step_time: 4.1 s, standard_error: 0.1 s, source: ...}]}`, or only the list of runs. `log:
/// train.log` in place of `step_time` reads a training log. Paths are relative to the file.
/// Settings apply in order: the command line's, the file's, the run's. Throws ConfigError with
/// every problem.
std::vector<MeasuredRun> read_runs(const std::string& path, const BaseScenario& base,
                                   const core::Catalogue& catalogue);

/// Reads runs from a table: a header of `name`, `source`, `step_time`, `standard_error` (with a
/// unit in the cells, or `step_time_s` with the unit in the header) and paths of the scenario; a
/// row a run. An empty cell leaves the scenario unchanged. Quotes follow RFC 4180, `#` starts a
/// comment line.
std::vector<MeasuredRun> read_runs_csv(std::string_view text, const std::string& path,
                                       const BaseScenario& base, const core::Catalogue& catalogue);

/// Reads one run from a training log.
std::vector<MeasuredRun> run_of_log(const std::string& path, const BaseScenario& base,
                                    const core::Catalogue& catalogue);

}  // namespace railwright::validation
