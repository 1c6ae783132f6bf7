// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/experts.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "devices.hpp"

namespace railwright::models {
namespace {

using core::Accelerator;
using core::DataSize;
using core::Duration;
using core::ExpertsConstants;
using test::b200;
using test::h100;
using test::in_us;
using test::us;

/// Every share is whole, nothing is lost and the longer of arithmetic and memory hides the other.
ExpertsConstants ideal() {
  return {.launch = us(10.0),
          .rate_share = 1.0,
          .memory_share = 1.0,
          .stream_share = 1.0,
          .token_stream_share = 1.0,
          .overlap_exponent = 16.0,
          .cache = DataSize::from_base(1.0),
          .cache_speedup = 1.0};
}

// Fitted constants of an H100 and a B200, four digits.
const ExpertsConstants kH100Bf16{us(20.9), 0.9259, 1.0,   0.6357, 0.7286,
                                 0.7346,   167.9,  256.0, 2.331,  DataSize::from_base(50e6),
                                 1.0};
const ExpertsConstants kH100Block{us(26.25), 0.7066, 0.9593, 0.3395, 0.5887,
                                  0.05709,   826.1,  84.94,  3.312,  DataSize::from_base(50e6),
                                  1.077};
const ExpertsConstants kB200Fp8{us(31.09), 1.0,    0.8686, 0.2791, 0.4702,
                                0.4271,    1012.0, 167.8,  4.151,  DataSize::from_base(126e6),
                                1.0};
const ExpertsConstants kB200Fp4{us(37.96), 1.0,    0.8598, 0.2219, 0.3238,
                                0.2432,    3079.0, 256.0,  3.713,  DataSize::from_base(126e6),
                                1.0};

TEST(Experts, ManyTokensTakeTheTimeOfTheirArithmetic) {
  const ExpertsShape shape{
      .tokens = 65536, .hidden = 8192, .inter = 8192, .top_k = 2, .num_experts = 8};
  const ExpertsTime time = experts_parts(h100(), ideal(), shape);
  const double rows = 2.0 * 65536;
  EXPECT_NEAR(time.gate_up.base(), rows * 2.0 * 8192 * 16384 / 989.4e12,
              1e-5 * time.gate_up.base());
  EXPECT_NEAR(time.down.base(), rows * 2.0 * 8192 * 8192 / 989.4e12, 1e-4 * time.down.base());
}

TEST(Experts, FewTokensReadTheWeightsOfTheExpertsTheyReach) {
  const ExpertsShape shape{
      .tokens = 4, .hidden = 4096, .inter = 4096, .top_k = 8, .num_experts = 256};
  const ExpertsTime time = experts_parts(h100(), ideal(), shape);
  // 32 experts of 3 * 4096^2 weights of 2 bytes, and 32 rows of 4096 in and 8192 out, and back.
  const double bytes = 32.0 * 3 * 4096 * 4096 * 2 + 32.0 * 2 * (4096 + 8192 + 4096 + 4096);
  EXPECT_NEAR((time.gate_up + time.down).base(), bytes / 3.35e12, 1e-9);
  EXPECT_DOUBLE_EQ(in_us(time.launch), 10.0);
}

// With 256 lost rows a tile of 32 has 2/9 of the rate of one of 256. Of weights stored in a quarter
// of the bytes 160 rows are lost, 1/3 of the rate; full tiles have it already.
TEST(Experts, WeightsStoredNarrowCostSmallTilesLess) {
  ExpertsConstants constants = ideal();
  constants.lost_rows = 256.0;
  constants.memory_share = 1e6;
  const auto time_of = [&](std::int64_t tokens, double stored) {
    const ExpertsShape shape{.tokens = tokens,
                             .hidden = 4096,
                             .inter = 4096,
                             .top_k = 8,
                             .num_experts = 64,
                             .stored_bytes = stored};
    return experts_parts(h100(), constants, shape).gate_up;
  };
  EXPECT_NEAR(time_of(8, 0.0) / time_of(8, 0.5), 1.5, 1e-9);
  EXPECT_NEAR(time_of(2048, 0.0) / time_of(2048, 0.5), 1.0, 1e-9);
}

TEST(Experts, RowsAndTokensMoveWhatTheRecipeSays) {
  ExpertsShape shape{.tokens = 1000, .hidden = 4096, .inter = 1024, .top_k = 4, .num_experts = 8};
  const ExpertsTime wide = experts_parts(h100(), ideal(), shape);
  EXPECT_NEAR(wide.rows.base(), 4000.0 * (6 * 4096 + 6 * 1024) / 3.35e12, 1e-15);
  EXPECT_NEAR(wide.tokens.base(), 1000.0 * 4096 * 2 / 3.35e12, 1e-15);
  shape.recipe = ExpertsRecipe::kFp8;
  const ExpertsTime narrow = experts_parts(h100(), ideal(), shape);
  EXPECT_NEAR(narrow.rows.base(), 4000.0 * (4 * 4096 + 5 * 1024) / 3.35e12, 1e-15);
  EXPECT_NEAR(narrow.tokens.base(), 1000.0 * 4096 * 5 / 3.35e12, 1e-15);
}

TEST(Experts, WeightsThatWereReadJustBeforeComeFromTheCache) {
  ExpertsConstants constants = ideal();
  constants.cache = DataSize::from_base(1e9);
  constants.cache_speedup = 4.0;
  ExpertsShape shape{.tokens = 1, .hidden = 4096, .inter = 4096, .num_experts = 1};
  const ExpertsTime cold = experts_parts(h100(), constants, shape);
  shape.repeats_weights = true;
  const ExpertsTime warm = experts_parts(h100(), constants, shape);
  // Less than 4: the tile's arithmetic hides behind less.
  EXPECT_NEAR(cold.gate_up / warm.gate_up, 4.0, 0.05);
  EXPECT_EQ(cold.launch, warm.launch);
}

struct ReferenceTime {
  const ExpertsConstants* constants;
  ExpertsShape shape;
  double us;
};

std::vector<ReferenceTime> references() {
  constexpr auto kBf16 = ExpertsRecipe::kBf16;
  constexpr auto kFp8 = ExpertsRecipe::kFp8;
  constexpr auto kBlock = ExpertsRecipe::kFp8Block;
  constexpr auto kFp4 = ExpertsRecipe::kNvfp4;
  return {
      {&kH100Bf16, {8192, 4096, 1792, 2, 8, 1, 1.2, kBf16, true}, 950.65636398442757},
      {&kH100Bf16, {64, 6144, 3072, 4, 128, 4, 0.0, kBf16, true}, 1218.9748916055939},
      {&kH100Bf16, {512, 4096, 7168, 2, 8, 2, 0.0, kBf16, true}, 311.62644429013847},
      {&kH100Bf16, {32, 4096, 1024, 10, 512, 4, 0.0, kBf16, true}, 692.99298172268641},
      {&kH100Bf16, {768, 5120, 512, 1, 128, 1, 0.0, kBf16, true}, 719.20360908132614},
      {&kH100Bf16, {1, 5120, 256, 1, 128, 1, 0.0, kBf16, true}, 36.642546266291447},
      {&kH100Block, {8, 4096, 512, 6, 256, 8, 1.2, kBlock, true}, 44.601587498805614},
      {&kH100Block, {12288, 4096, 1024, 10, 512, 8, 0.0, kBlock, true}, 1172.5311133143364},
      {&kH100Block, {160, 4096, 1024, 6, 256, 8, 0.0, kBlock, true}, 167.12483958002275},
      {&kH100Block, {320, 5120, 8192, 1, 128, 32, 0.0, kBlock, true}, 194.00932790096394},
      {&kH100Block, {12288, 7168, 2048, 8, 384, 64, 0.0, kBlock, true}, 363.96421725755056},
      {&kH100Block, {128, 5120, 1024, 1, 128, 4, 0.0, kBlock, true}, 197.14926776732864},
      {&kB200Fp8, {48, 5120, 2048, 1, 128, 8, 0.0, kFp8, true}, 59.267996456299265},
      {&kB200Fp8, {32, 4096, 14336, 2, 8, 8, 0.0, kFp8, true}, 58.475104684473479},
      {&kB200Fp8, {320, 4096, 512, 10, 512, 1, 1.2, kFp8, true}, 472.66555357357311},
      {&kB200Fp8, {512, 4096, 1024, 10, 512, 16, 0.0, kFp8, true}, 97.462578916730848},
      {&kB200Fp8, {1024, 4096, 1792, 2, 8, 2, 1.2, kFp8, true}, 84.031030029817032},
      {&kB200Fp8, {96, 4096, 256, 10, 512, 8, 0.0, kFp8, true}, 70.704627487284029},
      {&kB200Fp4, {6144, 5120, 4096, 1, 128, 2, 1.2, kFp4, true}, 548.36383009050041},
      {&kB200Fp4, {768, 7168, 64, 8, 256, 2, 1.2, kFp4, true}, 218.22346917401947},
      {&kB200Fp4, {1536, 6144, 3072, 4, 128, 4, 1.2, kFp4, true}, 290.93316675656769},
      {&kB200Fp4, {32, 5120, 4096, 1, 128, 32, 1.2, kFp4, true}, 51.990554831043582},
      {&kB200Fp4, {48, 3072, 768, 8, 256, 2, 0.0, kFp4, true}, 143.78850980072937},
      {&kB200Fp4, {256, 4096, 3584, 2, 8, 1, 0.0, kFp4, true}, 81.744851892873953},
  };
}

Accelerator device_of(const ReferenceTime& reference) {
  return reference.constants == &kH100Bf16 || reference.constants == &kH100Block ? h100() : b200();
}

TEST(Experts, AgreesWithTheProgramThatFittedTheConstants) {
  for (const ReferenceTime& reference : references()) {
    const double time =
        in_us(experts_time(device_of(reference), *reference.constants, reference.shape));
    EXPECT_NEAR(time / reference.us, 1.0, 1e-9) << reference.us;
  }
}

/// Multiplies a fact of the device or a dimension by 1.3 again and again.
std::vector<double> times(const ReferenceTime& start,
                          const std::function<void(Accelerator&, ExpertsShape&, double)>& change) {
  std::vector<double> times;
  double factor = 1.0;
  for (int i = 0; i < 8; ++i, factor *= 1.3) {
    Accelerator device = device_of(start);
    ExpertsShape shape = start.shape;
    change(device, shape, factor);
    times.push_back(in_us(experts_time(device, *start.constants, shape)));
  }
  return times;
}

TEST(Experts, FasterDevicesAreNeverSlower) {
  for (const ReferenceTime& reference : references()) {
    const auto rates = times(reference, [](Accelerator& device, ExpertsShape&, double factor) {
      device.bf16_rate.value *= factor;
      device.fp8_rate->value *= factor;
      device.fp4_rate->value *= factor;
    });
    const auto bandwidths = times(reference, [](Accelerator& device, ExpertsShape&, double factor) {
      device.memory_bandwidth.value *= factor;
    });
    // More multiprocessors of the same kind.
    const auto sizes = times(reference, [](Accelerator& device, ExpertsShape&, double factor) {
      const int before = device.num_multiprocessors.value;
      device.num_multiprocessors.value = static_cast<int>(before * factor);
      const double rate = static_cast<double>(device.num_multiprocessors.value) / before;
      device.bf16_rate.value *= rate;
      device.fp8_rate->value *= rate;
      device.fp4_rate->value *= rate;
    });
    EXPECT_LT(bandwidths.back(), bandwidths.front());
    for (const auto& series : {rates, bandwidths, sizes}) {
      for (std::size_t i = 1; i < series.size(); ++i) {
        EXPECT_LE(series[i], series[i - 1] * (1.0 + 1e-12)) << reference.us;
      }
    }
  }
}

TEST(Experts, LargerLayersAreNeverFaster) {
  using Member = std::int64_t ExpertsShape::*;
  for (const ReferenceTime& reference : references()) {
    for (const Member member :
         {&ExpertsShape::tokens, &ExpertsShape::hidden, &ExpertsShape::inter}) {
      // The law of skewed loads changes where pairs come to outnumber experts.
      if (member == &ExpertsShape::tokens && reference.shape.skew > 0.0) continue;
      const auto series = times(reference, [&](Accelerator&, ExpertsShape& shape, double factor) {
        shape.*member = static_cast<std::int64_t>(static_cast<double>(shape.*member) * factor);
      });
      for (std::size_t i = 1; i < series.size(); ++i) {
        EXPECT_GE(series[i], series[i - 1] * (1.0 - 1e-12)) << reference.us;
      }
    }
  }
}

core::Accelerator with_ideal_experts() {
  core::Accelerator device = h100();
  device.kernels.own().experts.bf16 = ideal();
  device.gemm_efficiency.value = device.kernels->gemm.bf16.efficiency;
  return device;
}

TEST(Experts, GradientsTakeTheArithmeticOfTheForwardPass) {
  const core::Accelerator device = with_ideal_experts();
  const ExpertGemm product{
      .tokens_of_expert = 16384, .num_experts = 8, .columns = 8192, .inner = 8192};
  const double forward = expert_gemm_time(device, product).base();
  // Grouped products of training stacks reach 0.9 of an inference engine's.
  EXPECT_NEAR(forward, 2.0 * 8 * 16384 * 8192 * 8192 / (0.9 * device.bf16_rate.value.base()),
              1e-3 * forward);
  EXPECT_NEAR(expert_gemm_time(device, product, GemmGradient::kInput).base(), forward,
              1e-3 * forward);
  // Gradients of weights reach 0.95 of the forward rate.
  EXPECT_NEAR(expert_gemm_time(device, product, GemmGradient::kWeight).base(), forward / 0.95,
              1e-3 * forward);
}

TEST(Experts, FewTokensWriteTheGradientsOfTheirExperts) {
  const ExpertGemm product{.tokens_of_expert = 1,
                           .num_experts = 32,
                           .columns = std::int64_t{3} * 4096,
                           .inner = 4096,
                           .output_bytes = 8.0};
  const double written = 32.0 * 3 * 4096 * 4096 * 8;
  const double time = expert_gemm_time(with_ideal_experts(), product, GemmGradient::kWeight).base();
  EXPECT_NEAR(time, written / 3.35e12, 1e-3 * time);
}

}  // namespace
}  // namespace railwright::models
