// SPDX-License-Identifier: Apache-2.0
// Times of passes, against bytes and operations counted by hand.
#include "railwright/models/inference/passes.hpp"

#include <gtest/gtest.h>

#include "../../support/inference.hpp"
#include "railwright/models/inference/batching.hpp"

namespace railwright::models {
namespace {

using Settings = std::vector<std::string>;

/// An accelerator that loses nothing, so that bytes and operations can be read off its times.
struct Bench {
  explicit Bench(const Settings& settings)
      : checked(test::inference(settings)), device(checked.cluster.cluster.node.accelerator) {
    device.memory_bandwidth.value = core::Bandwidth::from_base(1e12);
    device.memory_efficiency.value = 1.0;
    device.gemm_efficiency.value = 1.0;
    device.attention_efficiency.value = 1.0;
    device.bf16_rate.value = core::ComputeRate::from_base(1e15);
    device.kernel_overhead.value = core::Duration::from_base(1e-6);
  }
  [[nodiscard]] PassTime time(const TokenPass& pass, int tp = 1) const {
    return pass_time(device, checked.inference, tp, pass);
  }

  simulation::CheckedInference checked;
  core::Accelerator device;
};

constexpr double kLayerMatrices = 4096.0 * (4 * 4096 + 3 * 11008);  // of Llama 2 7B

TEST(Passes, OneTokenReadsEveryWeightAndTheCache) {
  const Bench bench({});
  const PassTime time = bench.time(decode_pass(1, 500));
  const double weights = 2 * (32 * kLayerMatrices + 32000.0 * 4096);
  const double cache = 500 * 32 * 2 * 4096 * 2.0;
  // In and out of the four products, queries and outputs of attention, in and out of the head.
  const double products = 4096 + 3 * 4096 + 4096 + 4096 + 4096 + 2 * 11008 + 11008 + 4096;
  const double around = 2 * (32 * (products + 2 * 4096) + 4096 + 32000);
  EXPECT_NEAR(time.bandwidth.base() * 1e12, weights + cache + around, 1.0);
  EXPECT_EQ(time.compute.base(), 0.0);
  EXPECT_NEAR(time.gaps.base(), 32 * 10 * 1e-6, 1e-15);
}

TEST(Passes, WeightsOfHalfTheBytesAreReadInHalfTheTime) {
  const TokenPass one = decode_pass(1, 1);
  const core::Duration whole = Bench({}).time(one).bandwidth;
  const core::Duration half = Bench({"inference.weights=fp8"}).time(one).bandwidth;
  EXPECT_NEAR((whole - half).base() * 1e12, 32 * kLayerMatrices + 32000.0 * 4096, 1.0);
}

TEST(Passes, APromptTakesItsArithmetic) {
  const PassTime time = Bench({}).time(prefill_pass(8000));
  const double products = 2.0 * 8000 * 32 * kLayerMatrices;
  const double scores = 2.0 * 32 * (8000.0 * 8001 / 2) * 32 * (128 + 128);
  EXPECT_NEAR(time.compute.base() * 1e15 / (products + scores), 1.0, 1e-12);
  // The head sees the last token alone.
  EXPECT_NEAR(time.bandwidth.base() * 1e12, 2 * (32000.0 * 4096 + 4096 + 32000), 1.0);
}

TEST(Passes, RanksShareTheWork) {
  Bench bench({"inference.model=llama-2-70b"});
  bench.device.memory_bandwidth.value = core::Bandwidth::from_base(1e15);
  const PassTime one = bench.time(prefill_pass(4000));
  const PassTime eight = bench.time(prefill_pass(4000), 8);
  EXPECT_NEAR(one.compute / eight.compute, 8.0, 1e-9);
  EXPECT_EQ(one.gaps, eight.gaps);
}

TEST(Passes, LatentAttentionReadsTheNarrowVectorAndMultipliesWithIt) {
  const Bench bench({"inference.model=deepseek-v3"});
  const double keys = 1e9;  // so many that attention is all there is
  const PassTime time = bench.time(decode_pass(1, keys));
  const double bytes = keys * 61 * (512 + 64) * 2;
  const double work = 2 * keys * 61 * 128 * (512 + 64 + 512.0);
  EXPECT_NEAR(time.total().base() / (bytes / 1e12), 1.0, 1e-2);
  Bench wide({"inference.model=deepseek-v3"});
  wide.device.memory_bandwidth.value = core::Bandwidth::from_base(1e18);
  EXPECT_NEAR(wide.time(decode_pass(1, keys)).total().base() / (work / 1e15), 1.0, 1e-2);
}

TEST(Passes, TokensReadTheExpertsTheyAreSentTo) {
  EXPECT_EQ(copies_touched(1, 1, 1), 1.0);
  EXPECT_DOUBLE_EQ(copies_touched(16, 4, 1), 4.0);
  EXPECT_DOUBLE_EQ(copies_touched(16, 4, 2),
                   4.0 + 3.0);  // a quarter of the second's are the first's
  EXPECT_NEAR(copies_touched(16, 4, 1000), 16.0, 1e-9);
}

TEST(Passes, AllReducesAreTwoALayerAndOneBehindTheEmbedding) {
  const Bench bench({});
  EXPECT_EQ(num_all_reduces(bench.checked.inference.model), 65);
  EXPECT_EQ(all_reduce_size(bench.checked.inference.model, 3).base(), 3 * 4096 * 2.0);
}

TEST(BatchCycle, AddsPrefillsAndDecodeSteps) {
  const BatchCycle cycle{.batch = 10,
                         .output_tokens = 101,
                         .prefill = core::Duration::from_base(0.2),
                         .decode = core::Duration::from_base(0.03)};
  EXPECT_DOUBLE_EQ(cycle.total().base(), 10 * 0.2 + 100 * 0.03);
  EXPECT_DOUBLE_EQ(cycle.requests_per_s(), 10 / 5.0);
  EXPECT_DOUBLE_EQ(cycle.time_to_first_token().base(), 0.23);
  EXPECT_DOUBLE_EQ(cycle.time_per_output_token().base(), 0.03 + 9 * 0.2 / 100);
}

TEST(BatchCycle, OfOneRequestWaitsForNobody) {
  const BatchCycle cycle{.batch = 1,
                         .output_tokens = 1,
                         .prefill = core::Duration::from_base(0.2),
                         .decode = core::Duration::from_base(0.03)};
  EXPECT_DOUBLE_EQ(cycle.total().base(), 0.2);
  EXPECT_DOUBLE_EQ(cycle.time_to_first_token().base(), 0.2);
  EXPECT_EQ(cycle.time_per_output_token().base(), 0.0);
}

}  // namespace
}  // namespace railwright::models
