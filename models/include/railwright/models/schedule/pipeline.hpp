// SPDX-License-Identifier: Apache-2.0
// The order of forward and backward passes in a pipeline stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

enum class PassKind : std::uint8_t {
  kForward,
  kBackward,
  kInputGradient,   ///< the part of a backward pass that the previous stage waits for
  kWeightGradient,  ///< the part that only the optimizer waits for
};
inline constexpr std::size_t kNumPassKinds = 4;

/// A pass of one micro-batch through one model chunk of a stage.
struct Pass {
  PassKind kind = PassKind::kForward;
  int microbatch = 0;  ///< index among the micro-batches of this chunk
  int chunk = 0;
  bool beside_next = false;  ///< a forward pass that runs together with the next backward pass
};

/// Returns all passes of `stage`, in the order of the layout's schedule.
std::vector<Pass> pipeline_order(const Layout& layout, int stage);

/// Returns the forward passes of `stage` before its first backward pass; one more than these are in
/// flight at once. For schedules that say how many.
int num_warmup_passes(const Layout& layout, int stage);

/// Returns the micro-batches in flight, whose pass through a chunk of `stage` waits for the last of
/// its gradients, at the time when the stage has most.
int microbatches_in_flight(const Layout& layout, int stage, int chunk);

/// Share of the time that an ideal pipeline of equal stages is idle.
double bubble_fraction(const Layout& layout);

}  // namespace railwright::models
