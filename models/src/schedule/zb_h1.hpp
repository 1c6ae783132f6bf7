// SPDX-License-Identifier: Apache-2.0
// ZB-H1: 1F1B whose weight gradients fill the waits for other stages. [@qi2023zero]
#pragma once

#include <vector>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

/// Returns the order, in which stage i delays its weight gradients by i micro-batches.
std::vector<Pass> zb_h1_order(const Layout& layout, int stage);

/// Returns the bubble if a forward pass takes as long as the pass of either gradient: f / (3m + f)
/// with f = 2(p-1) - (min(p, m) - 1), as no more weight gradients than micro-batches fill waits.
double zb_h1_bubble(const Layout& layout);

inline constexpr ScheduleKind kZbH1{.name = "zb_h1",
                                    .order = zb_h1_order,
                                    .bubble_fraction = zb_h1_bubble,
                                    .splits_backward = true};

}  // namespace railwright::models
