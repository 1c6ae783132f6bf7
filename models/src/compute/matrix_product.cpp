// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels.hpp"

namespace railwright::models {

namespace {

using core::DataSize;
using core::Duration;
using core::Work;

constexpr std::int64_t kTileRows = 128;
constexpr std::int64_t kTileColumns = 256;

/// Share of the multiprocessors that work, averaged over the waves of output tiles.
double wave_efficiency(std::int64_t rows, std::int64_t columns, std::int64_t copies,
                       int num_multiprocessors) {
  const std::int64_t tiles = copies * ceil_div(rows, kTileRows) * ceil_div(columns, kTileColumns);
  const std::int64_t waves = ceil_div(tiles, num_multiprocessors);
  const double outputs =
      static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(copies);
  return outputs / (static_cast<double>(waves * num_multiprocessors) * kTileRows * kTileColumns);
}

}  // namespace

core::Duration matrix_product_time(const core::Accelerator& accelerator, std::int64_t rows,
                                   std::int64_t inner, std::int64_t columns, std::int64_t copies) {
  const double m = static_cast<double>(rows);
  const double k = static_cast<double>(inner);
  const double n = static_cast<double>(columns);
  const double c = static_cast<double>(copies);
  const double share =
      accelerator.gemm_efficiency.value *
      wave_efficiency(rows, columns, copies, accelerator.num_multiprocessors.value);
  const Duration arithmetic =
      Work::from_base(2.0 * m * k * n * c) / (accelerator.bf16_rate.value * share);
  const Duration memory =
      DataSize::from_base(kBf16Bytes * (m * k + k * n + m * n) * c) /
      (accelerator.memory_bandwidth.value * accelerator.memory_efficiency.value);
  return std::max(arithmetic, memory);
}

void add_matrix(const Kernels& kernels, std::int64_t tokens, const Matrix& matrix, PassCost& cost) {
  const std::int64_t rows = ceil_div(tokens * matrix.passes, matrix.copies);
  const auto time = [&](std::int64_t m, std::int64_t k, std::int64_t n) {
    return matrix_product_time(kernels.device, m, k, n, matrix.copies);
  };
  cost.forward.matrix += time(rows, matrix.inner, matrix.columns);
  cost.backward.matrix += time(rows, matrix.columns, matrix.inner);
  cost.backward.matrix += time(matrix.inner, rows, matrix.columns);
}

}  // namespace railwright::models
