// SPDX-License-Identifier: Apache-2.0
#include "grouped_product.hpp"

#include <algorithm>
#include <cmath>

#include "cache_hits.hpp"

namespace railwright::models {

namespace {

using core::DataSize;
using core::Duration;
using core::Work;

/// A tile of so many rows, whose weights are stored in `narrow` of the bytes that it multiplies.
struct Tile {
  double rows = 0.0;
  double narrow = 1.0;
};

/// Returns the rate of a tile as a share of that of 256 rows: it reads more operands for each
/// product. Half of what is lost to that are weights on their way in, fewer bytes where these are
/// stored narrow, half are the widened ones, which the multipliers read. None is faster than the
/// tile of 256 rows.
double tile_share(const core::ExpertsConstants& constants, const Tile& tile) {
  const double largest = kTileRows.back();
  const double lost = constants.lost_rows * (1.0 + tile.narrow) / 2.0;
  const double share = tile.rows / (tile.rows + lost) * (largest + constants.lost_rows) / largest;
  return std::min(share, 1.0);
}

/// Computes the time of a tile over an inner dimension, on one multiprocessor.
Duration tile_time(const core::Accelerator& device, const core::ExpertsConstants& constants,
                   core::ComputeRate peak, const Tile& tile, double inner) {
  const Work work =
      Work::from_base(2.0 * tile.rows * kTileColumns * (inner + constants.fill_inner));
  return work / (peak * (constants.rate_share * tile_share(constants, tile) /
                         static_cast<double>(device.num_multiprocessors.value)));
}

/// Combines partly overlapping times: the longer of them times 1 to 2.
Duration overlapped(const core::ExpertsConstants& constants, Duration arithmetic, Duration memory) {
  const Duration longer = std::max(arithmetic, memory);
  if (longer <= Duration{} || longer == Duration::infinity()) return longer;
  const double ratio = std::min(arithmetic, memory) / longer;
  const double exponent = constants.overlap_exponent;
  return longer * std::pow(1.0 + std::pow(ratio, exponent), 1.0 / exponent);
}

Duration memory_time(const core::Accelerator& device, const core::ExpertsConstants& constants,
                     double bytes, double cached) {
  const double moved = bytes * cached_time(cached, constants.cache_speedup);
  return DataSize::from_base(moved) / (device.memory_bandwidth.value * constants.memory_share);
}

/// Rounds up a number from 0 to 2^62 without a call into the library.
double ceiling(double x) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole < x ? whole + 1.0 : whole;
}

}  // namespace

GroupedRows::GroupedRows(const ExpertLoads& expert_loads)
    : loads(expert_loads), num_active(expert_loads.num_active()) {
  // A load that is whole except for rounding fills no further tile.
  constexpr double kRounding = 1e-9;
  for (std::size_t t = 0; t < kTileRows.size(); ++t) {
    double sum = 0.0;
    for (std::size_t k = 0; k < ExpertLoads::kNumClasses; ++k) {
      sum += loads.active(k) * ceiling(loads.rows(k) / kTileRows[t] - kRounding);
    }
    row_tiles[t] = sum * loads.experts_of_class;
  }
}

Duration grouped_product_time(const core::Accelerator& device,
                              const core::ExpertsConstants& constants, core::ComputeRate peak,
                              const GroupedRows& rows, const GroupedProduct& product) {
  const double column_tiles = ceiling(product.columns / kTileColumns);
  const double weight_bytes =
      product.weight_bytes > 0.0 ? product.weight_bytes : product.operand_bytes;
  const double narrow = std::min(weight_bytes / product.operand_bytes, 1.0);
  Duration arithmetic = Duration::infinity();
  for (std::size_t t = 0; t < kTileRows.size(); ++t) {
    const double waves =
        rows.row_tiles[t] * column_tiles / static_cast<double>(device.num_multiprocessors.value);
    arithmetic =
        std::min(arithmetic, tile_time(device, constants, peak,
                                       {.rows = kTileRows[t], .narrow = narrow}, product.inner) *
                                 std::max(1.0, waves + constants.tail_tiles));
  }
  const double weights = rows.num_active * product.columns * product.inner * weight_bytes;
  const double activations = rows.loads.pairs * (product.inner * product.operand_bytes +
                                                 product.columns * product.output_bytes);
  return overlapped(constants, arithmetic,
                    memory_time(device, constants, weights + activations, product.cached));
}

Duration grouped_gradient_time(const core::Accelerator& device,
                               const core::ExpertsConstants& constants, core::ComputeRate peak,
                               const GroupedRows& rows, const GroupedProduct& product) {
  constexpr double kRows = kTileRows.back();
  const double tiles = ceiling(product.inner / kRows) * ceiling(product.columns / kTileColumns);
  const double waves =
      rows.num_active * tiles / static_cast<double>(device.num_multiprocessors.value);
  const double mean_rows = rows.loads.pairs / std::max(rows.num_active, 1.0);
  const Duration arithmetic = tile_time(device, constants, peak, {.rows = kRows}, mean_rows) *
                              std::max(1.0, waves + constants.tail_tiles);
  const double written = rows.num_active * product.columns * product.inner * product.output_bytes;
  const double read = rows.loads.pairs * (product.inner + product.columns) * product.operand_bytes;
  return overlapped(constants, arithmetic,
                    memory_time(device, constants, written + read, product.cached));
}

}  // namespace railwright::models
