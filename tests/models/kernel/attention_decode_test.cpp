// SPDX-License-Identifier: Apache-2.0
// Decode kernels: values of the fitting script's formula, limits and monotony.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "devices.hpp"
#include "railwright/models/kernel/attention.hpp"

namespace railwright::models {
namespace {

using core::Accelerator;
using core::DecodeConstants;
using core::Duration;
using core::Precision;
using test::attention_device;
using test::h100;

DecodeConstants reference_decode() {
  return {.memory_efficiency = 0.9,
          .cache_read_share = 1.0,
          .l2_reach = core::DataSize::from_base(25e6),
          .l2_bandwidth = core::Bandwidth::from_base(40e9),
          .heads_per_tile = 64,
          .head_step = 16,
          .tensor_share = 0.2,
          .key_time = Duration::from_base(1.5e-9),
          .tile_start = Duration::from_base(3e-6),
          .tile_bandwidth = core::Bandwidth::from_base(60e9),
          .split_waves = 4.0,
          .max_splits = 16,
          .min_split_keys = 128,
          .reduction_time = Duration::from_base(2.5e-6),
          .overlap = 2.1,
          .token_memory = 4.0,
          .operator_overhead = Duration::from_base(6e-6)};
}

struct DecodeCase {
  DecodeShape shape;
  double time;
};

TEST(DecodeKernel, IsTheReference) {
  const std::array cases = std::to_array<DecodeCase>({
      {{32, 129, 200, 2, 64, 64, 0, false, Precision::kFp8}, 8.08601219081901e-06},
      {{4, 1000, 16, 2, 128, 128, 0, false, Precision::kBf16}, 6.71623444833674e-06},
      {{32, 1000, 16, 2, 192, 128, 0, false, Precision::kFp8}, 1.54498694080758e-05},
      {{1024, 1, 8, 2, 256, 256, 128, false, Precision::kBf16}, 6.15710491937069e-05},
      {{4, 100, 4, 1, 576, 512, 0, true, Precision::kFp8}, 4.756987151016e-06},
      {{1024, 1, 200, 2, 128, 128, 0, false, Precision::kBf16}, 0.000220800196985211},
      {{1024, 100, 8, 1, 192, 128, 0, false, Precision::kFp8}, 3.28811200218401e-05},
      {{1, 100, 200, 2, 256, 256, 128, false, Precision::kBf16}, 4.95783191011608e-06},
      {{1, 1000, 2, 2, 64, 64, 0, false, Precision::kFp8}, 5.77522314163661e-06},
      {{1024, 131072, 200, 1, 576, 512, 0, true, Precision::kBf16}, 0.399290971397008},
      {{256, 131072, 64, 8, 192, 128, 0, false, Precision::kFp8}, 0.0327314261803299},
      {{4, 1, 2, 2, 256, 256, 128, false, Precision::kBf16}, 3.04641136151599e-06},
      {{256, 131072, 8, 1, 64, 64, 0, false, Precision::kFp8}, 0.00176486672356786},
      {{1, 100, 200, 2, 128, 128, 0, false, Precision::kBf16}, 3.97857987338903e-06},
      {{1024, 1000, 16, 1, 576, 512, 0, true, Precision::kFp8}, 0.000317417311844779},
      {{1, 129, 32, 8, 256, 256, 128, false, Precision::kBf16}, 5.24640862402775e-06},
      {{4, 100, 8, 8, 64, 64, 0, false, Precision::kFp8}, 3.23950659309573e-06},
      {{1024, 131072, 8, 2, 128, 128, 0, false, Precision::kBf16}, 0.0474278861265074},
      {{256, 1000, 8, 2, 192, 128, 0, false, Precision::kFp8}, 6.79483245371592e-05},
      {{32, 8192, 1, 1, 576, 512, 128, true, Precision::kBf16}, 7.61198704714712e-06},
  });
  for (const DecodeCase& row : cases) {
    DecodeShape timed = row.shape;
    timed.repeats_cache = true;
    EXPECT_NEAR(attention_decode_time(h100(), reference_decode(), timed).base() / row.time, 1.0,
                1e-9);
  }
}

TEST(DecodeKernel, OnlyALoopFindsItsCacheInL2) {
  DecodeShape shape{.sequences = 16, .keys = 2048, .heads = 32, .kv_heads = 8};
  const Duration cold = attention_decode_time(h100(), reference_decode(), shape);
  shape.repeats_cache = true;
  EXPECT_LT(attention_decode_time(h100(), reference_decode(), shape), cold);
}

// Sequences of a benchmark may share pages, those of requests do not.
TEST(DecodeKernel, OnlyALoopReadsAShareOfItsCache) {
  DecodeConstants shared = reference_decode();
  shared.cache_read_share = 0.5;
  DecodeShape shape{.sequences = 64, .keys = 131072, .heads = 32, .kv_heads = 8};
  EXPECT_NEAR(attention_decode_time(h100(), shared, shape) /
                  attention_decode_time(h100(), reference_decode(), shape),
              1.0, 1e-9);
  shape.repeats_cache = true;
  EXPECT_LT(attention_decode_time(h100(), shared, shape),
            attention_decode_time(h100(), reference_decode(), shape));
}

TEST(DecodeKernel, LongCachesAreReadAtTheMemorysShare) {
  const DecodeShape shape{.sequences = 64, .keys = 131072, .heads = 32, .kv_heads = 8};
  const double bytes = 64.0 * 131072 * 8 * 256 * 2;
  const double time = attention_decode_time(h100(), reference_decode(), shape).base();
  EXPECT_GT(time, bytes / (3.35e12 * 0.9));
  EXPECT_LT(time, 1.1 * bytes / (3.35e12 * 0.9));
}

TEST(DecodeKernel, MoreOfAnythingIsNeverFasterAndAFasterDeviceNeverSlower) {
  const DecodeConstants constants = reference_decode();
  for (std::int64_t keys = 1; keys < 200000; keys += 1 + keys / 5) {
    for (const std::int64_t sequences : {1, 3, 16, 17, 100, 1024}) {
      const DecodeShape shape{.sequences = sequences, .keys = keys, .heads = 32, .kv_heads = 8};
      const Duration base = attention_decode_operator_time(h100(), constants, shape);
      DecodeShape more = shape;
      more.keys = keys + 1 + keys / 5;
      EXPECT_GE(attention_decode_operator_time(h100(), constants, more), base);
      more = shape;
      more.sequences = sequences + 1;
      EXPECT_GE(attention_decode_operator_time(h100(), constants, more), base);
      more = shape;
      more.heads = 64;
      EXPECT_GE(attention_decode_operator_time(h100(), constants, more), base);
      DecodeShape less = shape;
      less.cache_precision = Precision::kFp8;
      EXPECT_LE(attention_decode_operator_time(h100(), constants, less), base);
      less = shape;
      less.window = 128;
      EXPECT_LE(attention_decode_operator_time(h100(), constants, less), base);
      for (const Accelerator& faster :
           {attention_device(1500e12, 3.35e12, 132), attention_device(989.4e12, 4.8e12, 132),
            attention_device(989.4e12, 3.35e12, 133), attention_device(989.4e12, 3.35e12, 264)}) {
        EXPECT_LE(attention_decode_operator_time(faster, constants, shape), base);
      }
    }
  }
}

TEST(DecodeKernel, ManyHeadsOnOneLatentCacheBindByArithmetic) {
  DecodeShape shape{.sequences = 256,
                    .keys = 8192,
                    .heads = 16,
                    .query_width = 576,
                    .value_width = 512,
                    .values_in_keys = true};
  const double few = attention_decode_time(h100(), reference_decode(), shape).base();
  shape.heads = 128;
  EXPECT_GT(attention_decode_time(h100(), reference_decode(), shape).base(), 3.0 * few);
}

}  // namespace
}  // namespace railwright::models
