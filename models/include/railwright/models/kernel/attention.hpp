// SPDX-License-Identifier: Apache-2.0
// Times of fused attention kernels, from their tiles.
#pragma once

#include <cstdint>

#include "railwright/core/hardware/attention_constants.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Attention of many queries a sequence. Latent attention (DeepSeek's, before its keys are
/// absorbed) is heads of 192 and 128 with as many key heads as query heads.
struct AttentionShape {
  std::int64_t sequences = 1;
  std::int64_t queries = 1;  ///< of a sequence
  std::int64_t keys = 1;     ///< of a sequence; at least `queries` where causal
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t query_width = 128;
  std::int64_t value_width = 128;
  std::int64_t window = 0;  ///< keys that a query sees, itself included; 0: all
  std::int64_t chunk = 0;   ///< a query sees keys of its own chunk alone; 0: all
  bool causal = true;
  core::Precision precision = core::Precision::kBf16;
  core::Precision cache_precision = core::Precision::kBf16;
};

/// Attention of one query a sequence over its cache. Latent attention with absorbed keys is one
/// key head, queries of 576 and values of 512 that are the first part of the cached key.
struct DecodeShape {
  std::int64_t sequences = 1;
  std::int64_t keys = 1;  ///< of a sequence, the new one included
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t query_width = 128;
  std::int64_t value_width = 128;
  std::int64_t window = 0;  ///< keys that the query sees; 0: all
  bool values_in_keys = false;
  core::Precision cache_precision = core::Precision::kBf16;
  /// Whether the same keys and values were read just before, as in a benchmark's loop: those that
  /// fit stay in the L2 cache. Between the layers of a model they never do.
  bool repeats_cache = false;
};

/// Time of the forward kernel. Tiles of queries are dealt to the multiprocessors, longest first:
///   max(longest tile alone, all tiles / multiprocessors + imbalance * longest) + exposed memory.
/// A block of a tile takes the root of the squares of its products and of its softmax. Causal and
/// windowed attention skip whole blocks. More multiprocessors at the same peak rate are
/// slower ones: grids of few tiles then take longer. [@dao2023flashattention2] [@aiconfigurator]
core::Duration attention_prefill_time(const core::Accelerator& device,
                                      const core::AttentionConstants& constants,
                                      const AttentionShape& shape);

/// Time of the backward pass: five products on the blocks of the forward pass's two, at
/// `backward_rate` of its rate, and streams of what it reads and writes.
core::Duration attention_backward_time(const core::Accelerator& device,
                                       const core::AttentionConstants& constants,
                                       const AttentionShape& shape);

/// Time of an inference engine's operator: the forward kernel, the pass that writes the paged
/// cache, and the call. It is what [@aiconfigurator] timed.
core::Duration attention_operator_time(const core::Accelerator& device,
                                       const core::AttentionConstants& constants,
                                       const AttentionShape& shape);

/// The constants of the kernel that an engine runs for a shape: there are kernels for heads that
/// share keys, for those that do not, for groups that fit no tile, and for latent attention. Null
/// where it was not measured.
const core::DecodeConstants* decode_kernel(const core::Accelerator& device,
                                           const DecodeShape& shape);

/// Time of the decode kernels: latency of a tile, reading of the cache and arithmetic hide each
/// other in part; keys are split so that small batches fill the device. [@aiconfigurator]
core::Duration attention_decode_time(const core::Accelerator& device,
                                     const core::DecodeConstants& constants,
                                     const DecodeShape& shape);

/// As attention_decode_time, and the call around it.
core::Duration attention_decode_operator_time(const core::Accelerator& device,
                                              const core::DecodeConstants& constants,
                                              const DecodeShape& shape);

}  // namespace railwright::models
