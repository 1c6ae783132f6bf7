// SPDX-License-Identifier: Apache-2.0
// DualPipe: micro-batches enter a pipeline from both ends, and each stage also holds the layers of
// its mirror image. [@deepseek_v3]
#pragma once

#include <vector>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

/// Returns all passes of `stage`; needs an even number of stages and at least twice as many
/// micro-batches.
std::vector<Pass> dualpipe_order(const Layout& layout, int stage);

/// Returns the bubble if a forward pass takes as long as the pass of either gradient:
/// (p-2) / (3m + p-2).
double dualpipe_bubble(const Layout& layout);

inline constexpr ScheduleKind kDualPipe{.name = "dualpipe",
                                        .order = dualpipe_order,
                                        .bubble_fraction = dualpipe_bubble,
                                        .splits_backward = true,
                                        .num_directions = 2};

}  // namespace railwright::models
