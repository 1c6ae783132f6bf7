// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "kernels.hpp"

namespace railwright::models {

namespace {

using core::ComputeRate;
using core::DataSize;
using core::Duration;
using core::Precision;
using core::Work;

struct Tile {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// The tiles that cuBLAS offers. [@nvidia_dl_performance]
constexpr std::array<Tile, 8> kTiles{
    {{256, 128}, {128, 256}, {128, 128}, {256, 64}, {64, 256}, {128, 64}, {64, 128}, {64, 64}}};

/// Work groups that share one tile's sum, where tiles are few.
constexpr std::array<std::int64_t, 9> kSplits{1, 2, 4, 8, 16, 32, 64, 128, 256};

constexpr double intensity(Tile tile) {
  return static_cast<double>(tile.rows * tile.columns) /
         static_cast<double>(tile.rows + tile.columns);
}

/// A tile reads rows + columns operands for rows * columns products; the share lost to that falls
/// with its intensity. The constant is an estimate: a tile of 64 x 64 reaches 0.79 of the largest.
constexpr double tile_share(Tile tile) {
  constexpr double kLost = 16.0;
  constexpr double kLargest = intensity({256, 128});
  return intensity(tile) / (intensity(tile) + kLost) * (kLargest + kLost) / kLargest;
}

/// Filling and draining a tile takes as long as 128 bytes of each operand's row: an estimate.
constexpr double kFillBytes = 128.0;

constexpr double kLine = 128.0;     ///< bytes of a line of cache
constexpr double kWideLoad = 16.0;  ///< bytes that a thread loads at once

/// Rows of operands that start off a boundary of 128 bytes cost; below 16 bytes wide loads are
/// lost. The steps are estimates in the direction of [@nvidia_dl_performance].
double alignment_share(double bytes) {
  if (bytes >= kLine) return 1.0;
  if (bytes >= 64.0) return 0.99;
  if (bytes >= 32.0) return 0.97;
  if (bytes >= 16.0) return 0.95;
  if (bytes >= 8.0) return 0.6;
  if (bytes >= 4.0) return 0.45;
  return 0.3;
}

/// What experts lose to products of their own: measured shapes on B200 reach 0.302 of the peak in
/// groups, 0.488 alone [@simumax]. They are DeepSeek's, of about 1,100 tokens an expert; that the
/// loss is that of so many tokens to each expert, whatever its load, is an estimate.
double grouped_share(std::int64_t tokens_of_copy) {
  constexpr double kMeasured = 0.302 / 0.488;
  constexpr double kMeasuredTokens = 1100.0;
  constexpr double kLostTokens = kMeasuredTokens * (1.0 / kMeasured - 1.0);
  if (tokens_of_copy == 0) return 1.0;
  const auto tokens = static_cast<double>(tokens_of_copy);
  return tokens / (tokens + kLostTokens);
}

/// Batches whose members start off 16 bytes run without tensor cores: BLOOM's trials took 1.3 to
/// 1.4 times as long with heads of 108 and 150 as with 64 heads of a width of 8s.
/// [@bigscience_chronicles]
ComputeRate rate_on_boundary(const core::Accelerator& device, const Product& product,
                             double bytes) {
  const bool is_batch = product.copies > 1 && product.tokens_of_copy == 0;
  if (is_batch && bytes < kWideLoad && device.fp32_rate) return device.fp32_rate->value;
  return device.peak_rate(product.precision).value_or(ComputeRate{}) * alignment_share(bytes);
}

/// The fastest of all tiles and splits, as a tuned library picks it.
Duration arithmetic_time(const core::Accelerator& device, const Product& product) {
  const std::int64_t multiprocessors = device.num_multiprocessors.value;
  const double operand_bytes = core::bytes_of(product.precision);
  const std::int64_t aligned = product.strides & -product.strides;
  const double boundary =
      product.strides == 0 ? kLine : static_cast<double>(aligned) * operand_bytes;
  const ComputeRate rate = rate_on_boundary(device, product, boundary) *
                           (device.product_efficiency(product.precision) *
                            grouped_share(product.tokens_of_copy) * product.rate_share) /
                           static_cast<double>(multiprocessors);
  const double outputs = static_cast<double>(product.copies) * static_cast<double>(product.rows) *
                         static_cast<double>(product.columns);
  Duration best = Duration::from_base(std::numeric_limits<double>::infinity());
  for (const Tile& tile : kTiles) {
    const std::int64_t tiles = product.copies * ceil_div(product.rows, tile.rows) *
                               ceil_div(product.columns, tile.columns);
    const double outputs_of_tile = static_cast<double>(tile.rows * tile.columns);
    for (const std::int64_t split : kSplits) {
      if (split > product.max_splits) break;
      const double waves = static_cast<double>(ceil_div(tiles * split, multiprocessors));
      const double inner = static_cast<double>(product.inner) / static_cast<double>(split) +
                           kFillBytes / operand_bytes;
      const Duration tiled =
          Work::from_base(2.0 * outputs_of_tile * inner * waves) / (rate * tile_share(tile));
      const double partial_bytes =
          split == 1 ? 0.0 : 2.0 * kFp32Bytes * outputs * static_cast<double>(split);
      best = std::min(best,
                      tiled + DataSize::from_base(partial_bytes) /
                                  (device.memory_bandwidth.value * device.memory_efficiency.value));
    }
  }
  return best;
}

}  // namespace

Duration product_time(const core::Accelerator& device, const Product& product) {
  const auto m = static_cast<double>(product.rows);
  const auto k = static_cast<double>(product.inner);
  const auto n = static_cast<double>(product.columns);
  const double bytes =
      core::bytes_of(product.precision) * (m * k + k * n) + product.output_bytes * m * n;
  const double moved =
      product.moved_bytes > 0.0 ? product.moved_bytes : bytes * static_cast<double>(product.copies);
  const Duration memory =
      DataSize::from_base(moved) / (device.memory_bandwidth.value * device.memory_efficiency.value);
  return std::max(arithmetic_time(device, product), memory);
}

Duration matrix_product_time(const core::Accelerator& accelerator, std::int64_t rows,
                             std::int64_t inner, std::int64_t columns, std::int64_t copies,
                             Precision precision) {
  return product_time(accelerator, {.rows = rows,
                                    .inner = inner,
                                    .columns = columns,
                                    .copies = copies,
                                    .strides = inner | columns,
                                    .precision = precision,
                                    .output_bytes = std::max(core::bytes_of(precision), 2.0)});
}

namespace {

/// Megatron sums fp32 gradients of micro-batches inside the product.
bool sums_in_product(const SoftwareProfile& software) {
  return software.gradient_reduce_bytes.value >= 4 && !software.sync_every_microbatch.value;
}

}  // namespace

double gradient_sum_bytes(const Kernels& kernels) {
  const SoftwareProfile& software = kernels.software;
  const double bytes = software.gradient_reduce_bytes.value;
  if (sums_in_product(software)) return 0.0;
  // Reduced at once: only brought to the format of the wire. Else autograd adds it in a kernel.
  const double weight_bytes = kernels.element_bytes();
  if (software.sync_every_microbatch.value)
    return bytes > weight_bytes ? weight_bytes + bytes : 0.0;
  return 3.0 * bytes;
}

double cast_bytes(const Kernels& kernels, Precision precision) {
  return kernels.element_bytes() + 2.0 * bytes_of(precision);
}

bool casts_each_microbatch(const SoftwareProfile& software) {
  return software.zero_stage.value == 3 && software.reshard_after_forward.value;
}

void add_matrix(const Kernels& kernels, std::int64_t tokens, const Matrix& matrix,
                Precision precision, Weights weights, PassCost& cost) {
  const std::int64_t rows = ceil_div(tokens * matrix.passes, matrix.copies);
  Product product{.copies = matrix.copies,
                  .strides = matrix.inner | matrix.columns,
                  .precision = precision,
                  .output_bytes = kernels.element_bytes(),
                  .tokens_of_copy = matrix.copies > 1 ? rows : 0};
  const auto time = [&](std::int64_t m, std::int64_t k, std::int64_t n) {
    product.rows = m;
    product.inner = k;
    product.columns = n;
    return product_time(kernels.device, product);
  };
  cost.forward.matrix += time(rows, matrix.inner, matrix.columns);
  cost.backward.matrix += time(rows, matrix.columns, matrix.inner);
  const auto parameters = static_cast<double>(matrix.parameters());
  if (weights == Weights::kTrained) {
    if (sums_in_product(kernels.software)) product.output_bytes = 2.0 * kFp32Bytes;
    cost.weight.matrix += time(matrix.inner, rows, matrix.columns);
    cost.weight.elementwise += kernels.stream(gradient_sum_bytes(kernels) * parameters);
  }
  if (bytes_of(precision) >= kernels.element_bytes()) return;
  // Transformer Engine casts inputs, weights and gradients of outputs, and keeps a transposed copy
  // of each for the backward pass. A fused norm gives narrow elements itself. [@transformer_engine]
  const bool from_norm = matrix.behind_norm && !kernels.is_eager();
  const double input_bytes = from_norm ? 3.0 * bytes_of(precision) - kernels.element_bytes()
                                       : cast_bytes(kernels, precision);
  const auto inputs = static_cast<double>(rows * matrix.copies * matrix.inner);
  const auto outputs = static_cast<double>(rows * matrix.copies * matrix.columns);
  cost.forward.elementwise += kernels.stream(input_bytes * inputs);
  if (casts_each_microbatch(kernels.software)) {
    cost.forward.elementwise += kernels.stream(cast_bytes(kernels, precision) * parameters);
  }
  cost.backward.elementwise += kernels.stream(cast_bytes(kernels, precision) * outputs);
  if (precision == Precision::kFp8 && !kernels.software.fp8_weight_transposes.value &&
      !kernels.device.fp8_any_layout.value) {
    cost.backward.elementwise += kernels.stream(2.0 * bytes_of(precision) * parameters);
  }
}

}  // namespace railwright::models
