// SPDX-License-Identifier: Apache-2.0
// Kinds of mixers: parameters, operations, caches and shards of layers of published models, worked
// out by hand, and what must be true of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../support/scenario.hpp"
#include "../contract/entries.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"

namespace railwright::models {
namespace {

/// Returns a model of one block of `mixer` alone.
Transformer one_block(int hidden, int heads, const Mixer& mixer) {
  Transformer model;
  model.num_layers = 1;
  model.layer_pattern = "a";
  model.hidden_size = hidden;
  model.num_heads = model.num_kv_heads = heads;
  model.head_size = 128;
  model.ffn_size = 64;
  model.vocabulary_size = 64;
  model.mixers = {mixer};
  return model;
}

Mixer of_kind(std::string_view kind) { return {.kind = core::Row<MixerKind>(kind)}; }

/// Returns the published layer of each kind, or one like it.
std::vector<Transformer> blocks() {
  Mixer window = of_kind("attention");
  window.num_kv_heads = 8;
  window.window = 1024;
  window.gate = OutputGate::kElements;
  Mixer latent = of_kind("latent");
  latent.kv_rank = 512;
  latent.query_rank = 1536;
  latent.rope_size = 64;
  latent.gate = OutputGate::kHeads;
  Mixer sparse = latent;
  sparse.kind = core::Row<MixerKind>("sparse");
  sparse.index_heads = 64;
  sparse.index_size = 128;
  sparse.chosen_keys = 2048;
  Mixer few = of_kind("compressed");
  few.query_rank = 1024;
  few.head_size = 512;
  few.window = 128;
  few.output_groups = 8;
  few.output_rank = 1024;
  few.ratio = 4;
  few.index_heads = 64;
  few.index_size = 128;
  few.chosen_keys = 512;
  Mixer many = few;
  many.ratio = 128;
  many.index_heads = many.index_size = many.chosen_keys = 0;
  Mixer block = of_kind("block_sparse");
  block.num_kv_heads = 8;
  block.index_heads = 8;
  block.index_size = 128;
  block.chosen_keys = 2048;
  Mixer delta = of_kind("gated_delta_net");
  delta.num_kv_heads = 16;
  Mixer kda = of_kind("kimi_delta");
  kda.step_rank = kda.gate_rank = 128;
  kda.gate = OutputGate::kElements;
  Mixer lightning = of_kind("lightning");
  lightning.gate = OutputGate::kElements;
  Mixer mamba2 = of_kind("mamba2");
  mamba2.state_size = 128;
  mamba2.num_groups = 8;
  Mixer mamba1 = of_kind("mamba1");
  mamba1.state_size = 16;
  mamba1.step_rank = 256;
  std::vector<Transformer> models;
  for (const Mixer& mixer :
       {window, latent, sparse, few, many, block, delta, kda, lightning, mamba2, mamba1}) {
    models.push_back(one_block(4096, 64, mixer));
  }
  return models;
}

constexpr LayerKind kBlock = layer_of_mixer(0, BehindMixer::kNothing);

TEST(Mixers, EveryKindIsHere) {
  const std::vector<Transformer> models = blocks();
  for (const MixerKind& kind : MixerKind::table()) {
    EXPECT_TRUE(std::ranges::any_of(models, [&](const Transformer& model) {
      return model.mixers.front().kind->name == kind.name;
    })) << kind.name;
  }
}

TEST(Mixers, AreConsistentAndDivide) {
  for (const Transformer& model : blocks()) {
    SCOPED_TRACE(model.mixers.front().kind->name);
    EXPECT_TRUE(find_problems(model).empty());
    const auto whole = static_cast<double>(layer_parameters(model, kBlock));
    for (const int tp : {2, 4, 8}) {
      const auto part = static_cast<double>(layer_parameters(model, kBlock, {.tp = tp, .etp = tp}));
      EXPECT_GE(part * tp, whole);  // narrow matrices and norms are on every rank
      EXPECT_LT(part, whole);
    }
  }
}

TEST(Mixers, CachesGrowWithTheSequenceAndStatesDoNot) {
  for (const Transformer& model : blocks()) {
    SCOPED_TRACE(model.mixers.front().kind->name);
    const auto bytes = [&](double tokens) {
      return kept_tokens(model, tokens) *
             kv_cache_per_token(model, 1, core::Precision::kBf16).base();
    };
    EXPECT_GT(bytes(1.0), 0.0);
    EXPECT_GE(bytes(100'000.0), bytes(10'000.0));
    const Mixer mixer = mixer_of(model, kBlock);
    const bool has_end = mixer.kind->is_state || (mixer.window > 0 && mixer.ratio == 1);
    EXPECT_EQ(bytes(200'000.0) == bytes(100'000.0), has_end);
  }
}

TEST(Mixers, AllButFullOnesHaveFewOperationsOnLongSequences) {
  const auto work = [](const Transformer& model, int tokens) {
    return forward_work_per_token(model, tokens).attention.base();
  };
  const std::vector<Transformer> models = blocks();
  const auto full = std::ranges::find_if(
      models, [](const Transformer& model) { return model.mixers.front().kind->name == "latent"; });
  ASSERT_NE(full, models.end());
  EXPECT_EQ(work(*full, 131'072), 2.0 * work(*full, 65'536));
  for (const Transformer& model : models) {
    if (&model == &*full) continue;
    SCOPED_TRACE(model.mixers.front().kind->name);
    EXPECT_LT(work(model, 131'072), 0.5 * work(*full, 131'072));
    EXPECT_GE(work(model, 131'072), work(model, 65'536));
    EXPECT_EQ(work(model, 131'072) == 0.0, mixer_of(model, kBlock).kind->is_state);
  }
}

TEST(Mixers, MeanOfKeysIsTheMeanOverTokens) {
  MixerKernel kernel{.window = 100, .ratio = 4, .chosen = 50};
  const auto by_tokens = [&](int from, int to) {
    double sum = 0.0;
    for (int token = from + 1; token <= to; ++token) sum += kernel.attended(token);
    return sum / (to - from);
  };
  for (const auto& [from, to] : {std::pair{0, 80}, {0, 1000}, {150, 160}, {500, 900}}) {
    EXPECT_NEAR(mean_attended(kernel, from, to), by_tokens(from, to), 0.7) << from << " " << to;
  }
  kernel = {.chosen = 64};
  EXPECT_NEAR(mean_attended(kernel, 0, 1000), by_tokens(0, 1000), 0.5);
  kernel = {};
  EXPECT_NEAR(mean_attended(kernel, 0, 1000), by_tokens(0, 1000), 0.51);
}

TEST(Mixers, GatedDeltaNetOfQwen3Next) {
  Mixer mixer = of_kind("gated_delta_net");
  mixer.num_heads = 32;
  mixer.num_kv_heads = 16;
  const Transformer model = one_block(2048, 16, mixer);
  // Queries and keys of 2,048, values and gate of 4,096, two numbers of 32 heads; the output.
  const std::int64_t matrices = 2048LL * (2 * 2048 + 2 * 4096 + 2 * 32) + 4096LL * 2048;
  // A convolution of 4 over 8,192, a decay and a step bias a head, and a norm of 128.
  const std::int64_t vectors = 4LL * 8192 + 2LL * 32 + 128;
  EXPECT_EQ(layer_parameters(model, kBlock), matrices + vectors + 2048);
  // Seven operations for each of 32 x 128 x 128 numbers.
  EXPECT_EQ(forward_work_per_token(model, 4096).layers.base(),
            2.0 * static_cast<double>(matrices) + 7.0 * 32 * 128 * 128);
  // The state in fp32 and three tokens of the convolution's input.
  EXPECT_EQ(kv_cache_per_token(model, 1, core::Precision::kBf16).base(),
            4.0 * 32 * 128 * 128 + 2.0 * 3 * 8192);
}

TEST(Mixers, SparseAttentionOfDeepSeekV32) {
  Mixer mixer = of_kind("sparse");
  mixer.query_rank = 1536;
  mixer.kv_rank = 512;
  mixer.rope_size = 64;
  mixer.index_heads = 64;
  mixer.index_size = 128;
  mixer.chosen_keys = 2048;
  const Transformer model = one_block(7168, 128, mixer);
  const std::int64_t latent =
      7168LL * 1536 + 1536LL * 128 * 192 + 7168LL * 576 + 512LL * 128 * 256 + 128LL * 128 * 7168;
  const std::int64_t indexer = 1536LL * 64 * 128 + 7168LL * (128 + 64);
  const std::int64_t vectors = 1536 + 512 + 2 * 128 + 7168;
  EXPECT_EQ(layer_parameters(model, kBlock), latent + indexer + vectors);
  // Scores of all keys in 64 heads of 128, then 2,048 keys in 128 heads of 576 and 512.
  EXPECT_EQ(forward_work_per_token(model, 65'536).attention.base(),
            2.0 * 64 * 128 * 65'536 + 2.0 * 128 * (576 + 512) * 2048);
  // 576 numbers, and a key of the indexer in fp8 with its scale.
  EXPECT_EQ(kv_cache_per_token(model, 1, core::Precision::kBf16).base(), 2.0 * 576 + 132);
}

/// The report's claim: at a million tokens a tenth of the cache of DeepSeek-V3.2, which keeps 576
/// numbers and an index key a layer. [@deepseek_v4]
TEST(Mixers, CompressedAttentionKeepsATenth) {
  const auto model = test::entry<Model>(test::catalogue(), "deepseek-v4-pro");
  const auto before = test::entry<Model>(test::catalogue(), "deepseek-v3.2");
  const auto bytes = [](const Model& of) {
    const Transformer& transformer = std::get<Transformer>(of);
    return kept_tokens(transformer, 1e6) *
           kv_cache_per_token(transformer, 1, core::Precision::kFp8).base();
  };
  EXPECT_NEAR(bytes(model) / bytes(before), 0.10, 0.03);
}

double layer_seconds(const std::string& mixer, int tokens) {
  const auto checked =
      test::scenario({"workload.model={model: llama-3.1-8b, mixers: [" + mixer + "]}",
                      "workload.sequence_length=" + std::to_string(tokens),
                      "workload.global_batch=64", "parallelism.tp=1", "parallelism.pp=1",
                      "cluster.nodes=1", "cluster.node.accelerator.memory=1 TB"});
  const ComputeModel costs(checked.scenario.cluster.node.accelerator, checked.scenario.workload,
                           checked.layout, checked.scenario.software, 1.0);
  const PassCost& layer = costs.layer(layer_of_mixer(0, BehindMixer::kFeedForward));
  EXPECT_GT(layer.backward.total(), layer.forward.total());
  return layer.forward.total().base();
}

TEST(Mixers, TrainInTimesThatGrowAsTheirOperations) {
  const std::string delta = "{kind: gated_delta_net, num_heads: 32, num_kv_heads: 16}";
  const std::string sparse =
      "{kind: sparse, query_rank: 1024, kv_rank: 512, rope_size: 64, index_heads: 16, index_size: "
      "64, chosen_keys: 1024}";
  const double of_delta = layer_seconds(delta, 65'536) / layer_seconds(delta, 16'384);
  const double of_full =
      layer_seconds("{kind: attention}", 65'536) / layer_seconds("{kind: attention}", 16'384);
  const double of_sparse = layer_seconds(sparse, 65'536) / layer_seconds(sparse, 16'384);
  EXPECT_NEAR(of_delta, 4.0, 0.2);
  EXPECT_GT(of_full, 6.0);
  EXPECT_LT(of_sparse, of_full);
  EXPECT_GT(of_sparse, of_delta);
}

TEST(Mixers, OwnAttentionAndThatOfTheListAreOne) {
  EXPECT_EQ(layer_seconds("{kind: attention}", 8192), [] {
    const auto checked =
        test::scenario({"workload.model=llama-3.1-8b", "workload.sequence_length=8192",
                        "workload.global_batch=64", "parallelism.tp=1", "parallelism.pp=1",
                        "cluster.nodes=1", "cluster.node.accelerator.memory=1 TB"});
    const ComputeModel costs(checked.scenario.cluster.node.accelerator, checked.scenario.workload,
                             checked.layout, checked.scenario.software, 1.0);
    return costs.layer(LayerKind::kDense).forward.total().base();
  }());
}

TEST(Mixers, ContradictionsHaveTheirKeys) {
  const auto problems = [](const std::string& keys) {
    std::string all;
    const auto checked = test::scenario({});
    Transformer model = transformer_of(checked.scenario.workload);
    Mixer mixer = of_kind(keys);
    model.mixers = {mixer};
    model.mixer_pattern = "a*b";
    for (const core::Problem& problem : find_problems(model)) {
      all += problem.key + ": " + problem.message + "\n";
    }
    return all;
  };
  EXPECT_EQ(problems("attention"), "mixer_pattern: letters other than * and those of `mixers`\n");
  EXPECT_NE(problems("sparse").find("mixers[0].kv_rank: latent attention needs"),
            std::string::npos);
  EXPECT_NE(problems("mamba1").find("mixers[0].state_size"), std::string::npos);
}

TEST(Mixers, RefuseWhatDoesNotDivide) {
  const auto with = [](const test::Settings& more) {
    test::scenario(test::join(
        {"workload.model={model: llama-3.1-8b, mixers: [{kind: gated_delta_net, num_heads: 4, "
         "num_kv_heads: 2}]}"},
        more));
  };
  EXPECT_NO_THROW(with({"parallelism.tp=2"}));
  EXPECT_THROW(with({"parallelism.tp=4"}), core::ConfigError);
  EXPECT_THROW(with({"parallelism.cp=2", "parallelism.tp=1"}), core::ConfigError);
}

/// Experts between vectors of 1,024 are sent a quarter of the bytes, and have a quarter of the
/// parameters; two matrices more make and take these vectors.
TEST(Mixers, ExpertsBetweenNarrowVectors) {
  Transformer model = std::get<Transformer>(test::entry<Model>(test::catalogue(), "mixtral-8x7b"));
  const std::int64_t wide = expert_parameters(model, LayerKind::kExperts);
  const std::int64_t before = layer_parameters(model, LayerKind::kExperts);
  model.experts->latent_size = 1024;
  EXPECT_EQ(4 * expert_parameters(model, LayerKind::kExperts), wide);
  EXPECT_EQ(layer_parameters(model, LayerKind::kExperts),
            before - wide * 3 / 4 + 2LL * 4096 * 1024);
}

}  // namespace
}  // namespace railwright::models
