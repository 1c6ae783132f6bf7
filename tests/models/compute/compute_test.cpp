// SPDX-License-Identifier: Apache-2.0
// One matrix product: the two sides of its roofline, tiles, alignment and precision.
#include "railwright/models/compute/compute.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/scenario.hpp"
#include "published_h100.hpp"

namespace railwright::models {
namespace {

using core::Precision;

core::Accelerator device_of(const std::string& node) {
  return test::scenario({"cluster.node={model: " + node + "}"}).scenario.cluster.node.accelerator;
}
core::Accelerator h100() {
  return test::scenario(test::published_h100()).scenario.cluster.node.accelerator;
}

/// No memory limit, and one multiprocessor: no waves.
core::Accelerator only_arithmetic() {
  core::Accelerator device = h100();
  device.memory_bandwidth.value *= 1e9;
  device.num_multiprocessors.value = 1;
  return device;
}

double seconds(const core::Accelerator& device, std::int64_t m, std::int64_t k, std::int64_t n,
               Precision precision = Precision::kBf16) {
  return matrix_product_time(device, m, k, n, 1, precision).base();
}

double share_of_peak(const core::Accelerator& device, double m, double k, double n) {
  return 2.0 * m * k * n /
         seconds(device, static_cast<std::int64_t>(m), static_cast<std::int64_t>(k),
                 static_cast<std::int64_t>(n)) /
         device.bf16_rate.value.base();
}

TEST(MatrixProduct, LargeSquareReachesTheGemmEfficiency) {
  // 264 x 132 tiles of 128 x 256 are 264 full waves on 132 multiprocessors.
  EXPECT_NEAR(share_of_peak(h100(), 33792, 33792, 33792), 0.803, 1e-12);
}

/// Constants of a device that reaches as much as this one, or half of it.
TEST(MatrixProduct, ConstantsOfAnotherDeviceGoByTheRatioOfEfficiencies) {
  core::Accelerator device = h100();
  const double base = seconds(device, 8192, 8192, 8192);
  device.kernels.own().gemm.bf16.efficiency = 0.5;
  EXPECT_NEAR(seconds(device, 8192, 8192, 8192), 0.5 * base, 1e-12);
  device.gemm_efficiency.value *= 0.5;
  EXPECT_NEAR(seconds(device, 8192, 8192, 8192), base, 1e-12);
}

TEST(MatrixProduct, FewTilesShareTheirSums) {
  // One tile of 64 x 64 alone would keep 131 of 132 multiprocessors idle.
  EXPECT_GT(share_of_peak(device_of("dgx-h100"), 64, 65536, 64), 8.0 * 0.803 * 0.8 / 132);
}

TEST(MatrixProduct, RowsOffABoundaryCost) {
  const core::Accelerator device = only_arithmetic();
  const auto slower = [&](std::int64_t inner) {
    return seconds(device, 4096, inner, 4096) / static_cast<double>(inner) /
           (seconds(device, 4096, 4096, 4096) / 4096);
  };
  EXPECT_NEAR(slower(4096 + 64), 1.0, 1e-12);
  EXPECT_NEAR(slower(4096 + 32), 1.0 / 0.99, 1e-12);
  EXPECT_NEAR(slower(4096 + 16), 1.0 / 0.97, 1e-12);
  EXPECT_NEAR(slower(4096 + 8), 1.0 / 0.95, 1e-12);
  EXPECT_NEAR(slower(4096 + 4), 1.0 / 0.6, 1e-12);
  EXPECT_NEAR(slower(150), 1.0 / 0.45, 1e-12);
  EXPECT_NEAR(slower(4097), 1.0 / 0.3, 1e-12);
  // 8 columns are 16 bytes in bf16 and 32 in fp32.
  EXPECT_GT(seconds(device, 150, 4096, 4096), seconds(device, 128, 4096, 4096));
}

/// A batch of products whose members start off 16 bytes runs at the rate of fp32.
TEST(MatrixProduct, BatchesOffABoundaryRunWithoutTensorCores) {
  const core::Accelerator device = only_arithmetic();
  const auto rate = [&](std::int64_t inner, std::int64_t copies) {
    const double work = 2.0 * 4096 * 4096 * static_cast<double>(inner * copies);
    return work / matrix_product_time(device, 4096, inner, 4096, copies).base();
  };
  EXPECT_NEAR(rate(108, 8) / rate(108, 1), 67.0 / (989.4 * 0.6), 1e-12);
  EXPECT_NEAR(rate(150, 8) / rate(108, 8), 1.0, 1e-12);
  EXPECT_NEAR(rate(104, 8) / rate(104, 1), 1.0, 1e-12);
}

TEST(MatrixProduct, ThinOneIsBoundByMemory) {
  const core::Accelerator device = h100();
  const double m = 33792.0;
  const double bytes = 2.0 * (m * 8 + 8 * m + m * m);
  EXPECT_NEAR(seconds(device, 33792, 8, 33792), bytes / (3.35e12 * 0.9), 1e-15);
  EXPECT_NEAR(seconds(device, 33792, 8, 33792, Precision::kTf32), 2 * bytes / (3.35e12 * 0.9),
              1e-15);
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

TEST(MatrixProduct, MoreOfAnyDimensionNeverTakesLess) {
  const core::Accelerator device = h100();
  for (const std::int64_t other : {64, 640, 8192}) {
    double rows = 0.0;
    double inner = 0.0;
    double columns = 0.0;
    for (std::int64_t size = 64; size <= 16384; size += 64) {
      const double more_rows = seconds(device, size, other, 1024);
      const double more_inner = seconds(device, other, size, 1024);
      const double more_columns = seconds(device, other, 1024, size);
      EXPECT_GE(more_rows, rows) << size;
      EXPECT_GE(more_inner, inner) << size;
      EXPECT_GE(more_columns, columns) << size;
      rows = more_rows;
      inner = more_inner;
      columns = more_columns;
    }
  }
}

TEST(MatrixProduct, ANarrowerPrecisionIsNeverSlower) {
  const core::Accelerator device = h100();
  for (const std::int64_t rows : {128, 1024, 8192}) {
    double before = 1e30;
    for (const Precision precision :
         {Precision::kFp32, Precision::kTf32, Precision::kBf16, Precision::kFp8}) {
      const double time = seconds(device, rows, 4096, 4096, precision);
      EXPECT_LE(time, before) << core::to_string(precision) << " " << rows;
      before = time;
    }
    EXPECT_EQ(seconds(device, rows, 4096, 4096, Precision::kFp16),
              seconds(device, rows, 4096, 4096, Precision::kBf16));
  }
  EXPECT_NEAR(2.0 * 32768 * 32768 * 32768 / seconds(device, 32768, 32768, 32768, Precision::kFp8),
              1979e12 * 0.709, 0.02 * 1979e12);
}

TEST(MatrixProduct, AGroupFillsWavesTogether) {
  const core::Accelerator device = h100();
  const core::Duration apart = matrix_product_time(device, 256, 4096, 2048) * 32.0;
  EXPECT_LT(matrix_product_time(device, 256, 4096, 2048, 32), apart);
}

/// The best shapes that ml-engineering lists, on parts of its own.
TEST(MatrixProduct, PublishedBestShapesComeNear) {
  EXPECT_NEAR(share_of_peak(device_of("dgx-h100"), 2048, 13312, 2048) * 989.4, 794.5, 0.05 * 794.5);
  EXPECT_NEAR(share_of_peak(device_of("dgx-a100"), 1024, 5120, 10240) * 312, 271.2, 0.05 * 271.2);
}

}  // namespace
}  // namespace railwright::models
