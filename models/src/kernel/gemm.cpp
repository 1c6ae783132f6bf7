// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/gemm.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cache_hits.hpp"

namespace railwright::models {

namespace {

using core::Duration;
using core::GemmConstants;
using core::ProductFormat;

struct GemmTile {
  double rows = 0.0;
  double columns = 0.0;
};

/// Tiles that cuBLAS and CUTLASS offer, as powers of 2. [@nvidia_dl_performance]
constexpr std::array<GemmTile, 10> kGemmTiles{{{16, 64},
                                               {32, 64},
                                               {64, 64},
                                               {64, 128},
                                               {128, 64},
                                               {64, 256},
                                               {128, 128},
                                               {256, 64},
                                               {128, 256},
                                               {256, 128}}};
constexpr std::array<int, 13> kGemmSplits{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256};

/// Bytes that a bf16 tile of 128 x 128 loads per operation.
constexpr double kTileLoad = 1.0 / 64.0;
/// Smallest inner dimension of a work group.
constexpr double kMinInner = 32.0;
/// Bandwidth of the cache, which holds partial sums, relative to memory: an estimate.
constexpr double kCacheOverMemory = 2.5;
constexpr double kPartialBytes = 4.0;
constexpr double kWideBytes = 2.0;

/// Rates and sizes of one product; seconds, bytes and operations.
struct GemmProblem {
  double rows = 0.0;
  double columns = 0.0;
  double inner = 0.0;
  double copies = 1.0;
  double operand_bytes = 0.0;
  double output_bytes = 2.0;
  double num_multiprocessors = 0.0;
  double rate = 0.0;        ///< operations/s of a multiprocessor
  double load_rate = 0.0;   ///< bytes/s that a multiprocessor loads
  double cache_rate = 0.0;  ///< bytes/s of partial sums
  int max_splits = 1;
  double memory_time = 0.0;  ///< seconds of all operands and the result
  const GemmConstants& constants;
};

GemmProblem problem_of(const core::Accelerator& device, const GemmShape& shape) {
  const GemmConstants& constants = device.kernels->gemm.of(shape.format);
  const auto rows = static_cast<double>(shape.rows);
  const auto columns = static_cast<double>(shape.columns);
  const auto inner = static_cast<double>(shape.inner);
  const double multiprocessors = device.num_multiprocessors.value;
  const double level = gemm_level(device, shape.format);
  const double streamed = device.memory_bandwidth.value.base() * device.memory_efficiency.value;
  const double moved =
      shape.moved_bytes > 0.0
          ? shape.moved_bytes
          : static_cast<double>(shape.copies) * (shape.operand_bytes * inner * (rows + columns) +
                                                 shape.output_bytes * rows * columns);
  const double cached = shape.repeats_operands ? cached_share(constants.cache.base(), moved) : 0.0;
  return {.rows = rows,
          .columns = columns,
          .inner = inner,
          .copies = static_cast<double>(shape.copies),
          .operand_bytes = shape.operand_bytes,
          .output_bytes = shape.output_bytes,
          .num_multiprocessors = multiprocessors,
          .rate = device.peak_rate(shape.format).base() * constants.rate_share * level *
                  shape.rate_share * (shape.is_gradient ? constants.gradient_share : 1.0) /
                  multiprocessors,
          .load_rate = device.wide_rate().base() / multiprocessors * kTileLoad *
                       constants.load_share * level,
          .cache_rate = streamed * kCacheOverMemory,
          .max_splits = shape.max_splits > 0 ? shape.max_splits : constants.max_splits,
          .memory_time = moved * cached_time(cached, constants.cache_speedup) /
                         (streamed * constants.memory_share),
          .constants = constants};
}

double num_tiles(const GemmProblem& p, const GemmTile& tile) {
  return p.copies * std::ceil(p.rows / tile.rows) * std::ceil(p.columns / tile.columns);
}

double fourth_norm(double a, double b) {
  const double x = a * a;
  const double y = b * b;
  return std::sqrt(std::sqrt(x * x + y * y));
}

/// Computes the waves of work groups over the multiprocessors; `wave_share` weights the last one.
double waves_of(double groups, const GemmProblem& p) {
  const double waves = groups / p.num_multiprocessors;
  if (waves <= 1.0) return 1.0;
  return waves + p.constants.wave_share * (std::ceil(waves) - waves);
}

/// Computes the time with a tile and splits; infinite if it is no better than `best`.
double tiled_time(const GemmProblem& p, const GemmTile& tile, int splits, double best) {
  const double groups = num_tiles(p, tile) * splits;
  const double inner = std::ceil(p.inner / splits);
  const double loop =
      fourth_norm(2.0 * tile.rows * tile.columns * inner / p.rate,
                  (tile.rows + tile.columns) * inner * p.operand_bytes / p.load_rate);
  const double epilogue =
      tile.rows * tile.columns * p.output_bytes * p.constants.epilogue_share / p.load_rate;
  const double arithmetic = waves_of(groups, p) * (loop + epilogue + p.constants.fill_time.base());
  const double memory =
      p.memory_time / std::min(1.0, groups * p.constants.draw_share / p.num_multiprocessors);
  const double longer = std::max(arithmetic, memory);
  if (longer >= best) return std::numeric_limits<double>::infinity();
  const double ratio = std::min(arithmetic, memory) / longer;
  const double both =
      longer * std::pow(1.0 + std::pow(ratio, p.constants.sharpness), 1.0 / p.constants.sharpness);
  if (splits == 1) return both;
  return both + p.constants.split_time.base() +
         kPartialBytes * p.copies * p.rows * p.columns * splits / p.cache_rate;
}

double fastest_tiling(const GemmProblem& p) {
  double best = std::numeric_limits<double>::infinity();
  for (const GemmTile& tile : kGemmTiles) {
    if (tile.rows < p.constants.min_tile_rows) continue;
    const double tiles = num_tiles(p, tile);
    for (const int splits : kGemmSplits) {
      // If tiles fill the device twice over, splitting them gains nothing.
      const bool is_full = tiles * splits > 4.0 * p.num_multiprocessors;
      if (splits > 1 &&
          (splits > p.max_splits || is_full || std::ceil(p.inner / splits) < kMinInner)) {
        break;
      }
      best = std::min(best, tiled_time(p, tile, splits, best));
    }
  }
  return best;
}

/// Every number that fastest_tiling() reads.
using TilingKey = std::array<double, 19>;

TilingKey key_of_tiling(const GemmProblem& p) {
  const GemmConstants& c = p.constants;
  return {p.rows,
          p.columns,
          p.inner,
          p.copies,
          p.operand_bytes,
          p.output_bytes,
          p.num_multiprocessors,
          p.rate,
          p.load_rate,
          p.cache_rate,
          static_cast<double>(p.max_splits),
          p.memory_time,
          static_cast<double>(c.min_tile_rows),
          c.wave_share,
          c.fill_time.base(),
          c.epilogue_share,
          c.draw_share,
          c.sharpness,
          c.split_time.base()};
}

/// The last tilings by key. A search asks for the same products again and again, with every way to
/// recompute them.
class KnownTilings {
 public:
  double time(const GemmProblem& p) {
    const TilingKey key = key_of_tiling(p);
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a over whole numbers
    for (const double number : key) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x100000001b3U;
      hash ^= hash >> 29U;
    }
    Known& known = known_[hash % known_.size()];
    if (known.key != key) known = {.key = key, .time = fastest_tiling(p)};
    return known.time;
  }

