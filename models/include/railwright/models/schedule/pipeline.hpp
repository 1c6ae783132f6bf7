// SPDX-License-Identifier: Apache-2.0
// In which order a pipeline stage runs its forward and backward passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

enum class PassKind : std::uint8_t {
  kForward,
  kBackward,
  kInputGradient,   ///< the part of a backward pass that the stage before waits for
  kWeightGradient,  ///< the part that nothing but the optimizer waits for
};
inline constexpr std::size_t kNumPassKinds = 4;

/// One micro-batch through one model chunk of a stage.
struct Pass {
  PassKind kind = PassKind::kForward;
  int microbatch = 0;  ///< of those that take this chunk
  int chunk = 0;
  bool beside_next = false;  ///< a forward pass that is run together with the backward pass next
};

/// All passes of `stage` in order, as the layout's schedule has them.
std::vector<Pass> pipeline_order(const Layout& layout, int stage);

/// Passes that `stage` runs forward before its first backward pass, so that one more than these are
/// in flight at once; of schedules that say how many.
int num_warmup_passes(const Layout& layout, int stage);

/// Micro-batches whose pass through a chunk of `stage` waits for the last of its gradients, when
/// most do.
int microbatches_in_flight(const Layout& layout, int stage, int chunk);

/// Share of the time that an ideal pipeline of equal stages is idle.
double bubble_fraction(const Layout& layout);

}  // namespace railwright::models
