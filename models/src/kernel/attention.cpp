// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace railwright::models {

namespace {

using core::Accelerator;
using core::AttentionConstants;
using core::Duration;

/// Number of scores whose softmax takes `softmax_time`.
constexpr double kSoftmaxScores = 128.0 * 128.0;
/// Head width above which kernels use `wide_query_tile`.
constexpr std::int64_t kWideHead = 128;
constexpr double kAttentionOutputBytes = 2.0;
constexpr double kGradientSumBytes = 4.0;

double attention_tensor_share(const AttentionConstants& c, double width) {
  constexpr std::array kWidths{64.0, 128.0, 192.0, 256.0};
  const std::array shares{c.tensor_share_64, c.tensor_share_128, c.tensor_share_192,
                          c.tensor_share_256};
  if (width <= kWidths.front()) {
    return shares.front();
  }
  for (std::size_t i = 1; i < kWidths.size(); ++i) {
    if (width <= kWidths[i]) {
      const double part = std::log(width / kWidths[i - 1]) / std::log(kWidths[i] / kWidths[i - 1]);
      return shares[i - 1] * std::pow(shares[i] / shares[i - 1], part);
    }
  }
  return shares.back();
}

struct AttentionTile {
  double queries = 0.0;
  double keys = 0.0;
};

AttentionTile attention_tile(const AttentionConstants& c, const AttentionShape& shape,
                             double queries) {
  const bool wide = std::max(shape.query_width, shape.value_width) > kWideHead;
  const double largest = wide ? c.wide_query_tile : c.query_tile;
  const double needed = std::exp2(std::ceil(std::log2(queries)));
  const double rows = std::min(largest, std::max<double>(c.min_query_tile, needed));
  return {.queries = rows, .keys = std::min<double>(c.key_tile, rows)};
}

/// The tiles and their blocks of keys, of one head of one sequence.
struct AttentionBlocks {
  double tiles = 0.0;
  double total = 0.0;
  double longest = 0.0;
};

/// Counts the blocks of `queries` that follow `prefix` keys. A tile computes every block with a key
/// that one of its queries sees.
AttentionBlocks attention_blocks(double queries, double prefix, double window, bool causal,
                                 AttentionTile tile) {
  const double tiles = std::ceil(queries / tile.queries);
  const double full = std::ceil((queries + prefix) / tile.keys);
  if (!causal) {
    return {.tiles = tiles, .total = tiles * full, .longest = full};
  }
  const double ratio = tile.queries / tile.keys;
  const double before = std::ceil(prefix / tile.keys);
  const double triangle =
      tiles > 1.0 ? before * (tiles - 1.0) + ratio * tiles * (tiles - 1.0) / 2.0 + full : full;
  if (window <= 0.0) {
    return {.tiles = tiles, .total = triangle, .longest = full};
  }
  const double most = std::ceil((window + tile.queries - 1.0) / tile.keys);
  const double growing = std::clamp(std::floor((most - before) / ratio), 0.0, tiles);
  const double windowed =
      before * growing + ratio * growing * (growing + 1.0) / 2.0 + (tiles - growing) * most;
  return {.tiles = tiles, .total = std::min(triangle, windowed), .longest = std::min(full, most)};
}

/// Counts the blocks of a shape. Chunks attend as separate sequences.
AttentionBlocks attention_blocks(const AttentionShape& shape, AttentionTile tile) {
  const auto queries = static_cast<double>(shape.queries);
  const auto window = static_cast<double>(shape.window);
  if (shape.chunk <= 0 || shape.chunk >= shape.queries) {
    const auto prefix = static_cast<double>(shape.keys - shape.queries);
    return attention_blocks(queries, prefix, window, shape.causal, tile);
  }
  const AttentionBlocks chunk =
      attention_blocks(static_cast<double>(shape.chunk), 0.0, window, shape.causal, tile);
  const auto whole = static_cast<double>(shape.queries / shape.chunk);
  AttentionBlocks sum{
      .tiles = whole * chunk.tiles, .total = whole * chunk.total, .longest = chunk.longest};
  if (const std::int64_t rest = shape.queries % shape.chunk; rest > 0) {
    const AttentionBlocks last =
        attention_blocks(static_cast<double>(rest), 0.0, window, shape.causal, tile);
    sum.tiles += last.tiles;
    sum.total += last.total;
  }
  return sum;
}

/// Computes the time to stream `bytes` of a footprint that the L2 cache holds in part.
double attention_stream_time(const Accelerator& device, const AttentionConstants& c, double bytes,
                             double footprint) {
  const double ratio = footprint / c.l2_reach.base();
  const double hit = 1.0 / (1.0 + ratio * ratio);
  const double slow = device.memory_bandwidth.value.base() * c.memory_efficiency;
  const double fast = std::max(c.l2_bandwidth.base() * device.num_multiprocessors.value, slow);
  return bytes * ((1.0 - hit) / slow + hit / fast);
}

/// Computes the time of all tiles, whose blocks take `slowdown` times as long as in the forward
/// pass.
double attention_grid_time(const Accelerator& device, const AttentionConstants& c,
                           const AttentionShape& shape, double slowdown) {
  const double queries =
      static_cast<double>(shape.chunk > 0 ? std::min(shape.chunk, shape.queries) : shape.queries);
  const AttentionTile tile = attention_tile(c, shape, queries);
  const AttentionBlocks blocks = attention_blocks(shape, tile);
  const double multiprocessors = device.num_multiprocessors.value;
  const double rate =
      device.peak_rate(shape.precision).value_or(device.wide_rate()).base() / multiprocessors;
  const auto widths = static_cast<double>(shape.query_width + shape.value_width);
  const double scores = tile.queries * tile.keys;
  const double products = 2.0 * scores * widths / rate / attention_tensor_share(c, widths / 2.0);
  const double softmax = c.softmax_time.base() * scores / kSoftmaxScores;
  const double block = slowdown * std::hypot(products, softmax);
  const double lone_block = slowdown * std::hypot(products * c.lone_tile_factor, softmax);
  const double start = c.tile_start.base();
  const auto heads = static_cast<double>(shape.sequences * shape.heads);
  const double alone = blocks.longest * lone_block + start;
  const double all = heads * (blocks.total * block + blocks.tiles * start) / multiprocessors;
  return std::max(alone, all + c.imbalance * (blocks.longest * block + start));
}

/// Elements of the queries, of the outputs, and of the keys and values.
struct AttentionElements {
  double queries = 0.0;
  double outputs = 0.0;
  double cached = 0.0;
};

AttentionElements attention_elements(const AttentionShape& shape) {
  const auto rows = static_cast<double>(shape.sequences * shape.queries * shape.heads);
  return {.queries = rows * static_cast<double>(shape.query_width),
          .outputs = rows * static_cast<double>(shape.value_width),
          .cached = static_cast<double>(shape.sequences * shape.keys * shape.kv_heads) *
                    static_cast<double>(shape.query_width + shape.value_width)};
}

}  // namespace

