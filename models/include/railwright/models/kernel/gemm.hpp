// SPDX-License-Identifier: Apache-2.0
// Time of one matrix-product kernel, computed from tiles, waves, loads and memory.
#pragma once

#include <cstdint>
#include <utility>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// C[rows, columns] = A[rows, inner] * B[inner, columns], `copies` times in one kernel.
struct GemmShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t inner = 0;
  std::int64_t copies = 1;
  core::ProductFormat format = core::ProductFormat::kWide;
  double operand_bytes = 2.0;  ///< bytes of a number of A and B
  double output_bytes = 2.0;   ///< moved for each number of C
  double rate_share = 1.0;     ///< share of the rate of the format's long products
  double moved_bytes = 0.0;    ///< bytes of all operands if not stored as matrices; 0: they are
  bool is_gradient = false;    ///< of a backward pass
  int max_splits = 0;          ///< work groups that may share one tile's sum; 0: as usual
  /// Whether the same operands were multiplied just before, as in a benchmark's loop, so that those
  /// that fit stay in the cache. Between the layers of a model they never do.
  bool repeats_operands = false;
};

/// Makes a product of a format, with operands as libraries store them.
inline GemmShape gemm_of(std::int64_t rows, std::int64_t columns, std::int64_t inner,
                         core::ProductFormat format = core::ProductFormat::kWide) {
  return {.rows = rows,
          .columns = columns,
          .inner = inner,
          .format = format,
          .operand_bytes = core::bytes_of(format)};
}

/// The two products of a backward pass.
enum class GemmGradient : std::uint8_t { kInput, kWeight };

/// Makes a gradient of the product of tokens[rows, inner] with a weight[inner, columns]: of a
/// GemmShape, or of another product with these members.
template <class Shape>
Shape gradient_of(Shape product, GemmGradient gradient) {
  product.is_gradient = true;
  std::swap(gradient == GemmGradient::kInput ? product.columns : product.rows, product.inner);
  return product;
}

/// Returns the share of the constants' rates that the device reaches, by its own efficiency.
double gemm_level(const core::Accelerator& device, core::ProductFormat format);

/// Computes the time between the launch of a product and its end, without the launch.
///
/// The result is the fastest, over tiles and numbers of work groups that share a tile's sum, of
///   (waves * (fill + loop + epilogue))^p + (bytes / memory bandwidth)^p, to the power 1/p,
/// where arithmetic and the loads of a multiprocessor limit the loop of a tile, and few work groups
/// do not use the whole memory bandwidth. A factor of the shape multiplies it, see
/// GemmConstants::factors. It grows with every dimension, up to those factors, and never gets
/// longer with a higher rate, bandwidth or efficiency. [@aiconfigurator] has the measured times.
core::Duration gemm_time(const core::Accelerator& device, const GemmShape& shape);

/// Computes the cast of bf16 inputs[rows, inner] to a format with blocks, including padding. The
/// measured times of fp8_block and nvfp4 include it. Zero for other formats.
core::Duration block_cast_time(const core::Accelerator& device, const GemmShape& shape);

}  // namespace railwright::models
