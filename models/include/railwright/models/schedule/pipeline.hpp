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

/// All passes of `stage` in order. 1F1B, or interleaved 1F1B where there are virtual stages
/// [@narayanan2021megatron]; GPipe [@huang2019gpipe]; ZB-H1, where stage i puts off its weight
/// gradients by i micro-batches [@qi2023zero]; DualPipe [@deepseek_v3].
std::vector<Pass> pipeline_order(const Layout& layout, int stage);

/// Passes that `stage` runs forward before its first backward pass under 1F1B and GPipe, so that
/// one more than these are in flight at once. [@narayanan2021megatron]
int num_warmup_passes(const Layout& layout, int stage);

/// Micro-batches whose pass through a chunk of `stage` waits for the last of its gradients, when
/// most do.
int microbatches_in_flight(const Layout& layout, int stage, int chunk);

/// Share of the time of an ideal pipeline of equal stages that is idle: (p-1) / (v*m + p-1). Where
/// backward passes are split, of passes that take as long forward as for either gradient:
/// (p-1) / (3m + p-1) for ZB-H1 [@qi2023zero], (p-2) / (3m + p-2) for DualPipe [@deepseek_v3].
double bubble_fraction(const Layout& layout);

}  // namespace railwright::models
