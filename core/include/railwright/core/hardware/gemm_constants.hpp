// SPDX-License-Identifier: Apache-2.0
// Constants of matrix-product kernels, fitted to kernels that were measured alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// Operand format of a matrix product, as libraries have kernels for it.
enum class ProductFormat : std::uint8_t {
  kWide,      ///< bf16 and fp16; wider numbers run by the same constants
  kFp8,       ///< one scale a tensor
  kFp8Block,  ///< a scale for each block: 1 x 128 and 128 x 128, MXFP8 on Blackwell
  kFp4,       ///< nvfp4: blocks of 16 with fp8 scales
};

constexpr auto enum_words(ProductFormat) {
  using enum ProductFormat;
  return words<ProductFormat>(
      {{"bf16", kWide}, {"fp8", kFp8}, {"fp8_block", kFp8Block}, {"nvfp4", kFp4}});
}

/// Returns the format in which stacks store operands of this precision: fp8 with one scale per
/// tensor, 4 bits as nvfp4.
constexpr ProductFormat format_of(Precision precision) {
  switch (precision) {
    case Precision::kFp8:
      return ProductFormat::kFp8;
    case Precision::kFp4:
      return ProductFormat::kFp4;
    default:
      return ProductFormat::kWide;
  }
}

/// Bytes per number of an operand, including its share of the scales.
constexpr double bytes_of(ProductFormat format) {
  switch (format) {
    case ProductFormat::kWide:
      return 2.0;
    case ProductFormat::kFp8:
      return 1.0;
    case ProductFormat::kFp8Block:
      return 1.0 + 1.0 / 32.0;
    case ProductFormat::kFp4:
      return 0.5 + 1.0 / 16.0;
  }
  return 0.0;
}

/// Time constants of the kernels of one format. Shares are of the device's data-sheet rates times
/// its efficiencies, so changing the device changes every time. See docs/models/compute.md.
struct GemmConstants {
  double efficiency = 0.8;
  double rate_share = 0.83;
  double load_share = 1.0;
  Duration fill_time;
  Duration launch_time;
  double wave_share = 0.5;
  Duration split_time;
  int max_splits = 64;
  int min_tile_rows = 16;
  double epilogue_share = 1.0;
  double draw_share = 2.0;
  double memory_share = 0.9;
  double sharpness = 3.0;
  Duration cast_time;
  double cast_share = 1.0;
  Duration ragged_time;
  double gradient_share = 1.0;
  DataSize cache;
  double cache_speedup = 1.0;
  std::vector<double> factors;

  /// Grid of `factors`: rows; and columns, which also serves the inner dimension.
  static constexpr std::array<double, 9> kRows{1, 64, 256, 512, 1024, 2048, 4096, 8192, 32768};
  static constexpr std::array<double, 6> kColumns{256, 1024, 2048, 4096, 8192, 32768};
  static constexpr std::size_t kNumFactors = kRows.size() * kColumns.size() * kColumns.size();

  static constexpr auto fields();
};

}  // namespace railwright::core
