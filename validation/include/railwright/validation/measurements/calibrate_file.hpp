// SPDX-License-Identifier: Apache-2.0
// `calibrate` of whatever a file of measurements holds.
#pragma once

#include <string>
#include <variant>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"
#include "railwright/validation/measurements/fio.hpp"
#include "railwright/validation/measurements/runs.hpp"

namespace railwright::validation {

using Calibrated = std::variant<SiteFit, FioReport>;

/// Reads runs in YAML or CSV, a training log, nccl-tests' or fio's output, by what the file is, and
/// fits an installation to them; fio's is read alone. `base` is the scenario that was run, where
/// the file names none. Throws ConfigError with every problem.
Calibrated calibrate_file(const std::string& path, const BaseScenario& base,
                          const core::Catalogue& catalogue, const CalibrationOptions& options = {});

}  // namespace railwright::validation
