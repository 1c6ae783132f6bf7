// SPDX-License-Identifier: Apache-2.0
// Range of the step time by numbers of its accelerator that are known only within a range.
#pragma once

#include <span>
#include <vector>

#include "railwright/simulation/scenario/ranged_number.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// The step time with a number at each end of its range, over that with its value.
struct StepRange {
  RangedNumber number;
  double at_low = 1.0;
  double at_high = 1.0;
};

/// Scales the computation in the step of `result` with each ranged number of the accelerator at
/// both of its ends, one number at a time; transfers stay as hidden behind it as they are. Builds
/// and simulates nothing. Nothing if the step time or the site was measured.
std::vector<StepRange> step_ranges(const core::Node& tree, const core::Catalogue& catalogue,
                                   const CheckedScenario& checked, const SimulationResult& result);

/// Widens the 80 % interval of the step time until it holds all of the ranges. They are independent
/// of one another: the logarithms of their factors add up by squares.
void widen_by(std::span<const StepRange> ranges, SimulationResult& result);

}  // namespace railwright::simulation