Duration attention_prefill_time(const Accelerator& device, const AttentionConstants& constants,
                                const AttentionShape& shape) {
  const AttentionElements elements = attention_elements(shape);
  const double operand = bytes_of(shape.precision);
  const double ends = elements.queries * operand + elements.outputs * kAttentionOutputBytes;
  const double footprint = ends + elements.cached * operand;
  return Duration::from_base(attention_grid_time(device, constants, shape, 1.0) +
                             constants.exposed_memory *
                                 attention_stream_time(device, constants, ends, footprint));
}

Duration attention_backward_time(const Accelerator& device, const AttentionConstants& constants,
                                 const AttentionShape& shape) {
  const auto q = static_cast<double>(shape.query_width);
  const auto v = static_cast<double>(shape.value_width);
  const double slowdown = (3.0 * q + 2.0 * v) / (q + v) / constants.backward_rate;
  const AttentionElements elements = attention_elements(shape);
  const double operand = bytes_of(shape.precision);
  // Outputs once and their gradients twice; partial sums of the queries' gradients written and
  // read, then those gradients; keys, values and their gradients.
  const double bytes =
      elements.queries * (operand + 2.0 * kGradientSumBytes + kAttentionOutputBytes) +
      elements.outputs * (operand + 2.0 * kAttentionOutputBytes) +
      elements.cached * (operand + kAttentionOutputBytes);
  return Duration::from_base(attention_grid_time(device, constants, shape, slowdown) +
                             attention_stream_time(device, constants, bytes, bytes));
}

TrainingAttention training_attention(const Accelerator& device, bool native) {
  const core::AttentionKernels& kernels = device.kernels->attention;
  const auto& own = device.native_attention_efficiency;
  const bool is_native = native && own.has_value();
  const double efficiency = is_native ? own->value : device.attention_efficiency.value;
  if (!is_native && kernels.flash_2 && kernels.flash_2_efficiency) {
    return {.constants = *kernels.flash_2, .slowdown = *kernels.flash_2_efficiency / efficiency};
  }
  return {.constants = kernels.training, .slowdown = kernels.training_efficiency / efficiency};
}

Duration attention_operator_time(const Accelerator& device, const AttentionConstants& constants,
                                 const AttentionShape& shape) {
  const AttentionElements elements = attention_elements(shape);
  const auto new_keys = static_cast<double>(shape.queries) / static_cast<double>(shape.keys);
  const double bytes =
      constants.operator_queries * elements.queries *
          (kAttentionOutputBytes + bytes_of(shape.precision)) +
      elements.cached * new_keys * (kAttentionOutputBytes + bytes_of(shape.cache_precision));
  return attention_prefill_time(device, constants, shape) + constants.operator_overhead +
         Duration::from_base(constants.operator_memory *
                             attention_stream_time(device, constants, bytes, bytes));
}

}  // namespace railwright::models
