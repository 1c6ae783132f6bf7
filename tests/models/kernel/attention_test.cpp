// SPDX-License-Identifier: Apache-2.0
// Fused attention kernels: values of the fitting script's formula, by hand, limits and monotony.
#include "railwright/models/kernel/attention.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "devices.hpp"

namespace railwright::models {
namespace {

using core::AttentionConstants;
using core::Duration;
using core::Precision;
using test::attention_device;
using test::h100;

AttentionConstants reference_constants() {
  return {.tensor_share_64 = 0.9,
          .tensor_share_128 = 0.75,
          .tensor_share_192 = 0.65,
          .tensor_share_256 = 0.7,
          .softmax_time = Duration::from_base(0.95e-6),
          .lone_tile_factor = 0.85,
          .tile_start = Duration::from_base(2.5e-6),
          .imbalance = 0.4,
          .exposed_memory = 0.9,
          .memory_efficiency = 0.9,
          .l2_reach = core::DataSize::from_base(8e6),
          .l2_bandwidth = core::Bandwidth::from_base(45e9),
          .query_tile = 128,
          .wide_query_tile = 64,
          .key_tile = 128,
          .min_query_tile = 16,
          .backward_rate = 0.76,
          .operator_memory = 0.8,
          .operator_queries = 1.0,
          .operator_overhead = Duration::from_base(12e-6)};
}

/// Nothing but products: one multiprocessor of 2 FLOP a second, memory for nothing.
AttentionConstants products_alone() {
  AttentionConstants constants{.tensor_share_64 = 1.0,
                               .tensor_share_128 = 1.0,
                               .tensor_share_192 = 1.0,
                               .tensor_share_256 = 1.0,
                               .imbalance = 0.0,
                               .exposed_memory = 0.0};
  constants.l2_reach = core::DataSize::from_base(1.0);
  constants.l2_bandwidth = core::Bandwidth::from_base(1.0);
  return constants;
}

/// Blocks of 128 x 128 scores that a shape of one head computes.
double blocks(const AttentionShape& shape) {
  const core::Accelerator device = attention_device(2.0, 1.0, 1);
  const double widths = static_cast<double>(shape.query_width + shape.value_width);
  return attention_prefill_time(device, products_alone(), shape).base() / (128.0 * 128.0 * widths);
}

struct PrefillCase {
  AttentionShape shape;
  double forward;
  double backward;
  double whole_operator;
};

constexpr auto kPrefillCases = std::to_array<PrefillCase>({
    {{32, 4096, 4096, 64, 8, 64, 64, 0, 0, true, Precision::kBf16, Precision::kBf16},
     0.0111987846563308,
     0.0352686880686528,
     0.0119230480911024},
    {{8, 8192, 8192, 8, 8, 96, 96, 0, 0, true, Precision::kBf16, Precision::kFp8},
     0.00159342001937138,
     0.00529799483376482,
     0.00173895338742034},
    {{2, 128, 128, 64, 8, 128, 128, 128, 0, true, Precision::kBf16, Precision::kBf16},
     7.83564886761189e-06,
     2.43581273551552e-05,
     2.21138656721586e-05},
    {{2, 8192, 8192, 8, 1, 192, 128, 0, 500, true, Precision::kFp8, Precision::kBf16},
     8.36418186094789e-05,
     0.000252930225034047,
     0.000121152806723515},
    {{2, 8192, 8192, 4, 1, 256, 256, 0, 0, false, Precision::kBf16, Precision::kFp8},
     0.00091110610581866,
     0.00299602477641022,
     0.000947500321339357},
    {{2, 4096, 4096, 8, 1, 320, 320, 0, 0, true, Precision::kBf16, Precision::kBf16},
     0.000330590150985968,
     0.00109082775946692,
     0.000370333776170022},
    {{2, 1024, 1024, 8, 2, 64, 64, 1000, 0, true, Precision::kBf16, Precision::kBf16},
     1.28325555690108e-05,
     3.81934585587581e-05,
     2.5994019801029e-05},
    {{32, 8192, 8192, 64, 8, 96, 96, 0, 2048, true, Precision::kBf16, Precision::kFp8},
     0.0162893437348959,
     0.0517213832946072,
     0.0183313023091175},
    {{32, 37, 37, 32, 8, 192, 128, 0, 0, true, Precision::kBf16, Precision::kBf16},
     3.19490331116791e-05,
     7.85005727455647e-05,
     5.46914207186926e-05},
    {{32, 777, 777, 64, 8, 320, 320, 0, 2048, true, Precision::kBf16, Precision::kBf16},
     0.0025687181298274,
     0.00850192621505271,
     0.0032562899300742},
    {{8, 777, 777, 2, 2, 64, 64, 0, 0, false, Precision::kBf16, Precision::kBf16},
     1.37072740309953e-05,
     4.21827779328869e-05,
     2.77261106177921e-05},
    {{2, 777, 777, 8, 1, 96, 96, 0, 0, true, Precision::kFp8, Precision::kFp8},
     1.04740452832298e-05,
     3.27960986933889e-05,
     2.32162005814027e-05},
    {{1, 4096, 4096, 8, 2, 192, 128, 0, 500, true, Precision::kBf16, Precision::kBf16},
     2.86165215181201e-05,
     8.75210138524622e-05,
     4.98530016684212e-05},
    {{8, 12345, 12345, 64, 8, 64, 64, 1000, 0, true, Precision::kFp8, Precision::kBf16},
     0.0045525807998028,
     0.0138755345269128,
     0.00499391794438425},
    {{8, 4096, 4096, 8, 2, 128, 128, 0, 0, false, Precision::kBf16, Precision::kBf16},
     0.000980709552522732,
     0.00322584717116329,
     0.00104608807360519},
    {{32, 4096, 4608, 8, 2, 192, 128, 0, 0, true, Precision::kBf16, Precision::kBf16},
     0.00333083923701563,
     0.011149602296295,
     0.00364554519127161},
    {{1, 1, 1, 8, 2, 256, 256, 1000, 0, true, Precision::kBf16, Precision::kFp8},
     2.54622872840843e-06,
     2.6548810427147e-06,
     1.45477457683632e-05},
    {{2, 37, 37, 4, 1, 320, 320, 0, 2048, true, Precision::kFp8, Precision::kBf16},
     3.02966880292381e-06,
     4.39067085340838e-06,
     1.50936694261787e-05},
});

TEST(AttentionKernel, IsTheReference) {
  for (const PrefillCase& row : kPrefillCases) {
    const auto forward = attention_prefill_time(h100(), reference_constants(), row.shape);
    const auto backward = attention_backward_time(h100(), reference_constants(), row.shape);
    const auto whole = attention_operator_time(h100(), reference_constants(), row.shape);
    EXPECT_NEAR(forward.base() / row.forward, 1.0, 1e-9);
    EXPECT_NEAR(backward.base() / row.backward, 1.0, 1e-9);
    EXPECT_NEAR(whole.base() / row.whole_operator, 1.0, 1e-9);
  }
}

TEST(AttentionKernel, ComputesTheBlocksThatAQuerySeesAKeyOf) {
  // Tiles of 128 queries see 1, 2, 3 and 4 blocks.
  EXPECT_NEAR(blocks({.queries = 512, .keys = 512}), 10.0, 1e-9);
  EXPECT_NEAR(blocks({.queries = 512, .keys = 512, .causal = false}), 16.0, 1e-9);
  EXPECT_NEAR(blocks({.queries = 513, .keys = 513}), 15.0, 1e-9);
  // Behind 256 keys of an earlier chunk of the prompt: 3, 4, 5 and 6.
  EXPECT_NEAR(blocks({.queries = 512, .keys = 768}), 18.0, 1e-9);
  // A window of 128 reaches into one block before the tile's own.
  EXPECT_NEAR(blocks({.queries = 512, .keys = 512, .window = 128}), 7.0, 1e-9);
  // Two chunks of 256 see 1 and 2 blocks each.
  EXPECT_NEAR(blocks({.queries = 512, .keys = 512, .chunk = 256}), 6.0, 1e-9);
  EXPECT_NEAR(blocks({.queries = 640, .keys = 640, .chunk = 256}), 7.0, 1e-9);
}

TEST(AttentionKernel, WindowsAndChunksAsLongAsTheSequenceChangeNothing) {
  const AttentionShape whole{.queries = 4096, .keys = 4096};
  AttentionShape limited = whole;
  limited.window = 4096;
  EXPECT_DOUBLE_EQ(blocks(limited), blocks(whole));
  limited = whole;
  limited.chunk = 4096;
  EXPECT_DOUBLE_EQ(blocks(limited), blocks(whole));
}

TEST(AttentionKernel, LongSequencesReachTheProductsShare) {
  AttentionConstants constants = products_alone();
  constants.tensor_share_128 = 0.7;
  const AttentionShape shape{.sequences = 8, .queries = 131072, .keys = 131072, .heads = 32};
  const double products = 2.0 * 8 * 32 * 131072.0 * 131072.0 * 128;
  const double time = attention_prefill_time(h100(), constants, shape).base();
  EXPECT_NEAR(products / time / (989.4e12 * 0.7), 1.0, 2e-3);
}

TEST(AttentionKernel, BackwardRunsFiveProductsAtItsRate) {
  AttentionConstants constants = products_alone();
  constants.backward_rate = 0.8;
  const AttentionShape shape{.sequences = 8, .queries = 262144, .keys = 262144, .heads = 32};
  const double forward = attention_prefill_time(h100(), constants, shape).base();
  const double backward = attention_backward_time(h100(), constants, shape).base();
  EXPECT_NEAR(backward / forward, 2.5 / 0.8, 0.02);
}

TEST(AttentionKernel, MoreOfAnythingIsNeverFaster) {
  const AttentionConstants constants = reference_constants();
  for (std::int64_t queries = 1; queries < 20000; queries += 1 + queries / 7) {
    const AttentionShape shape{
        .sequences = 2, .queries = queries, .keys = queries, .heads = 16, .kv_heads = 4};
    const Duration base = attention_operator_time(h100(), constants, shape);
    AttentionShape more = shape;
    more.queries = more.keys = queries + 1 + queries / 7;
    EXPECT_GE(attention_operator_time(h100(), constants, more), base) << queries;
    more = shape;
    more.sequences = 3;
    EXPECT_GE(attention_operator_time(h100(), constants, more), base);
    more = shape;
    more.heads = 20;
    EXPECT_GE(attention_operator_time(h100(), constants, more), base);
    more = shape;
    more.kv_heads = 8;
    EXPECT_GE(attention_operator_time(h100(), constants, more), base);
    more = shape;
    more.causal = false;
    EXPECT_GE(attention_operator_time(h100(), constants, more), base);
    AttentionShape less = shape;
    less.window = 1 + queries / 3;
    EXPECT_LE(attention_operator_time(h100(), constants, less), base);
    EXPECT_GE(attention_backward_time(h100(), constants, shape),
              attention_prefill_time(h100(), constants, shape));
  }
}

TEST(AttentionKernel, AFasterDeviceIsNeverSlower) {
  const AttentionConstants constants = reference_constants();
  for (std::int64_t queries = 1; queries < 20000; queries += 1 + queries / 3) {
    const AttentionShape shape{
        .sequences = 16, .queries = queries, .keys = queries, .heads = 32, .kv_heads = 8};
    const Duration base = attention_operator_time(h100(), constants, shape);
    EXPECT_LT(attention_operator_time(attention_device(1200e12, 3.35e12, 132), constants, shape),
              base);
    EXPECT_LE(attention_operator_time(attention_device(989.4e12, 4.8e12, 132), constants, shape),
              base);
    EXPECT_LT(attention_operator_time(attention_device(989.4e12, 3.35e12, 160), constants, shape),
              base);
  }
}

TEST(AttentionKernel, TheSoftmaxBoundsNarrowHeadsOfAFastDevice) {
  const AttentionShape shape{.sequences = 64,
                             .queries = 8192,
                             .keys = 8192,
                             .heads = 32,
                             .query_width = 64,
                             .value_width = 64};
  const double bound = 64 * 32 * (64 * 65 / 2) * 0.95e-6 / 132;
  EXPECT_GT(
      attention_prefill_time(attention_device(1e18, 3.35e12, 132), reference_constants(), shape)
          .base(),
      bound);
}

/// A device runs the kernel written for it, or FlashAttention-2 by its own constants if those were
/// measured; efficiencies below the measured device's make it slower.
TEST(TrainingAttention, IsTheKernelThatWasMeasured) {
  core::Accelerator device = h100();
  core::AttentionKernels& kernels = device.kernels.own().attention;
  kernels.training_efficiency = 0.6;
  device.attention_efficiency.value = 0.3;
  EXPECT_EQ(&training_attention(device, true).constants, &kernels.training);
  EXPECT_DOUBLE_EQ(training_attention(device, true).slowdown, 2.0);
  device.native_attention_efficiency = core::Sourced<double>{.value = 0.5};
  EXPECT_DOUBLE_EQ(training_attention(device, true).slowdown, 1.2);
  EXPECT_EQ(&training_attention(device, false).constants, &kernels.training);

  kernels.flash_2 = kernels.training;
  kernels.flash_2_efficiency = 0.33;
  EXPECT_EQ(&training_attention(device, false).constants, &*kernels.flash_2);
  EXPECT_DOUBLE_EQ(training_attention(device, false).slowdown, 1.1);
  EXPECT_EQ(&training_attention(device, true).constants, &kernels.training);
  device.native_attention_efficiency.reset();
  EXPECT_EQ(&training_attention(device, true).constants, &*kernels.flash_2);
}

}  // namespace
}  // namespace railwright::models
