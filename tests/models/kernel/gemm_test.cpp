// SPDX-License-Identifier: Apache-2.0
// One matrix-product kernel: limits worked by hand, and what a faster device does to it.
#include "railwright/models/kernel/gemm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/models/compute/compute.hpp"

namespace railwright::models {
namespace {

core::Accelerator accelerator(const std::string& name) {
  const core::Catalogue catalogue = test::source_catalogue();
  core::Reader reader(&catalogue);
  core::Accelerator device;
  reader.read(catalogue.load(core::Accelerator::kKind, name), "accelerator", device);
  reader.throw_if_any();
  return device;
}

/// A hundred multiprocessors of 1 TFLOP/s and 1 TB/s of memory, without latencies or lost shares.
core::Accelerator ideal() {
  core::Accelerator device;
  device.bf16_rate.value = core::ComputeRate::from_base(1e14);
  device.num_multiprocessors.value = 100;
  device.memory_bandwidth.value = core::Bandwidth::from_base(1e12);
  device.memory_efficiency.value = 1.0;
  device.gemm_efficiency.value = 1.0;
  core::GemmConstants& gemm = device.kernels.own().gemm.bf16;
  gemm.efficiency = 1.0;
  gemm.rate_share = 1.0;
  gemm.load_share = 1e9;
  gemm.epilogue_share = 0.0;
  gemm.memory_share = 1.0;
  gemm.wave_share = 1.0;
  gemm.draw_share = 1e9;
  gemm.sharpness = 32.0;
  gemm.max_splits = 1;
  return device;
}

double product_time(const core::Accelerator& device, std::int64_t m, std::int64_t n, std::int64_t k,
                    core::ProductFormat format = core::ProductFormat::kWide) {
  return gemm_time(device, gemm_of(m, n, k, format)).base();
}

TEST(Gemm, ManyFullWavesRunAtThePeak) {
  // 12,800 x 12,800 are 10,000 tiles of 128 x 128, a hundred each.
  EXPECT_NEAR(product_time(ideal(), 12800, 12800, 65536), 2.0 * 12800 * 12800 * 65536 / 1e14, 1e-4);
}

TEST(Gemm, GradientsExchangeDimensions) {
  const GemmShape product = gemm_of(1, 2, 3);
  const GemmShape input = gradient_of(product, GemmGradient::kInput);
  EXPECT_EQ((std::array{input.rows, input.columns, input.inner}), (std::array{1L, 3L, 2L}));
  const GemmShape weight = gradient_of(product, GemmGradient::kWeight);
  EXPECT_EQ((std::array{weight.rows, weight.columns, weight.inner}), (std::array{3L, 2L, 1L}));
}

TEST(Gemm, SumsInMoreStepsSlowTheBackwardPassAlone) {
  core::Accelerator device = ideal();
  device.kernels.own().gemm.bf16.gradient_share = 0.5;
  const GemmShape product = gemm_of(12800, 12800, 12800);
  for (const GemmGradient gradient : {GemmGradient::kInput, GemmGradient::kWeight}) {
    EXPECT_NEAR(gemm_time(device, gradient_of(product, gradient)) / gemm_time(device, product), 2.0,
                1e-3);
  }
}

/// Every tile of 128 x 128 writes its result behind its loop, at what a multiprocessor loads.
TEST(Gemm, AnEpilogueMovesTheBytesOfTheOutput) {
  core::Accelerator device = ideal();
  core::GemmConstants& gemm = device.kernels.own().gemm.bf16;
  gemm.load_share = 1e4;
  const auto time = [&](double epilogue_share, double output_bytes) {
    gemm.epilogue_share = epilogue_share;
    GemmShape shape = gemm_of(12800, 12800, 65536);
    shape.output_bytes = output_bytes;
    return gemm_time(device, shape).base();
  };
  const double epilogue = time(1e4, 2.0) - time(0.0, 2.0);
  EXPECT_GT(epilogue, 0.0);
  EXPECT_NEAR(time(1e4, 8.0) - time(0.0, 8.0), 4.0 * epilogue, 0.01 * epilogue);
}

TEST(Gemm, OneTileRunsOnOneMultiprocessor) {
  // The fastest of the tiles that hold 16 x 64 is that itself: 2 * 16 * 64 * 4096 at 1 TFLOP/s.
  EXPECT_NEAR(product_time(ideal(), 16, 64, 4096), 2.0 * 16 * 64 * 4096 / 1e12, 1e-12);
}

TEST(Gemm, AStartedWaveCountsByItsShare) {
  core::Accelerator device = ideal();
  device.kernels.own().gemm.bf16.min_tile_rows = 256;  // leaves tiles of 256 x 64 and 256 x 128
  const std::int64_t rows = std::int64_t{256} * 101;
  const double tile = 2.0 * 256 * 128 * 4096 / 1e12;
  // 202 tiles of 256 x 64 take three waves of half of that: less than two whole ones.
  EXPECT_NEAR(product_time(device, rows, 128, 4096), 1.5 * tile, 1e-3 * tile);
  device.kernels.own().gemm.bf16.wave_share = 0.0;
  EXPECT_NEAR(product_time(device, rows, 128, 4096), 1.01 * tile, 1e-3 * tile);
}

TEST(Gemm, FewRowsReadTheWeightsAtMemoryBandwidth) {
  const double bytes = 2.0 * (16.0 * 16384 + 16384.0 * 16384 + 16.0 * 16384);
  EXPECT_NEAR(product_time(ideal(), 16, 16384, 16384), bytes / 1e12, 0.02 * bytes / 1e12);
}

TEST(Gemm, SharedTilesFillADeviceThatTilesAloneDoNot) {
  core::Accelerator device = ideal();
  const double alone = product_time(device, 128, 128, 65536);
  device.kernels.own().gemm.bf16.max_splits = 64;
  // What is left is reading 33.6 MB.
  EXPECT_LT(product_time(device, 128, 128, 65536), 0.3 * alone);
  EXPECT_GT(product_time(device, 128, 128, 65536), 33.6e6 / 1e12);
}

TEST(Gemm, FactorsMultiplyBetweenTheirCorners) {
  core::Accelerator device = ideal();
  const double plain = product_time(device, 1024, 4096, 4096);
  std::vector<double>& factors = device.kernels.own().gemm.bf16.factors;
  factors.assign(core::GemmConstants::kNumFactors, 1.0);
  EXPECT_EQ(product_time(device, 1024, 4096, 4096), plain);
  factors.assign(core::GemmConstants::kNumFactors, 1.5);
  EXPECT_NEAR(product_time(device, 1024, 4096, 4096), 1.5 * plain, 1e-9 * plain);
  // The corner of 1,024 rows, 4,096 columns, 4,096 inner: (4 * 6 + 3) * 6 + 3.
  factors.assign(core::GemmConstants::kNumFactors, 1.0);
  factors[(4 * 6 + 3) * 6 + 3] = 2.0;
  EXPECT_NEAR(product_time(device, 1024, 4096, 4096), 2.0 * plain, 1e-9 * plain);
}

TEST(Gemm, BlocksAreCastAndRaggedRowsPadded) {
  const core::Accelerator device = accelerator("b200-sxm");
  const auto cast = [&](std::int64_t rows, core::ProductFormat format) {
    return block_cast_time(device, gemm_of(rows, 4096, 4096, format)).base();
  };
  EXPECT_EQ(cast(4096, core::ProductFormat::kWide), 0.0);
  EXPECT_EQ(cast(4096, core::ProductFormat::kFp8), 0.0);
  EXPECT_GT(cast(4096, core::ProductFormat::kFp8Block), 0.0);
  EXPECT_GE(cast(4097, core::ProductFormat::kFp4), cast(4096, core::ProductFormat::kFp4));
}

constexpr std::array<std::array<std::int64_t, 3>, 6> kShapes{{{1, 4096, 4096},
                                                              {64, 11008, 4096},
                                                              {512, 1024, 8192},
                                                              {4096, 4096, 4096},
                                                              {8192, 28672, 8192},
                                                              {16384, 128, 16384}}};

/// No table freezes the device: each number of the data sheet moves every shape the right way.
/// What accelerators take as their own efficiency, and others are scaled by.
TEST(Gemm, EfficienciesAreThoseOfALargeProduct) {
  constexpr double kWork = 2.0 * 8192 * 8192 * 8192;
  for (const char* name : {"a100-sxm-80gb", "h100-sxm", "b200-sxm", "gb200", "l40s"}) {
    const core::Accelerator device = accelerator(name);
    const auto reached = [&](core::ProductFormat format) {
      return kWork / product_time(device, 8192, 8192, 8192, format) /
             device.peak_rate(format).base();
    };
    const core::GemmByFormat& gemm = device.kernels->gemm;
    EXPECT_EQ(device.gemm_efficiency.value, gemm.bf16.efficiency) << name;
    EXPECT_NEAR(reached(core::ProductFormat::kWide), gemm.bf16.efficiency, 1e-4) << name;
    if (!gemm.fp8) continue;
    EXPECT_EQ(device.fp8_gemm_efficiency->value, gemm.fp8->efficiency) << name;
    EXPECT_NEAR(reached(core::ProductFormat::kFp8), gemm.fp8->efficiency, 1e-4) << name;
    EXPECT_NEAR(reached(core::ProductFormat::kFp8Block), gemm.fp8_block->efficiency, 1e-4) << name;
    if (!gemm.nvfp4) continue;
    EXPECT_NEAR(reached(core::ProductFormat::kFp4), gemm.nvfp4->efficiency, 1e-4) << name;
  }
}

/// Batches of 16 products in bf16 on an MI300X, as AMD timed them: github ROCm/aiter@e4048607,
/// aiter/configs/bf16_tuned_batched_gemm.csv.
TEST(Gemm, BatchesOnAnMi300xTakeTheTimesThatAmdMeasured) {
  struct Batch {
    std::int64_t m, n, k;
    double rate;
  };
  const core::Accelerator device = accelerator("mi300x");
  double sum = 0.0;
  const auto batches = std::to_array<Batch>({{4096, 1280, 8192, 515.44e12},
                                             {8192, 1280, 8192, 500.79e12},
                                             {16384, 1280, 8192, 488.74e12},
                                             {4096, 8192, 1024, 506.97e12},
                                             {8192, 8192, 1024, 509.23e12},
                                             {16384, 8192, 1024, 538.70e12}});
  for (const Batch& batch : batches) {
    const double work = 2.0 * 16 * static_cast<double>(batch.m * batch.n * batch.k);
    const double time = matrix_product_time(device, batch.m, batch.k, batch.n, 16).base();
    const double ratio = work / time / batch.rate;
    EXPECT_NEAR(ratio, 1.0, 0.12) << batch.m << ' ' << batch.n << ' ' << batch.k;
    sum += std::log(ratio);
  }
  EXPECT_NEAR(std::exp(sum / batches.size()), 1.0, 0.06);
}

TEST(Gemm, AFasterDeviceIsNeverSlower) {
  for (const char* name : {"a100-sxm-80gb", "h100-sxm", "b200-sxm", "gb200", "l40s", "mi300x"}) {
    const core::Accelerator device = accelerator(name);
    for (const auto& [m, n, k] : kShapes) {
      const double base = product_time(device, m, n, k);
      core::Accelerator faster = device;
      faster.bf16_rate.value *= 2.0;
      const double by_rate = product_time(faster, m, n, k);
      faster.memory_bandwidth.value *= 2.0;
      const double by_both = product_time(faster, m, n, k);
      EXPECT_LE(by_rate, base) << name << ' ' << m << ' ' << n << ' ' << k;
      EXPECT_LE(by_both, by_rate);
      EXPECT_LT(by_both, base);
      EXPECT_GT(by_both, 0.45 * base - 8e-6);
      // More multiprocessors of the same kind, each with its share of rate and memory.
      core::Accelerator wider = device;
      wider.memory_bandwidth.value *= 2.0;
      wider.num_multiprocessors.value *= 2;
      wider.bf16_rate.value *= 2.0;
      EXPECT_LE(product_time(wider, m, n, k), base * 1.0001)
          << name << ' ' << m << ' ' << n << ' ' << k;
    }
  }
}

TEST(Gemm, LargerProductsTakeLonger) {
  for (const char* name : {"a100-sxm-80gb", "h100-sxm", "b200-sxm", "gb200", "l40s"}) {
    const core::Accelerator device = accelerator(name);
    for (const std::int64_t width : {1024, 4096, 8192}) {
      double last = 0.0;
      for (std::int64_t rows = 256; rows <= 32768; rows *= 2) {
        const double now = product_time(device, rows, width, width);
        EXPECT_GT(now, last) << name << ' ' << rows << ' ' << width;
        last = now;
      }
    }
  }
}

}  // namespace
}  // namespace railwright::models
