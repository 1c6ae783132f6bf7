// SPDX-License-Identifier: Apache-2.0
// Time of one matrix-product kernel, from tiles, waves, loads and memory.
#pragma once

#include <cstdint>

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
  double operand_bytes = 2.0;  ///< of a number of A and B
  double output_bytes = 2.0;   ///< moved for each number of C
  double rate_share = 1.0;     ///< of the rate that long products of the format reach
  double moved_bytes = 0.0;  ///< of all operands, where they do not lie as the matrices; 0: they do
  int max_splits = 0;        ///< work groups that may share one tile's sum; 0: as usual
};

/// A product of a format as libraries store its operands.
inline GemmShape gemm_of(std::int64_t rows, std::int64_t columns, std::int64_t inner,
                         core::ProductFormat format = core::ProductFormat::kWide) {
  return {.rows = rows,
          .columns = columns,
          .inner = inner,
          .format = format,
          .operand_bytes = core::bytes_of(format)};
}

/// What runs between the launch of a product and its end, without the launch.
///
/// Over tiles and numbers of work groups that share a tile's sum, the fastest of
///   (waves * (fill + loop + epilogue))^p + (bytes / memory bandwidth)^p, to the power 1/p,
/// where the loop of a tile is bound by arithmetic and by what a multiprocessor loads, and few work
/// groups do not draw the whole memory bandwidth. Times a factor of the shape, see
/// GemmConstants::factors. Grows with every dimension, up to those factors, and never gets longer
/// with a higher rate, bandwidth or efficiency. [@aiconfigurator] has the measured times.
core::Duration gemm_time(const core::Accelerator& device, const GemmShape& shape);

/// Cast of bf16 inputs[rows, inner] to a format with blocks, padding included: what the measured
/// times of fp8_block and nvfp4 hold beside the product. Zero for other formats.
core::Duration block_cast_time(const core::Accelerator& device, const GemmShape& shape);

}  // namespace railwright::models
