// SPDX-License-Identifier: Apache-2.0
// Power over time as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "railwright/workloads/training/power_series.hpp"

namespace railwright::output {

/// Returns lists of equal length: `time_s`, at which a window starts, and `power_w`.
nlohmann::ordered_json power_series_json(const simulation::PowerSeries& series);

}  // namespace railwright::output
