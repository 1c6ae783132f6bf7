// SPDX-License-Identifier: Apache-2.0
// The interval of what one design saves on another.
#pragma once

#include <optional>

#include "railwright/workloads/training/simulate.hpp"

namespace railwright::output {

/// The 80 % interval of a saving, as shares of the slower design's time.
struct SavingRange {
  double low = 0.0;
  double high = 0.0;
};
/// Returns the interval of a saving, a share of the time of `slower`. The seconds saved stay fixed
/// and the rest varies with the spread between sites, as in CurveLine::worth_band. Nothing if that
/// spread is unknown or differs between the two.
std::optional<SavingRange> saving_range(double saving, const simulation::SimulationResult& faster,
                                        const simulation::SimulationResult& slower);

}  // namespace railwright::output
