// SPDX-License-Identifier: Apache-2.0
// 1F1B: one forward, one backward; interleaved if there are virtual stages.
// [@narayanan2021megatron]
#pragma once

#include <vector>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

/// Alternates forward and backward passes, after `warmup` forward passes.
std::vector<Pass> in_turn(const Layout& layout, int warmup);

int one_f_one_b_warmup(const Layout& layout, int stage);
std::vector<Pass> one_f_one_b_order(const Layout& layout, int stage);
/// Returns (p-1) / (v*m + p-1).
double one_f_one_b_bubble(const Layout& layout);

inline constexpr ScheduleKind kOneFOneB{.name = "1f1b",
                                        .order = one_f_one_b_order,
                                        .bubble_fraction = one_f_one_b_bubble,
                                        .num_warmup_passes = one_f_one_b_warmup,
                                        .runs_on_one_stage = true,
                                        .interleaves = true,
                                        .fills_the_way_back = true};

}  // namespace railwright::models
