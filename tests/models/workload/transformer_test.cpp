// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/transformer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/active_parameters.hpp"
#include "../../support/scenario.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {
namespace {

Transformer model_named(const std::string& name) {
  return transformer_of(test::scenario({"workload.model=" + name}).scenario.workload);
}

struct PublishedCount {
  const char* name;
  double parameters;
  double tolerance;  ///< relative: 0 where a checkpoint's tensors were counted
};

/// Counts of tensors in published checkpoints, and rounded counts of papers.
constexpr PublishedCount kPublished[] = {
    {"llama-2-7b", 6'738'415'616, 0},
    {"llama-2-13b", 13'015'864'320, 0},
    {"llama-2-70b", 68'976'648'192, 0},
    {"llama-3.1-8b", 8'030'261'248, 0},
    {"llama-3.1-70b", 70'553'706'496, 0},
    {"llama-3.1-405b", 405'853'388'800, 0},
    {"bloom-7b1", 7'069'016'064, 0},
    {"bloom-176b", 176'247'271'424, 0},
    {"mixtral-8x7b", 46'702'792'704, 0},
    {"dbrx", 131'596'523'520, 0},
    {"deepseek-v3", 671e9, 0.001},
    {"grok-1", 314e9, 0.01},
    {"nemotron-4-15b", 15.7e9, 0.01},    // 3.2 of embeddings, 12.5 of the rest
    {"nemotron-4-340b", 341e9, 0.001},   // 9.4 and 331.6
    {"bert-large", 335'141'888, 0.004},  // a pooler of 1 million more
    {"t5-11b", 11'307'321'344, 1e-6},    // relative positions more
    {"gpt-3-175b", 175e9, 0.005},
    {"bloom-1.2t", 1.213e12, 0.003},
    {"bloom-24t", 24.17e12, 0.001},
    {"llama-3.2-1b", 1'235'814'400, 0},
    {"llama-3.2-3b", 3'212'749'824, 0},
    {"llama-3.3-70b", 70'553'706'496, 0},
    {"llama-4-scout", 108'641'793'536, 0.009},  // an image encoder more
    {"llama-4-maverick", 400e9, 0.003},
    {"phi-4", 14'659'507'200, 0},
    {"mistral-7b", 7'248'023'552, 0},
    {"mixtral-8x22b", 140'620'634'112, 0},
    {"deepseek-v2-lite", 15'706'484'224, 0},
    {"gpt-3-2.7b", 2.7e9, 0.02},
    {"gpt-3-6.7b", 6.7e9, 0.01},
    {"gpt-3-13b", 12.9e9, 0.005},
    // biases of queries, keys and values
    {"qwen2.5-7b", 7'615'616'512 - 129'024, 0},
    {"qwen2.5-14b", 14'770'033'664 - 344'064, 0},
    {"qwen2.5-32b", 32'763'876'352 - 458'752, 0},
    {"qwen2.5-72b", 72'706'203'648 - 819'200, 0},
    // norms of queries and keys
    {"qwen3-0.6b", 596'049'920 - 7'168, 0},
    {"qwen3-1.7b", 1'720'574'976 - 7'168, 0},
    {"qwen3-4b", 4'022'468'096 - 9'216, 0},
    {"qwen3-8b", 8'190'735'360 - 9'216, 0},
    {"qwen3-14b", 14'768'307'200 - 10'240, 0},
    {"qwen3-32b", 32'762'123'264 - 16'384, 0},
    {"qwen3-235b-a22b", 235'093'634'560 - 24'064, 0},
    // a second norm behind each block, in Gemma 3 norms of queries and keys too
    {"gemma-2-2b", 2'614'341'888 - 119'808, 0},
    {"gemma-2-9b", 9'241'705'984 - 301'056, 0},
    {"gemma-2-27b", 27'227'128'320 - 423'936, 0},
    {"gemma-3-4b", 3'880'263'168 - 191'488, 0},
    {"gemma-3-12b", 11'766'034'176 - 393'216, 0},
    {"gemma-3-27b", 27'009'346'304 - 682'496, 0},
    // attention sinks; their norms have no biases
    {"gpt-oss-20b", 20'914'757'184 - 1'536 + 141'120, 0},
    {"gpt-oss-120b", 116'829'156'672 - 2'304 + 210'240, 0},
    // corrections of the router
    {"deepseek-r1", 671'026'419'200 - 14'848, 0},
    {"kimi-k2", 1'026'408'232'448 - 23'040, 0},
    {"glm-4.5", 355e9, 0.01},
    {"glm-4.5-air", 106e9, 0.01},
};

TEST(Transformer, HasThePublishedNumberOfParameters) {
  for (const PublishedCount& published : kPublished) {
    const auto counted = static_cast<double>(num_parameters(model_named(published.name)));
    EXPECT_NEAR(counted / published.parameters, 1.0, published.tolerance) << published.name;
  }
}

/// Equation 2 of [@narayanan2021megatron], and the billions of its Table 1.
TEST(Transformer, CountsTheGptsOfMegatronByTheirFormula) {
  const std::pair<const char*, double> billions[] = {
      {"gpt-1.7b", 1.7},   {"gpt-3.6b", 3.6}, {"gpt-7.5b", 7.5},   {"gpt-18b", 18.4},
      {"gpt-39b", 39.1},   {"gpt-76b", 76.1}, {"gpt-145b", 145.6}, {"gpt-310b", 310.1},
      {"gpt-530b", 529.6}, {"gpt-1t", 1008.0}};
  for (const auto& [name, published] : billions) {
    const Transformer gpt = model_named(name);
    const double l = gpt.num_layers;
    const double h = gpt.hidden_size;
    const double formula =
        12 * l * h * h * (1 + 13 / (12 * h) + (51200.0 + 2048) / (12 * l * h)) + 2 * h;
    EXPECT_NEAR(static_cast<double>(num_parameters(gpt)) / formula, 1.0, 1e-12) << name;
    EXPECT_NEAR(formula / 1e9, published, std::max(0.05, 0.01 * published)) << name;
  }
}

/// The checkpoint has a second embedding and head in its module, biases of queries, keys and
/// values, corrections of the router and, in the larger one, norms of queries and keys.
TEST(Transformer, CountsTheModuleOfMultiTokenPrediction) {
  const auto with_module = [](const std::string& name) {
    Transformer glm = model_named(name);
    glm.mtp_layers = 1;
    return num_parameters(glm) + 2 * embedding_parameters(glm);
  };
  EXPECT_EQ(with_module("glm-4.5"), 358'337'791'296 - 1'371'456);
  EXPECT_EQ(with_module("glm-4.5-air"), 110'468'824'832 - 679'680);
}

/// Two of six layers have experts in either; Maverick's card says 17 billion of 400.
TEST(Transformer, EveryLastLayerOfAGroupHasExperts) {
  const auto kinds = [](int dense, int every) {
    Transformer model = model_named("mixtral-8x7b");
    model.num_layers = 6;
    model.experts->dense_layers = dense;
    model.experts->every = every;
    std::string letters;
    for (int layer = 0; layer < model.num_layers; ++layer) {
      letters += layer_kind(model, layer) == LayerKind::kExperts ? 'E' : '-';
    }
    EXPECT_EQ(layers_with_experts(model), std::ranges::count(letters, 'E'));
    return letters;
  };
  EXPECT_EQ(kinds(0, 1), "EEEEEE");
  EXPECT_EQ(kinds(0, 3), "--E--E");
  EXPECT_EQ(kinds(2, 2), "---E-E");
  EXPECT_EQ(layers_with_experts(model_named("llama-4-maverick")), 24);
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("llama-4-maverick"))), 17e9,
              0.3e9);
}

TEST(Transformer, CountsWhatATokenPassesOfTheExperts) {
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("mixtral-8x7b"))), 12.9e9,
              0.05e9);
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("dbrx"))), 36e9, 0.6e9);
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("deepseek-v3"))), 37e9, 0.6e9);
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("qwen3-235b-a22b"))), 22e9,
              0.5e9);
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("mixtral-8x22b"))), 39e9,
              0.6e9);
  EXPECT_NEAR(static_cast<double>(num_active_parameters(model_named("kimi-k2"))), 32.6e9, 0.5e9);
  EXPECT_EQ(num_active_parameters(model_named("llama-2-7b")),
            num_parameters(model_named("llama-2-7b")));
}

std::int64_t matrix_parameters(const Transformer& model, LayerKind kind, int tp = 1) {
  std::int64_t sum = 0;
  for (const Matrix& matrix : layer_matrices(model, kind, Slices{.tp = tp, .etp = tp}))
    sum += matrix.parameters();
  return sum;
}

TEST(Layers, CountEachMatrix) {
  const Transformer grouped = model_named("llama-2-70b");
  const std::int64_t q = 8192LL * 8192;
  const std::int64_t k = 8192LL * 1024;  // 8 of 64 heads of 128
  const std::int64_t ffn = 8192LL * 28672;
  EXPECT_EQ(matrix_parameters(grouped, LayerKind::kDense), q + 2 * k + q + 3 * ffn);
  EXPECT_EQ(layer_parameters(grouped, LayerKind::kDense), q + 2 * k + q + 3 * ffn + 16384);
  EXPECT_EQ(embedding_parameters(grouped), 32000LL * 8192);

  Transformer plain = grouped;
  plain.gated_ffn = false;
  EXPECT_EQ(
      matrix_parameters(grouped, LayerKind::kDense) - matrix_parameters(plain, LayerKind::kDense),
      ffn);
}

/// The attention parameters that DeepSeek-V3's shape gives, worked out by hand.
TEST(Layers, CountLatentAttention) {
  const Transformer deepseek = model_named("deepseek-v3");
  const std::int64_t queries = 7168LL * 1536 + 1536LL * 128 * (128 + 64);
  const std::int64_t keys_and_values = 7168LL * (512 + 64) + 512LL * 128 * (128 + 128);
  const std::int64_t attention = queries + keys_and_values + 128LL * 128 * 7168;
  EXPECT_EQ(attention, 187'105'280);
  EXPECT_EQ(matrix_parameters(deepseek, LayerKind::kDense), attention + 3 * 7168LL * 18432);
  EXPECT_EQ(matrix_parameters(deepseek, LayerKind::kExperts),
            attention + 7168LL * 256 + 257LL * 3 * 7168 * 2048);
}

TEST(Layers, AreDividedOverTensorRanksButForWhatEachRankNeedsWhole) {
  const Transformer llama = model_named("llama-3.1-8b");
  const std::int64_t whole = matrix_parameters(llama, LayerKind::kDense);
  EXPECT_EQ(8 * matrix_parameters(llama, LayerKind::kDense, 8), whole);
  // 16 ranks and 8 key-value heads: every head is held twice.
  EXPECT_EQ(16 * matrix_parameters(llama, LayerKind::kDense, 16), whole + 2 * 4096LL * 1024);
  // 10 key-value heads on 4 ranks: two of them hold 3.
  EXPECT_EQ(kv_heads_on_rank(model_named("phi-4"), 4), 3);
  const Transformer mixtral = model_named("mixtral-8x7b");
  const std::int64_t router = 4096LL * 8;
  EXPECT_EQ(8 * matrix_parameters(mixtral, LayerKind::kExperts, 8),
            matrix_parameters(mixtral, LayerKind::kExperts) + 7 * router);
}

TEST(Layers, HaveTheKindThatTheirPlaceSays) {
  const Transformer deepseek = model_named("deepseek-v3");
  EXPECT_EQ(layer_kind(deepseek, 2), LayerKind::kDense);
  EXPECT_EQ(layer_kind(deepseek, 3), LayerKind::kExperts);
  const Transformer t5 = model_named("t5-11b");
  EXPECT_EQ(layer_kind(t5, 23), LayerKind::kEncoder);
  EXPECT_EQ(layer_kind(t5, 24), LayerKind::kDecoder);
  EXPECT_EQ(total_layers(t5), 48);
}

TEST(Transformer, CountsATiedHeadOnce) {
  Transformer tied = model_named("llama-2-7b");
  tied.tied_embeddings = true;
  EXPECT_EQ(num_parameters(tied), 6'738'415'616 - 32000LL * 4096);
}

TEST(Transformer, TrainingWorkIsSixPerMatrixParameterAndTheAttention) {
  const Transformer m = model_named("llama-2-7b");
  // All parameters but the input embedding (a look-up) and the norms (65 of 4096).
  const double matrices = 6'738'415'616.0 - 32000.0 * 4096 - 65.0 * 4096;
  const double attention = 12.0 * 32 * 4096 * 4096;
  EXPECT_DOUBLE_EQ(training_work_per_token(m, 4096).base(), 6.0 * matrices + attention);
  const double longer = training_work_per_token(m, 8192).base();
  EXPECT_DOUBLE_EQ(longer - training_work_per_token(m, 4096).base(), attention);
}

TEST(Transformer, TrainingWorkOfExpertsIsOfThoseATokenPasses) {
  const Transformer mixtral = model_named("mixtral-8x7b");
  const double layer = 4096.0 * (4096 + 2 * 1024 + 4096) + 4096.0 * 8 + 2 * 3 * 4096.0 * 14336;
  const double matrices = 32 * layer + 32000.0 * 4096;
  EXPECT_DOUBLE_EQ(training_work_per_token(mixtral, 2048).base(),
                   6.0 * matrices + 12.0 * 32 * 4096 * 2048);
}

TEST(Training, CountsTheTokensOfAStep) {
  const auto checked = test::scenario();
  EXPECT_EQ(tokens_per_step(checked.scenario.workload), 144 * 4096);
}

}  // namespace
}  // namespace railwright::models
