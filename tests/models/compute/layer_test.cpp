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
    EXPECT_NEAR(model.layer().forward.matrix.base() / forward, 1.0, 1e-12) << tp;
    EXPECT_NEAR(model.layer().backward.matrix.base() / forward, 2.0, 1e-12) << tp;
    const double head = 2.0 * 32768 * kHidden / tp * kTokens / 989.4e12;
    EXPECT_NEAR(model.head().forward.matrix.base() / head, 1.0, 1e-12) << tp;
    EXPECT_NEAR(model.head().backward.matrix.base() / head, 2.0, 1e-12) << tp;
  }
}

TEST(LayerCost, CausalAttentionIsTwoAndFiveProductsOfHalfTheScores) {
  const ComputeModel model = model_of({"parallelism.tp=2"});
  const double half_of_scores = kTokens * kTokens / 2 * kHidden / 2;
  const double rate = 989.4e12 * 0.35;
  EXPECT_NEAR(model.layer().forward.attention.base(), 2 * 2 * half_of_scores / rate, 1e-12);
  EXPECT_NEAR(model.layer().backward.attention.base(), 5 * 2 * half_of_scores / rate, 1e-12);
}

TEST(LayerCost, FullRecomputeRunsTheForwardPassAgain) {
  const PassCost none = model_of({}).layer();
  const PassCost full = model_of({"software.recompute={value: full, source: test}"}).layer();
  EXPECT_DOUBLE_EQ(full.forward.total().base(), none.forward.total().base());
  EXPECT_DOUBLE_EQ(full.backward.matrix.base(),
                   (none.backward.matrix + none.forward.matrix).base());
  EXPECT_DOUBLE_EQ(full.backward.total().base(),
                   (none.backward.total() + none.forward.total()).base());
}

TEST(LayerCost, SelectiveRecomputeRunsTheAttentionAgain) {
  const PassCost none = model_of({}).layer();
  const PassCost some = model_of({"software.recompute={value: selective, source: test}"}).layer();
  EXPECT_NEAR((some.backward.total() - none.backward.total()).base(), none.forward.attention.base(),
              1e-15);
  EXPECT_DOUBLE_EQ(some.backward.matrix.base(), none.backward.matrix.base());
}

TEST(LayerCost, SequenceParallelismDividesNormsAndResiduals) {
  const PassCost whole = model_of({"parallelism.tp=8"}).layer();
  const PassCost divided =
      model_of({"parallelism.tp=8", "parallelism.sequence_parallel=true"}).layer();
  // Two norms of 2 and two residuals of 3 accesses, 2 bytes each, on 7 of 8 tokens no longer here.
  const double saved = kTokens * 7 / 8 * kHidden * 2 * (2 * 2 + 2 * 3) / (3.35e12 * 0.9);
  EXPECT_NEAR((whole.forward.elementwise - divided.forward.elementwise).base(), saved, 1e-15);
  EXPECT_DOUBLE_EQ(whole.forward.matrix.base(), divided.forward.matrix.base());
  EXPECT_DOUBLE_EQ(whole.forward.attention.base(), divided.forward.attention.base());
}

TEST(LayerCost, GapsAreTheKernelsOfALayer) {
  const PassCost layer = model_of({}).layer();
  EXPECT_NEAR(layer.forward.gaps.base(), 20 * 2e-6, 1e-15);
  EXPECT_NEAR(layer.backward.gaps.base(), 2 * 20 * 2e-6, 1e-15);
}

TEST(LayerCost, InstallationSlowsEverything) {
  const ComputeModel neutral = model_of({});
  const ComputeModel slow = model_of({}, 0.5);
  for (const auto part : {&ComputeModel::layer, &ComputeModel::embedding, &ComputeModel::head}) {
    EXPECT_DOUBLE_EQ((slow.*part)().forward.total().base(),
                     2 * (neutral.*part)().forward.total().base());
    EXPECT_DOUBLE_EQ((slow.*part)().backward.total().base(),
                     2 * (neutral.*part)().backward.total().base());
  }
  EXPECT_DOUBLE_EQ(slow.optimizer_time(1e9).base(), 2 * neutral.optimizer_time(1e9).base());
}

TEST(Optimizer, StreamsThirtyFourBytesAParameter) {
  EXPECT_NEAR(model_of({}).optimizer_time(1e9).base(), 34e9 / (3.35e12 * 0.9), 1e-12);
}

TEST(LayerCost, LessOfAnySpeedNeverHelps) {
  const auto total = [](const test::Settings& settings) {
    const ComputeModel model = model_of(settings);
    core::Duration sum = model.optimizer_time(1e9);
    for (const PassCost* cost : {&model.layer(), &model.embedding(), &model.head()}) {
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
