// SPDX-License-Identifier: Apache-2.0
// Layers that attend to near tokens alone.
#include <gtest/gtest.h>

#include <string>

#include "../../support/scenario.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {
namespace {

constexpr int kTokens = 8192;

test::Settings local(const std::string& attention, const test::Settings& more = {}) {
  return test::join(
      {"workload.model={model: llama-3.1-8b, local_attention: " + attention + "}",
       "workload.sequence_length=" + std::to_string(kTokens), "workload.global_batch=64",
       "parallelism.tp=1", "parallelism.pp=1", "cluster.nodes=1",
       "cluster.node.accelerator.memory=1 TB", "software.attention={value: fused, source: test}"},
      more);
}

Transformer model_with(const std::string& attention) {
  return transformer_of(test::scenario(local(attention)).scenario.workload);
}

TEST(LocalAttention, EveryLastLayerOfAGroupAttendsToAll) {
  const Transformer model = model_with("{window: 128, global_every: 4}");
  for (int layer = 0; layer < model.num_layers; ++layer) {
    EXPECT_EQ(is_local(layer_kind(model, layer)), layer % 4 != 3) << layer;
  }
  EXPECT_EQ(
      layers_by_kind(model_with("{window: 128}"))[static_cast<std::size_t>(LayerKind::kLocalDense)],
      32);
}

TEST(LocalAttention, ChangesTheWorkOfAttentionAndNoParameter) {
  const Transformer all = model_with("null");
  const Transformer near = model_with("{window: 1024, global_every: 2}");
  EXPECT_EQ(num_parameters(near), num_parameters(all));
  const ForwardWork of_all = forward_work_per_token(all, kTokens);
  const ForwardWork of_near = forward_work_per_token(near, kTokens);
  EXPECT_EQ(of_near.layers.base(), of_all.layers.base());
  // Half of the layers see an eighth of the sequence.
  EXPECT_NEAR(of_near.attention / of_all.attention, (1.0 + 1.0 / 8) / 2, 1e-12);
  EXPECT_EQ(forward_work_per_token(near, 512).attention.base(),
            forward_work_per_token(all, 512).attention.base());
}

double forward_seconds(const std::string& attention, LayerKind kind, const test::Settings& more) {
  const auto checked = test::scenario(local(attention, more));
  const ComputeModel costs(checked.scenario.cluster.node.accelerator, checked.scenario.workload,
                           checked.layout, checked.scenario.software, 1.0);
  return costs.layer(kind).forward.attention.base();
}

TEST(LocalAttention, TakesLessTheNearerItStays) {
  const double all = forward_seconds("null", LayerKind::kDense, {});
  double before = 0.0;
  for (const char* window : {"128", "512", "2048", "4096"}) {
    const double time =
        forward_seconds(std::string("{window: ") + window + "}", LayerKind::kLocalDense, {});
    EXPECT_GT(time, before) << window;
    EXPECT_LT(time, all) << window;
    before = time;
  }
  EXPECT_NEAR(forward_seconds("{window: 8192}", LayerKind::kLocalDense, {}), all, 1e-9 * all);
  EXPECT_NEAR(forward_seconds("{chunk: 8192}", LayerKind::kLocalDense, {}), all, 1e-9 * all);
  // Half of the causal triangle lies in two chunks of half the length.
  EXPECT_NEAR(forward_seconds("{chunk: 4096}", LayerKind::kLocalDense, {}) / all, 0.5, 0.1);
}

/// A ring over a sequence gives each rank all keys in turn; a window leaves it its own.
TEST(LocalAttention, TakesLessOnARingToo) {
  const test::Settings ring{"parallelism.cp=2"};
  EXPECT_LT(forward_seconds("{window: 128}", LayerKind::kLocalDense, ring),
            0.5 * forward_seconds("null", LayerKind::kDense, ring));
}

TEST(LocalAttention, NeedsOneReach) {
  const auto training = test::scenario(local("{window: 128}")).scenario.workload;
  const auto problems = [&](const auto& change) {
    Training changed = training;
    change(std::get<Transformer>(changed.model));
    Layout layout;
    std::string text;
    for (const core::Problem& problem : make_layout(changed, {}, 8, layout)) {
      text += problem.key + ": " + problem.message + "\n";
    }
    return text;
  };
  EXPECT_EQ(problems([](Transformer&) {}), "");
  EXPECT_EQ(problems([](Transformer& model) { model.local_attention->chunk = 64; }),
            "workload.model.local_attention: needs either 'window' or 'chunk'\n");
  EXPECT_EQ(problems([](Transformer& model) { model.local_attention->window = 0; }),
            "workload.model.local_attention: needs either 'window' or 'chunk'\n");
  EXPECT_EQ(problems([](Transformer& model) { model.causal = false; }),
            "workload.model.local_attention: only supported for decoder-only models\n");
}

}  // namespace
}  // namespace railwright::models