 private:
  struct Known {
    TilingKey key{};  ///< zero, as of no product
    double time = 0.0;
  };
  std::vector<Known> known_ = std::vector<Known>(4096);
};

thread_local KnownTilings known_tilings;

/// A place between two corners of the table.
struct Corner {
  std::size_t low = 0;
  double share = 0.0;  ///< weight of the higher corner
};

template <std::size_t N>
Corner corner_of(const std::array<double, N>& corners, double value) {
  const double clamped = std::clamp(value, corners.front(), corners.back());
  std::size_t low = 0;
  while (low + 2 < N && corners[low + 1] <= clamped) ++low;
  return {low, std::log(clamped / corners[low]) / std::log(corners[low + 1] / corners[low])};
}

double factor_of(const GemmProblem& p) {
  const std::vector<double>& factors = p.constants.factors;
  if (factors.size() != GemmConstants::kNumFactors) return 1.0;
  constexpr std::size_t kWidth = GemmConstants::kColumns.size();
  const Corner row = corner_of(GemmConstants::kRows, p.rows);
  const Corner column = corner_of(GemmConstants::kColumns, p.columns);
  const Corner inner = corner_of(GemmConstants::kColumns, p.inner);
  double sum = 0.0;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const auto share = [corner](const Corner& c, std::size_t bit) {
      return (corner & bit) != 0 ? c.share : 1.0 - c.share;
    };
    const std::size_t place =
        ((row.low + (corner & 1)) * kWidth + column.low + ((corner >> 1U) & 1)) * kWidth +
        inner.low + ((corner >> 2U) & 1);
    sum += share(row, 1) * share(column, 2) * share(inner, 4) * factors[place];
  }
  return sum;
}

}  // namespace

double gemm_level(const core::Accelerator& device, ProductFormat format) {
  const core::GemmByFormat& gemm = device.kernels->gemm;
  if (format == ProductFormat::kWide || !device.fp8_gemm_efficiency) {
    return device.gemm_efficiency.value / gemm.bf16.efficiency;
  }
  return device.fp8_gemm_efficiency->value / gemm.of(ProductFormat::kFp8).efficiency;
}

Duration gemm_time(const core::Accelerator& device, const GemmShape& shape) {
  const GemmProblem problem = problem_of(device, shape);
  return Duration::from_base(known_tilings.time(problem) * factor_of(problem));
}

Duration block_cast_time(const core::Accelerator& device, const GemmShape& shape) {
  if (shape.format != ProductFormat::kFp8Block && shape.format != ProductFormat::kFp4) return {};
  const GemmConstants& constants = device.kernels->gemm.of(shape.format);
  const double bytes = static_cast<double>(shape.rows) * static_cast<double>(shape.inner) *
                       (kWideBytes + core::bytes_of(shape.format));
  const double streamed = bytes / (device.memory_bandwidth.value.base() *
                                   device.memory_efficiency.value * constants.cast_share);
  const double launched = constants.cast_time.base();
  const double ragged = shape.rows % 4 == 0 ? 0.0 : constants.ragged_time.base();
  return Duration::from_base(std::sqrt(streamed * streamed + launched * launched) + ragged);
}

}  // namespace railwright::models
