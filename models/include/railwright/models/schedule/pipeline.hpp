// SPDX-License-Identifier: Apache-2.0
// In which order a pipeline stage runs its forward and backward passes.
#pragma once

#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// One micro-batch through one model chunk of a stage.
struct Pass {
  bool forward = true;
  int microbatch = 0;
  int chunk = 0;
};

/// All passes of `stage` in order: 1F1B, or interleaved 1F1B where the layout has virtual stages.
/// [@narayanan2021megatron]
std::vector<Pass> pipeline_order(const Layout& layout, int stage);

/// Share of the time of an ideal pipeline of equal stages that is idle: (p-1) / (v*m + p-1).
double bubble_fraction(const Layout& layout);

}  // namespace railwright::models
