// SPDX-License-Identifier: Apache-2.0
// What runs again in the backward pass, what is kept for it, and what both are called.
#include "railwright/models/software/recompute.hpp"

#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/memory/memory.hpp"

namespace railwright::models {
namespace {

const test::Settings kLlama{"workload.model=llama-3.1-8b", "workload.sequence_length=8192",
                            "workload.micro_batch=2", "workload.global_batch=32",
                            "parallelism.tp=1"};
constexpr double kBatchTokens = 16384.0;
constexpr double kWidth = 4096.0;

/// A mixture with latent attention, on one node's eight ranks of experts.
const test::Settings kDeepSeek{"workload.model=deepseek-v3", "workload.sequence_length=4096",
                               "parallelism.tp=1", "parallelism.ep=8"};

struct Layer {
  PassCost cost;
  double kept = 0.0;        ///< bytes
  double again_kept = 0.0;  ///< bytes that are there while its backward pass goes on
};

Layer layer(const test::Settings& base, LayerKind kind, const test::Settings& recompute = {}) {
  const auto checked = test::scenario(test::join(base, recompute));
  const simulation::Scenario& s = checked.scenario;
  const ComputeModel model(s.cluster.node.accelerator, s.workload, checked.layout, s.software, 1.0);
  return {model.layer(kind),
          activations_per_layer(s.workload, checked.layout, s.software, kind).base(),
          recomputed_activations_per_layer(s.workload, checked.layout, s.software, kind).base()};
}

test::Settings of(const std::string& recompute) { return {"software.recompute=" + recompute}; }
test::Settings modules(const std::string& list) {
  return {"software.recompute=selective", "software.recompute_modules=[" + list + "]"};
}

double added(const Layer& with, const Layer& without) {
  return (with.cost.backward.total() - without.cost.backward.total()).base();
}

TEST(Recompute, FullRunsTheWholeForwardPassAgainAndKeepsTheInput) {
  const Layer none = layer(kLlama, LayerKind::kDense, of("none"));
  const Layer full = layer(kLlama, LayerKind::kDense, of("full"));
  EXPECT_NEAR(added(full, none), none.cost.forward.total().base(),
              0.01 * none.cost.forward.total().base());
  EXPECT_DOUBLE_EQ(full.kept, 2 * kBatchTokens * kWidth);
  EXPECT_DOUBLE_EQ(full.kept + full.again_kept, none.kept);
  EXPECT_EQ(none.again_kept, 0.0);
}

TEST(Recompute, AllButQkvKeepsTheInputQueriesKeysAndValues) {
  const Layer one = layer(kLlama, LayerKind::kDense, of("all_but_qkv"));
  // 32 heads and 8 of keys and values, 128 wide each.
  EXPECT_DOUBLE_EQ(one.kept, 2 * kBatchTokens * (kWidth + (32 + 2 * 8) * 128));
  // Against `feed_forward` the projection behind attention runs again, and the sum is not kept.
  const Layer other = layer(kLlama, LayerKind::kDense, of("feed_forward"));
  EXPECT_DOUBLE_EQ(other.kept - one.kept, 2 * kBatchTokens * kWidth);
  const double projection = 2 * kBatchTokens * kWidth * kWidth;
  EXPECT_GT(added(one, other), projection / 990e12);
  EXPECT_LT(added(one, other), projection / 500e12);
}

/// Queries, values and the first half of the gate are kept, keys, the projection and the second
/// half run again: 0.25 + 1 + 3.5 of 13 squares of the hidden size.
TEST(Recompute, EverySecondProductIsAThirdOfTheProducts) {
  const Layer none = layer(kLlama, LayerKind::kDense, of("none"));
  const Layer half = layer(kLlama, LayerKind::kDense, of("alternate_products"));
  const double matrix = (half.cost.backward.matrix - none.cost.backward.matrix).base();
  EXPECT_NEAR(matrix / none.cost.forward.matrix.base(), 4.75 / 13.0, 0.03);
  EXPECT_EQ(half.cost.backward.attention, none.cost.backward.attention);
  EXPECT_DOUBLE_EQ(half.kept, 2 * kBatchTokens * (kWidth + (2 * 32 + 8) * 128 + 14336));
}

TEST(Recompute, AModuleCostsItsForwardPassAndKeepsNothingOfIt) {
  const Layer none = layer(kDeepSeek, LayerKind::kExperts, of("none"));
  const Layer latent = layer(kDeepSeek, LayerKind::kExperts, modules("latent_projections"));
  // 128 heads: queries of 192, keys of 192, values of 128.
  EXPECT_DOUBLE_EQ(none.kept - latent.kept, 2.0 * 4096 * 128 * (192 + 192 + 128));
  EXPECT_DOUBLE_EQ(latent.again_kept, none.kept - latent.kept);
  const double products = 2.0 * 4096 * 128 * (1536.0 * 192 + 512.0 * (128 + 128));
  EXPECT_GT(added(latent, none), products / 990e12);
  EXPECT_LT(added(latent, none), products / 400e12);

  const Layer experts = layer(kDeepSeek, LayerKind::kExperts, modules("experts"));
  EXPECT_LT(experts.kept, latent.kept);
  EXPECT_GT((experts.cost.backward.matrix - none.cost.backward.matrix).base(),
            0.5 * none.cost.forward.matrix.base());
  EXPECT_EQ(experts.cost.backward.attention, none.cost.backward.attention);

  // What a layer does not have is not run again.
  const Layer dense = layer(kDeepSeek, LayerKind::kDense, modules("experts"));
  EXPECT_EQ(dense.kept, layer(kDeepSeek, LayerKind::kDense, of("none")).kept);
}

TEST(Recompute, MoreModulesCostMoreAndKeepLess) {
  std::string list;
  Layer before = layer(kDeepSeek, LayerKind::kExperts, of("none"));
  for (const char* module : {"norms", "attention", "latent_projections", "expert_activation",
                             "shared_experts", "experts"}) {
    list += (list.empty() ? "" : ", ") + std::string(module);
    const Layer now = layer(kDeepSeek, LayerKind::kExperts, modules(list));
    EXPECT_GT(now.cost.backward.total(), before.cost.backward.total()) << list;
    EXPECT_LE(now.kept, before.kept) << list;
    before = now;
  }
}

TEST(Recompute, AttentionIsWhatSelectiveMeansAlone) {
  const Layer alone = layer(kLlama, LayerKind::kDense, of("selective"));
  const Layer listed = layer(kLlama, LayerKind::kDense, modules("attention"));
  EXPECT_EQ(alone.cost.backward.total(), listed.cost.backward.total());
  EXPECT_EQ(alone.kept, listed.kept);
}

/// Hardware FLOPs count what runs again.
TEST(Recompute, WorkIsThatOfTheProductsThatRunAgain) {
  const auto checked = test::scenario(kLlama);
  const Transformer& model = transformer_of(checked.scenario.workload);
  const auto work = [&](Recompute recompute) {
    return recomputed_work_per_token(model, 8192, recomputed(recompute, {})).base();
  };
  const ForwardWork forward = forward_work_per_token(model, 8192);
  EXPECT_EQ(work(Recompute::kNone), 0.0);
  EXPECT_DOUBLE_EQ(work(Recompute::kFull), (forward.layers + forward.attention).base());
  EXPECT_DOUBLE_EQ(work(Recompute::kSelective), forward.attention.base());
  EXPECT_NEAR(work(Recompute::kAlternateProducts) / forward.layers.base(), 4.75 / 13.0, 1e-9);
}

}  // namespace
}  // namespace railwright::models
