// SPDX-License-Identifier: Apache-2.0
// One matrix product: the two sides of its roofline.
#include "railwright/models/compute/compute.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/scenario.hpp"

namespace railwright::models {
namespace {

core::Accelerator h100() { return test::scenario().scenario.cluster.node.accelerator; }

TEST(MatrixProduct, LargeSquareReachesTheGemmEfficiency) {
  const core::Accelerator device = h100();
  // 264 x 132 tiles of 128 x 256 are 264 full waves on 132 multiprocessors.
  const double n = 33792.0;
  const double time = matrix_product_time(device, 33792, 33792, 33792).base();
  EXPECT_NEAR(2.0 * n * n * n / time / 989.4e12, 0.803, 1e-12);
}

TEST(MatrixProduct, LastWaveCosts) {
  const core::Accelerator device = h100();
  // 33 x 4 tiles of 128 x 256 fill the device once; a row of tiles more needs a second wave.
  const double full = matrix_product_time(device, 4224, 8192, 1024).base();
  const double spilled = matrix_product_time(device, 4352, 8192, 1024).base();
  EXPECT_NEAR(spilled / full, 2.0, 1e-9);
  // A tile that is half empty takes as long as a full one.
  EXPECT_NEAR(matrix_product_time(device, 4224 - 64, 8192, 1024).base() / full, 1.0, 1e-12);
}

TEST(MatrixProduct, ThinOneIsBoundByMemory) {
  const core::Accelerator device = h100();
  const double m = 33792.0;
  const double bytes = 2.0 * (m * 8 + 8 * m + m * m);
  EXPECT_NEAR(matrix_product_time(device, 33792, 8, 33792).base(), bytes / (3.35e12 * 0.9), 1e-15);
}

TEST(MatrixProduct, IsTheLongerOfArithmeticAndMemory) {
  core::Accelerator fast_memory = h100();
  fast_memory.memory_bandwidth.value *= 1e6;
  core::Accelerator fast_arithmetic = h100();
  fast_arithmetic.bf16_rate.value *= 1e6;
  for (const std::int64_t inner : {1, 8, 64, 128, 512, 4096, 32768}) {
    const core::Duration arithmetic = matrix_product_time(fast_memory, 4096, inner, 8192);
    const core::Duration memory = matrix_product_time(fast_arithmetic, 4096, inner, 8192);
    EXPECT_DOUBLE_EQ(matrix_product_time(h100(), 4096, inner, 8192).base(),
                     std::max(arithmetic, memory).base())
        << inner;
  }
}

TEST(MatrixProduct, NeverGainsFromLessRateOrBandwidth) {
  for (const std::int64_t rows : {1, 100, 4096, 20000}) {
    for (const std::int64_t inner : {1, 64, 4096}) {
      const core::Duration base = matrix_product_time(h100(), rows, inner, 5504);
      core::Accelerator slower = h100();
      slower.bf16_rate.value *= 0.7;
      EXPECT_GE(matrix_product_time(slower, rows, inner, 5504), base);
      slower = h100();
      slower.memory_bandwidth.value *= 0.7;
      EXPECT_GE(matrix_product_time(slower, rows, inner, 5504), base);
    }
  }
}

}  // namespace
}  // namespace railwright::models
