// SPDX-License-Identifier: Apache-2.0
// `calibrate` for any file of measurements.
#pragma once

#include <string>
#include <variant>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"
#include "railwright/validation/calibration/calibrate_storage.hpp"
#include "railwright/validation/measurements/runs.hpp"

namespace railwright::validation {

using Calibrated = std::variant<SiteFit, StorageReport>;

/// Reads runs in YAML or CSV, a training log, or output of nccl-tests, and fits an installation to
/// them; reads what fio, IOR, mdtest, elbencho and DLIO measured without a fit. `base` is the
/// scenario that was run, if the file names none. Throws ConfigError with every problem.
Calibrated calibrate_file(const std::string& path, const BaseScenario& base,
                          const core::Catalogue& catalogue, const CalibrationOptions& options = {});

}  // namespace railwright::validation
