// SPDX-License-Identifier: Apache-2.0
// The cost of a layer, embedding, head and optimizer.
#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "railwright/models/compute/compute.hpp"

namespace railwright::models {
namespace {

constexpr double kTokens = 4096.0;
constexpr double kHidden = 4096.0;

ComputeModel model_of(const test::Settings& settings, double efficiency = 1.0) {
  const auto checked = test::scenario(settings);
  return {checked.scenario.cluster.node.accelerator, checked.scenario.workload, checked.layout,
          checked.scenario.software, efficiency};
}

/// A device without waves and without memory limits, and a model of whole tiles: only arithmetic is
/// left.
test::Settings only_arithmetic() {
  const std::string accelerator = "cluster.node.accelerator.";
  return {accelerator + "num_multiprocessors={value: 1, source: test}",
          accelerator + "memory_bandwidth={value: 3e9 TB/s, source: test}",
          accelerator + "gemm_efficiency={value: 1, source: test}", "workload.model.ffn_size=16384",
          "workload.model.vocabulary_size=32768"};
}

TEST(LayerCost, MatrixTimeIsTwoFlopsAParameterForwardAndFourBackward) {
  for (const int tp : {1, 2, 4, 8}) {
    const ComputeModel model =
        model_of(test::join(only_arithmetic(), {"parallelism.tp=" + std::to_string(tp)}));
    const double parameters = 4 * kHidden * kHidden + 3 * kHidden * 16384;
    const double forward = 2.0 * parameters / tp * kTokens / 989.4e12;
    EXPECT_NEAR(model.layer(LayerKind::kDense).forward.matrix.base() / forward, 1.0, 1e-12) << tp;
    EXPECT_NEAR(model.layer(LayerKind::kDense).backward.matrix.base() / forward, 2.0, 1e-12) << tp;
    const double head = 2.0 * 32768 * kHidden / tp * kTokens / 989.4e12;
    EXPECT_NEAR(model.head().forward.matrix.base() / head, 1.0, 1e-12) << tp;
    EXPECT_NEAR(model.head().backward.matrix.base() / head, 2.0, 1e-12) << tp;
  }
}

TEST(LayerCost, CausalAttentionIsTwoAndFiveProductsOfHalfTheScores) {
  const ComputeModel model = model_of({"parallelism.tp=2"});
  const double half_of_scores = kTokens * kTokens / 2 * kHidden / 2;
  const double rate = 989.4e12 * 0.35;
  EXPECT_NEAR(model.layer(LayerKind::kDense).forward.attention.base(),
              2 * 2 * half_of_scores / rate, 1e-12);
  EXPECT_NEAR(model.layer(LayerKind::kDense).backward.attention.base(),
              5 * 2 * half_of_scores / rate, 1e-12);
}

/// Four times as many scores as half of them a product wide; every score passes memory.
TEST(LayerCost, UnfusedAttentionReadsAndWritesEveryScore) {
  const test::Settings unfused{"parallelism.tp=2",
                               "software.attention={value: unfused, source: test}"};
  const double scores = kTokens * kTokens * 16;
  const double bandwidth = 3.35e12 * 0.9;
  const PassCost plain = model_of(unfused).layer(LayerKind::kDense);
  const PassCost dropped =
      model_of(test::join(unfused, {"software.dropout={value: true, source: test}"}))
          .layer(LayerKind::kDense);
  EXPECT_NEAR((dropped.forward.attention - plain.forward.attention).base(), scores * 5 / bandwidth,
              1e-12);
  EXPECT_NEAR((dropped.backward.attention - plain.backward.attention).base(),
              scores * 5 / bandwidth, 1e-12);
  const auto products = [&](int num) { return num * 2 * scores * 128 / (989.4e12 * 0.803); };
  EXPECT_GT(plain.forward.attention.base(), products(2) + scores * 4 / bandwidth);
  EXPECT_GT(plain.backward.attention.base(), products(4) + scores * 6 / bandwidth);
  EXPECT_LT(plain.forward.attention.base(), 1.5 * (products(2) + scores * 8 / bandwidth));
}

TEST(LayerCost, FullRecomputeRunsTheForwardPassAgain) {
  const PassCost none = model_of({}).layer(LayerKind::kDense);
  const PassCost full =
      model_of({"software.recompute={value: full, source: test}"}).layer(LayerKind::kDense);
  EXPECT_DOUBLE_EQ(full.forward.total().base(), none.forward.total().base());
  EXPECT_DOUBLE_EQ(full.backward.matrix.base(),
                   (none.backward.matrix + none.forward.matrix).base());
  EXPECT_DOUBLE_EQ(full.backward.total().base(),
                   (none.backward.total() + none.forward.total()).base());
}

TEST(LayerCost, SelectiveRecomputeRunsTheAttentionAgain) {
  const PassCost none = model_of({}).layer(LayerKind::kDense);
  const PassCost some =
      model_of({"software.recompute={value: selective, source: test}"}).layer(LayerKind::kDense);
  EXPECT_NEAR((some.backward.total() - none.backward.total()).base(), none.forward.attention.base(),
              1e-15);
  EXPECT_DOUBLE_EQ(some.backward.matrix.base(), none.backward.matrix.base());
}

TEST(LayerCost, SequenceParallelismDividesNormsAndResiduals) {
  const PassCost whole = model_of({"parallelism.tp=8"}).layer(LayerKind::kDense);
  const PassCost divided =
      model_of({"parallelism.tp=8", "parallelism.sequence_parallel=true"}).layer(LayerKind::kDense);
  // Two norms of 2 and two residuals of 3 accesses, 2 bytes each, on 7 of 8 tokens no longer here.
  const double saved = kTokens * 7 / 8 * kHidden * 2 * (2 * 2 + 2 * 3) / (3.35e12 * 0.9);
  EXPECT_NEAR((whole.forward.elementwise - divided.forward.elementwise).base(), saved, 1e-15);
  EXPECT_DOUBLE_EQ(whole.forward.matrix.base(), divided.forward.matrix.base());
  EXPECT_DOUBLE_EQ(whole.forward.attention.base(), divided.forward.attention.base());
}

TEST(LayerCost, GapsAreTheKernelsOfALayer) {
  const PassCost layer = model_of({}).layer(LayerKind::kDense);
  EXPECT_NEAR(layer.forward.gaps.base(), 20 * 2e-6, 1e-15);
  EXPECT_NEAR(layer.backward.gaps.base(), 2 * 20 * 2e-6, 1e-15);
}

/// 16 experts of which a token passes 4: a quarter of the tokens in each, one grouped product.
TEST(LayerCost, ExpertsTakeTheTimeOfThoseATokenPasses) {
  const ComputeModel model = model_of(test::join(
      only_arithmetic(),
      {"parallelism.tp=1",
       "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}"}));
  const double attention = 4 * kHidden * kHidden;
  const double experts = 4 * 3 * kHidden * 2048;
  const double router = kHidden * 256;  // 16 columns fill a tile of 256
  const double rate = 989.4e12 / (2 * kTokens);
  EXPECT_NEAR(model.layer(LayerKind::kExperts).forward.matrix.base() * rate,
              attention + experts + router, 1e-6 * experts);
  EXPECT_NEAR(model.layer(LayerKind::kDense).forward.matrix.base() * rate,
              attention + 3 * kHidden * 16384, 1e-6 * experts);
}

TEST(LayerCost, LatentAttentionHasWiderQueriesThanValues) {
  const ComputeModel model =
      model_of({"parallelism.tp=2", "workload.model.head_size=128",
                "workload.model.latent_attention={kv_rank: 512, rope_size: 64, value_size: 128}"});
  const double half_of_scores = kTokens * kTokens / 2 * 32 / 2;
  const double rate = 989.4e12 * 0.35;
  const PassCost& layer = model.layer(LayerKind::kDense);
  EXPECT_NEAR(layer.forward.attention.base(), 2 * half_of_scores * (192 + 128) / rate, 1e-12);
  EXPECT_NEAR(layer.backward.attention.base(), 2 * half_of_scores * (3 * 192 + 2 * 128) / rate,
              1e-12);
}

TEST(LayerCost, AnEncoderAttendsBothWaysAndADecoderToItToo) {
  const ComputeModel model = model_of({"parallelism.tp=1", "workload.model.encoder_layers=32",
                                       "workload.encoder_sequence_length=1024"});
  const double rate = 989.4e12 * 0.35;
  EXPECT_NEAR(model.layer(LayerKind::kEncoder).forward.attention.base(),
              4 * 1024.0 * 1024.0 * kHidden / rate, 1e-12);
  EXPECT_NEAR(model.layer(LayerKind::kDecoder).forward.attention.base(),
              (2 * kTokens * kTokens + 4 * kTokens * 1024.0) * kHidden / rate, 1e-12);
}

TEST(LayerCost, InstallationSlowsEverything) {
  const ComputeModel neutral = model_of({});
  const ComputeModel slow = model_of({}, 0.5);
  const auto expect_twice = [](const PassCost& of_slow, const PassCost& of_neutral) {
    EXPECT_DOUBLE_EQ(of_slow.forward.total().base(), 2 * of_neutral.forward.total().base());
    EXPECT_DOUBLE_EQ(of_slow.backward.total().base(), 2 * of_neutral.backward.total().base());
  };
  expect_twice(slow.layer(LayerKind::kDense), neutral.layer(LayerKind::kDense));
  expect_twice(slow.embedding(), neutral.embedding());
  expect_twice(slow.head(), neutral.head());
  EXPECT_DOUBLE_EQ(slow.optimizer_time(1e9).base(), 2 * neutral.optimizer_time(1e9).base());
}

TEST(Optimizer, StreamsThirtyFourBytesAParameter) {
  EXPECT_NEAR(model_of({}).optimizer_time(1e9).base(), 34e9 / (3.35e12 * 0.9), 1e-12);
}

TEST(LayerCost, LessOfAnySpeedNeverHelps) {
  const auto total = [](const test::Settings& settings) {
    const ComputeModel model = model_of(settings);
    core::Duration sum = model.optimizer_time(1e9);
    for (const PassCost* cost :
         {&model.layer(LayerKind::kDense), &model.embedding(), &model.head()}) {
      sum += cost->forward.total() + cost->backward.total();
    }
    return sum;
  };
  const std::string device = "cluster.node.accelerator.";
  const core::Duration base = total({});
  for (const char* worse : {"bf16_rate={value: 800 TFLOP/s, source: test}",
                            "memory_bandwidth={value: 2 TB/s, source: test}",
                            "gemm_efficiency={value: 0.6, source: test}",
                            "attention_efficiency={value: 0.2, source: test}",
                            "memory_efficiency={value: 0.7, source: test}",
                            "kernel_overhead={value: 5 us, source: test}"}) {
    EXPECT_GT(total({device + worse}), base) << worse;
  }
}

}  // namespace
}  // namespace railwright::models
