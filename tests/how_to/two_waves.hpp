// SPDX-License-Identifier: Apache-2.0
// A schedule of its own, added as the how-to says: GPipe with half of the micro-batches, twice.
#pragma once

#include <vector>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

std::vector<Pass> two_waves_order(const Layout& layout, int stage);
/// 2(p-1) / (m + 2(p-1)).
double two_waves_bubble(const Layout& layout);

inline constexpr ScheduleKind kTwoWaves{
    .name = "two_waves", .order = two_waves_order, .bubble_fraction = two_waves_bubble};

}  // namespace railwright::models
