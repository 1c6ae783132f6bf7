// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "railwright/models/kernel/attention.hpp"

namespace railwright::models {

namespace {

using core::Accelerator;
using core::DecodeConstants;
using core::Duration;

constexpr double kDecodeElementBytes = 2.0;

/// The bytes and operations of one decode step, before they are dealt to multiprocessors.
struct DecodeWork {
  double keys = 0.0;        ///< keys seen, per sequence
  double tiles = 0.0;       ///< number of tiles before keys are split
  double tile_heads = 0.0;  ///< query heads of a tile, padded
  double key_bytes = 0.0;   ///< cached bytes of a key and key head
  double held_bytes = 0.0;  ///< key_bytes as a tile holds them: a power of two of elements
  double cache_bytes = 0.0;
};

DecodeWork decode_work(const DecodeConstants& c, const DecodeShape& shape) {
  const auto heads = static_cast<double>(shape.heads);
  const auto kv_heads = static_cast<double>(shape.kv_heads);
  const double group = heads / kv_heads;
  const double bytes = bytes_of(shape.cache_precision);
  const auto width = static_cast<double>(
      shape.values_in_keys ? shape.query_width : shape.query_width + shape.value_width);
  const auto sequences = static_cast<double>(shape.sequences);
  const auto keys =
      static_cast<double>(shape.window > 0 ? std::min(shape.window, shape.keys) : shape.keys);
  const double step = c.head_step;
  return {.keys = keys,
          .tiles = sequences * kv_heads * std::ceil(group / c.heads_per_tile),
          .tile_heads = std::ceil(std::min<double>(group, c.heads_per_tile) / step) * step,
          .key_bytes = width * bytes,
          .held_bytes = std::exp2(std::ceil(std::log2(width))) * bytes,
          .cache_bytes = sequences * keys * kv_heads * width * bytes * c.cache_read_share};
}

/// Computes the latency of tiles, which start in waves; each runs through its part of the keys.
double decode_latency(const DecodeConstants& c, const DecodeWork& work, double multiprocessors) {
  const double wanted =
      std::min<double>(multiprocessors * c.split_waves / work.tiles, c.max_splits);
  const double splits = std::clamp(wanted, 1.0, std::max(1.0, work.keys / c.min_split_keys));
  const double start = c.tile_start.base();
  const double key = work.held_bytes / c.tile_bandwidth.base();
  return std::max(start + work.keys / splits * key, work.tiles * splits * start / multiprocessors);
}

double decode_arithmetic(const Accelerator& device, const DecodeConstants& c,
                         const DecodeShape& shape, const DecodeWork& work) {
  const auto widths = static_cast<double>(shape.query_width + shape.value_width);
  const double multiprocessors = device.num_multiprocessors.value;
  const double rate = device.wide_rate().base() / multiprocessors * c.tensor_share;
  return work.tiles * work.keys * (2.0 * work.tile_heads * widths / rate + c.key_time.base()) /
         multiprocessors;
}

/// Returns the share of the memory's bandwidth at which the part of the cache that is read comes.
/// Sequences of a benchmark may share pages; those of requests do not: all is read, as fast as was
/// measured, but no faster than streams are.
double decode_read_rate(const Accelerator& device, const DecodeConstants& c,
                        const DecodeShape& shape) {
  if (shape.repeats_cache) return c.memory_efficiency;
  return std::min(c.memory_efficiency, device.memory_efficiency.value * c.cache_read_share);
}

/// Computes the time to read. Every tile reads through the L2 cache; misses come from memory.
double decode_reading(const Accelerator& device, const DecodeConstants& c, const DecodeShape& shape,
                      const DecodeWork& work) {
  const double ratio = work.cache_bytes / c.l2_reach.base();
  const double square = ratio * ratio;
  const double hit = shape.repeats_cache ? 1.0 / (1.0 + square * square * square) : 0.0;
  const double miss = 1.0 - hit;
  const double through_l2 = work.tiles * work.keys * work.key_bytes * c.cache_read_share /
                            (c.l2_bandwidth.base() * device.num_multiprocessors.value);
  return std::max(through_l2,
                  work.cache_bytes * miss /
                      (device.memory_bandwidth.value.base() * decode_read_rate(device, c, shape)));
}

double decode_token_time(const Accelerator& device, const DecodeConstants& c,
                         const DecodeShape& shape) {
  const auto widths = static_cast<double>(shape.query_width + shape.value_width);
  const auto width = static_cast<double>(
      shape.values_in_keys ? shape.query_width : shape.query_width + shape.value_width);
  const double bytes = static_cast<double>(shape.sequences) *
                       (static_cast<double>(shape.heads) * widths * kDecodeElementBytes +
                        static_cast<double>(shape.kv_heads) * width *
                            (kDecodeElementBytes + bytes_of(shape.cache_precision)));
  return bytes * c.token_memory / device.memory_bandwidth.value.base();
}

/// Limit of the query heads of a key head that a tile holds.
constexpr std::int64_t kLargestGroup = 32;

}  // namespace

const DecodeConstants* decode_kernel(const Accelerator& device, const DecodeShape& shape) {
  const core::DecodeKernels& own = device.kernels->decode;
  const bool narrow = core::bytes_of(shape.cache_precision) < kDecodeElementBytes;
  const auto pick = [narrow](const std::optional<DecodeConstants>& wide_cache,
                             const std::optional<DecodeConstants>& fp8_cache) {
    const std::optional<DecodeConstants>& one = narrow ? fp8_cache : wide_cache;
    return one ? &*one : nullptr;
  };
  if (shape.values_in_keys) return pick(own.latent_bf16_cache, own.latent_fp8_cache);
  if (shape.heads % shape.kv_heads != 0 || shape.heads / shape.kv_heads > kLargestGroup) {
    return pick(own.bf16_cache_many_heads, own.fp8_cache_many_heads);
  }
  if (shape.heads == shape.kv_heads) {
    return pick(own.bf16_cache_single_head, own.fp8_cache_single_head);
  }
  return pick(own.bf16_cache, own.fp8_cache);
}

Duration attention_decode_time(const Accelerator& device, const DecodeConstants& constants,
                               const DecodeShape& shape) {
  const DecodeWork work = decode_work(constants, shape);
  const double multiprocessors = device.num_multiprocessors.value;
  const double p = constants.overlap;
  const double joint = std::pow(decode_latency(constants, work, multiprocessors), p) +
                       std::pow(decode_reading(device, constants, shape, work), p) +
                       std::pow(decode_arithmetic(device, constants, shape, work), p);
  const bool split = constants.max_splits > 1 && work.keys > constants.min_split_keys;
  return Duration::from_base(std::pow(joint, 1.0 / p) +
                             decode_token_time(device, constants, shape)) +
         (split ? constants.reduction_time : Duration{});
}

Duration attention_decode_operator_time(const Accelerator& device, const DecodeConstants& constants,
                                        const DecodeShape& shape) {
  return attention_decode_time(device, constants, shape) + constants.operator_overhead;
}

}  // namespace railwright::models
