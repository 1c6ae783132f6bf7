// SPDX-License-Identifier: Apache-2.0
// Times of fused attention kernels, computed from their tiles.
#pragma once

#include <cstdint>

#include "railwright/core/hardware/attention_constants.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Attention of many queries per sequence. Latent attention (DeepSeek's, before its keys are
/// absorbed) has heads of 192 and 128 with as many key heads as query heads.
struct AttentionShape {
  std::int64_t sequences = 1;
  std::int64_t queries = 1;  ///< queries of a sequence
  std::int64_t keys = 1;     ///< keys of a sequence; at least `queries` if causal
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t query_width = 128;
  std::int64_t value_width = 128;
  std::int64_t window = 0;  ///< keys that a query sees, including itself; 0: all
  std::int64_t chunk = 0;   ///< a query sees only keys of its own chunk; 0: all
  bool causal = true;
  core::Precision precision = core::Precision::kBf16;
  core::Precision cache_precision = core::Precision::kBf16;
};

/// Attention of one query per sequence over its cache. Latent attention with absorbed keys has one
/// key head, queries of 576 and values of 512, which are the first part of the cached key.
struct DecodeShape {
  std::int64_t sequences = 1;
  std::int64_t keys = 1;  ///< keys of a sequence, including the new one
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t query_width = 128;
  std::int64_t value_width = 128;
  std::int64_t window = 0;  ///< keys that the query sees; 0: all
  bool values_in_keys = false;
  core::Precision cache_precision = core::Precision::kBf16;
  /// Whether the same keys and values were read just before, as in a benchmark's loop, so that
  /// those that fit stay in the L2 cache. Between the layers of a model they never do.
  bool repeats_cache = false;
};

/// Computes the time of the forward kernel. Tiles of queries are dealt to the multiprocessors,
/// longest first:
///   max(longest tile alone, all tiles / multiprocessors + imbalance * longest) + exposed memory.
/// A block of a tile takes the root of the squares of its products and of its softmax. Causal and
/// windowed attention skip whole blocks. More multiprocessors at the same peak rate are
/// slower ones: grids of few tiles then take longer. [@dao2023flashattention2] [@aiconfigurator]
core::Duration attention_prefill_time(const core::Accelerator& device,
                                      const core::AttentionConstants& constants,
                                      const AttentionShape& shape);

/// Computes the time of the backward pass: five products on the blocks where the forward pass has
/// two, at `backward_rate` of its rate, plus the streams that it reads and writes.
core::Duration attention_backward_time(const core::Accelerator& device,
                                       const core::AttentionConstants& constants,
                                       const AttentionShape& shape);

/// A kernel of training stacks.
struct TrainingAttention {
  const core::AttentionConstants& constants;
  double slowdown = 1.0;  ///< times are longer by this than those of the measured device
};

/// Returns the kernel written for the device, or FlashAttention-2. A device without a native
/// kernel runs the portable one, and one whose FlashAttention-2 nobody measured a slower native
/// one, by the ratio of their efficiencies.
TrainingAttention training_attention(const core::Accelerator& device, bool native);

/// Computes the time of an inference engine's operator: the forward kernel, the pass that writes
/// the paged cache, and the call, as [@aiconfigurator] timed it.
core::Duration attention_operator_time(const core::Accelerator& device,
                                       const core::AttentionConstants& constants,
                                       const AttentionShape& shape);

/// Returns the constants of the kernel that an engine runs for a shape; null if it was not
/// measured. There are kernels for heads that share keys, for those that do not, for groups that
/// fit no tile, and for latent attention.
const core::DecodeConstants* decode_kernel(const core::Accelerator& device,
                                           const DecodeShape& shape);

/// Computes the time of the decode kernels: latency of a tile, reading of the cache and arithmetic
/// partly overlap. Keys are split so that small batches fill the device. [@aiconfigurator]
core::Duration attention_decode_time(const core::Accelerator& device,
                                     const core::DecodeConstants& constants,
                                     const DecodeShape& shape);

/// Computes attention_decode_time() plus the call around it.
core::Duration attention_decode_operator_time(const core::Accelerator& device,
                                              const core::DecodeConstants& constants,
                                              const DecodeShape& shape);

}  // namespace railwright::models
