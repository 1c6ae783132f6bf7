// SPDX-License-Identifier: Apache-2.0
// Models of Mamba-2 mixers, attention, feed-forward blocks and experts, each a layer of its own.
// [@dao2024mamba2]
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "../../support/active_parameters.hpp"
#include "../../support/scenario.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {
namespace {

test::Settings hybrid(const std::string& name, const test::Settings& more = {}) {
  return test::join(
      {"workload.model=" + name, "cluster.nodes=1", "workload.global_batch=64", "parallelism.tp=1",
       "parallelism.pp=1", "cluster.node.accelerator.memory=1 TB"},
      more);
}

Transformer hybrid_model(const std::string& name) {
  return transformer_of(test::scenario(hybrid(name)).scenario.workload);
}

/// Figures of the papers and model cards, in billions.
TEST(HybridModel, HasThePublishedParameters) {
  const auto billions = [](std::int64_t parameters) { return 1e-9 * parameters; };
  EXPECT_NEAR(billions(num_parameters(hybrid_model("nemotron-h-8b"))), 8.1, 0.05);
  EXPECT_NEAR(billions(num_parameters(hybrid_model("nemotron-h-56b"))), 56.0, 0.5);
  const Transformer nano = hybrid_model("nemotron-3-nano-30b-a3b");
  EXPECT_NEAR(billions(num_parameters(nano)), 31.6, 0.05);
  EXPECT_NEAR(billions(num_active_parameters(nano)), 3.6, 0.05);
}

TEST(HybridModel, ALayerIsTheBlockThatItsLetterSays) {
  const Transformer nano = hybrid_model("nemotron-3-nano-30b-a3b");
  EXPECT_EQ(layer_kind(nano, 0), LayerKind::kMamba);
  EXPECT_EQ(layer_kind(nano, 1), LayerKind::kMixture);
  EXPECT_EQ(layer_kind(nano, 5), LayerKind::kAttention);
  const auto counts = layers_by_kind(nano);
  EXPECT_EQ(counts[static_cast<std::size_t>(LayerKind::kMamba)], 23);
  EXPECT_EQ(counts[static_cast<std::size_t>(LayerKind::kMixture)], 23);
  EXPECT_EQ(counts[static_cast<std::size_t>(LayerKind::kAttention)], 6);
  EXPECT_EQ(layer_kind(hybrid_model("nemotron-h-8b"), 1), LayerKind::kFeedForward);
}

/// 4,096 wide, 128 heads of 64, 8 groups of 128 states, a convolution over 4 tokens.
TEST(HybridModel, AMixerHasTwoMatricesAndItsVectors) {
  const Transformer model = hybrid_model("nemotron-h-8b");
  const std::int64_t inner = std::int64_t{128} * 64;
  const std::int64_t convolved = inner + std::int64_t{2} * 8 * 128;
  const std::int64_t matrices = 4096 * (inner + convolved + 128) + inner * 4096;
  const std::int64_t vectors = 4096 + convolved * 4 + convolved + 384 + inner;
  EXPECT_EQ(layer_parameters(model, LayerKind::kMamba), matrices + vectors);
  const std::int64_t on_rank =
      layer_parameters(model, LayerKind::kMamba, Slices{.tp = 8, .etp = 8});
  EXPECT_EQ(on_rank, matrices / 8 + (vectors - 4096) / 8 + 4096);
}

/// Published TFLOP/s over published tokens/s of GB300 at 8,192 tokens: 22.6 billion FLOPs a token
/// with attention over the whole sequence.
TEST(HybridModel, ItsWorkIsThatOfThePublishedRates) {
  const double published = 901e12 / 39936;
  const double work = training_work_per_token(hybrid_model("nemotron-3-nano-30b-a3b"), 8192).base();
  EXPECT_NEAR(work / published, 1.0, 0.03);
}

ComputeModel hybrid_costs(const test::Settings& settings) {
  const auto checked = test::scenario(settings);
  return {checked.scenario.cluster.node.accelerator, checked.scenario.workload, checked.layout,
          checked.scenario.software, 1.0};
}

TEST(HybridModel, AMixerTakesMoreWithMoreStatesAndASmallerShare) {
  const auto elementwise = [](const test::Settings& more) {
    return hybrid_costs(hybrid("nemotron-h-8b", more)).layer(LayerKind::kMamba).forward.elementwise;
  };
  const core::Duration as_published = elementwise({});
  EXPECT_GT(elementwise({"workload.model.mamba.state_size=256"}), as_published);
  EXPECT_GT(elementwise({"workload.model.mamba.chunk_size=64"}), as_published);
  const auto with_share = [&](const std::string& share) {
    return elementwise({"software.mamba_share={value: " + share + ", source: test}"}).base();
  };
  // A norm and a residual do not depend on the share.
  const double whole = with_share("1");
  EXPECT_NEAR(with_share("0.25") - whole, 3.0 * (with_share("0.5") - whole), 1e-9 * whole);
}

/// A mixer has no scores: its time is proportional to the tokens, that of attention is not.
TEST(HybridModel, OnlyAttentionGrowsWithTheSequence) {
  const auto times = [](const char* length, LayerKind kind) {
    const ComputeModel costs =
        hybrid_costs(hybrid("nemotron-h-8b", {std::string("workload.sequence_length=") + length}));
    return costs.layer(kind).forward.attention + costs.layer(kind).forward.elementwise;
  };
  EXPECT_NEAR(times("16384", LayerKind::kMamba) / times("8192", LayerKind::kMamba), 2.0, 1e-9);
  EXPECT_GT(times("16384", LayerKind::kAttention) / times("8192", LayerKind::kAttention), 2.5);
  EXPECT_EQ(hybrid_costs(hybrid("nemotron-h-8b")).layer(LayerKind::kFeedForward).forward.attention,
            core::Duration{});
}

/// The mixer keeps what comes out of its first matrix, its output, and the last matrix's input.
TEST(HybridModel, AMixerKeepsItsInputsAndOutputs) {
  const auto checked = test::scenario(
      hybrid("nemotron-h-8b", {"workload.sequence_length=8192", "workload.micro_batch=1",
                               "software.precision=bf16", "software.recompute=none"}));
  const double bytes = activations_per_layer(checked.scenario.workload, checked.layout,
                                             checked.scenario.software, LayerKind::kMamba)
                           .base();
  const double projected = 2 * 8192 + 2 * 8 * 128 + 128;
  const double dropout = checked.scenario.software.dropout.value ? 1.5 : 1.0;
  EXPECT_NEAR(bytes / 8192, 2 * (projected + 2 * 8192 + 4096 * (1 + dropout)), 1.0);
}

TEST(HybridModel, RefusesWhatThePatternDoesNotSay) {
  const auto training = test::scenario(hybrid("nemotron-h-8b")).scenario.workload;
  const auto problems = [&](const auto& change, const Parallelism& parallelism = {}) {
    Training changed = training;
    change(std::get<Transformer>(changed.model));
    Layout layout;
    std::string keys;
    for (const core::Problem& problem : make_layout(changed, parallelism, 8, layout)) {
      keys += problem.key + ": " + problem.message + "\n";
    }
    return keys;
  };
  const auto nothing = [](Transformer&) {};
  EXPECT_EQ(problems(nothing), "");
  EXPECT_EQ(problems([](Transformer& model) { model.num_layers = 48; }),
            "workload.model.layer_pattern: 52 letters for 48 layers\n");
  EXPECT_EQ(problems([](Transformer& model) { model.layer_pattern[3] = 'A'; }),
            "workload.model.layer_pattern: letters other than M, *, - and E\n");
  EXPECT_EQ(problems([](Transformer& model) { model.mamba.reset(); }),
            "workload.model.mamba: layer_pattern has Mamba-2 layers, but `mamba` is missing\n");
  EXPECT_EQ(problems([](Transformer& model) { model.layer_pattern[3] = 'E'; }),
            "workload.model.experts: layer_pattern has expert layers, but `experts` is missing\n");
  EXPECT_EQ(problems([](Transformer& model) { model.layer_pattern.clear(); }),
            "workload.model.layer_pattern: missing key 'layer_pattern'; it says which layers are "
            "Mamba-2's\n");
  EXPECT_EQ(problems([](Transformer& model) { model.mamba->num_groups = 3; }),
            "workload.model.mamba.num_groups: 128 heads are not divisible by 3 groups\n");
  EXPECT_EQ(problems([](Transformer& model) { model.mamba->num_groups = 1; }, {.tp = 2}),
            "parallelism.tp: tp 2 does not divide the 1 groups of Mamba-2's heads\n");
  EXPECT_EQ(problems(nothing, {.cp = 2}),
            "parallelism.cp: context parallelism is not modelled for Mamba-2 layers\n");
}

/// The keys of Nemotron's config.json, with other numbers.
TEST(HybridModel, IsReadFromHuggingFace) {
  const std::string file = testing::TempDir() + "nemotron_h.json";
  std::ofstream(file) << R"({"model_type": "nemotron_h", "num_hidden_layers": 4,
    "hybrid_override_pattern": "ME*-", "hidden_size": 1024, "num_attention_heads": 16,
    "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 3072, "vocab_size": 32000,
    "tie_word_embeddings": false, "mamba_num_heads": 32, "mamba_head_dim": 64,
    "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4, "chunk_size": 256,
    "n_routed_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 512,
    "n_shared_experts": 1, "moe_shared_expert_intermediate_size": 1024})";
  const Transformer model = hybrid_model(file);
  EXPECT_EQ(model.layer_pattern, "ME*-");
  EXPECT_FALSE(model.gated_ffn);
  EXPECT_EQ(model.mamba->inner(), 2048);
  EXPECT_EQ(model.mamba->states(), 1024);
  EXPECT_EQ(model.mamba->chunk_size, 256);
  EXPECT_EQ(model.experts->count, 16);
  EXPECT_EQ(model.experts->shared_ffn_size, 1024);
}

}  // namespace
}  // namespace railwright::models
