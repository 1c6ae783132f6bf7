// SPDX-License-Identifier: Apache-2.0
// GPipe: all forward passes, then all backward passes. [@huang2019gpipe]
#pragma once

#include <vector>

#include "one_f_one_b.hpp"

namespace railwright::models {

int gpipe_warmup(const Layout& layout, int stage);
std::vector<Pass> gpipe_order(const Layout& layout, int stage);

inline constexpr ScheduleKind kGpipe{.name = "gpipe",
                                     .order = gpipe_order,
                                     .bubble_fraction = one_f_one_b_bubble,
                                     .num_warmup_passes = gpipe_warmup};

}  // namespace railwright::models
