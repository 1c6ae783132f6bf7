// SPDX-License-Identifier: Apache-2.0
// Recipes of NeMo 1 and 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "imported.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kNemo("nemo");

std::int64_t parameters_of_recipe(const importers::Imported& imported) {
  core::Reader reader;
  models::Transformer model;
  reader.read(find(imported, "workload.model")->value, "workload.model", model);
  reader.throw_if_any();
  return models::num_parameters(model);
}

TEST(ImportNemo, ReadsARecipeOfTheLauncher) {
  const auto imported = import_sample(kNemo, "nemo/llama2-70b.yaml");
  EXPECT_EQ(value(imported, "parallelism.tp"), "4");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "parallelism.virtual_stages"), "20");
  EXPECT_EQ(value(imported, "parallelism.sequence_parallel"), "true");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "4096");
  EXPECT_EQ(value(imported, "workload.steps"), "300000");
  EXPECT_EQ(value(imported, "cluster.nodes"), "16");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_EQ(value(imported, "software.bucket"), "125 MB");
  EXPECT_EQ(value(imported, "software.overlap_gradient_reduce"), "true");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "workload.model.num_layers"), "80");
  EXPECT_EQ(value(imported, "workload.model.num_kv_heads"), "8");
  EXPECT_EQ(value(imported, "workload.model.gated_ffn"), "true");
  EXPECT_TRUE(is_unknown(imported, "workload.model.vocabulary_size"));  // sentencepiece knows
  EXPECT_NE(not_expressed(imported).find("model.transformer_block_type"), std::string::npos);
}

TEST(ImportNemo, ResolvesReferences) {
  const auto imported = import_sample(kNemo, "nemo/gpt3-5b.yaml");
  // 24 layers of 4096, biases, tied, 2048 positions, vocabulary 51,200
  EXPECT_EQ(parameters_of_recipe(imported),
            std::int64_t{12} * 24 * 4096 * 4096 + std::int64_t{13} * 24 * 4096 +
                std::int64_t{51200 + 2048} * 4096 + std::int64_t{2} * 4096);
  EXPECT_EQ(value(imported, "software.recompute"), "selective");
  EXPECT_EQ(value(imported, "software.zero_stage"), "0");
  EXPECT_TRUE(is_unknown(imported, "cluster.node.num_accelerators"));
}

TEST(ImportNemo, ReadsWhatNemo2Writes) {
  const auto imported = import_sample(kNemo, "nemo/nemo-2-llama3-8b.yaml");
  EXPECT_EQ(value(imported, "workload.model"), "~llama-3.1-8b");
  EXPECT_EQ(value(imported, "workload.sequence_length"), "8192");
  EXPECT_EQ(value(imported, "parallelism.cp"), "2");
  EXPECT_EQ(value(imported, "software.gradient_reduce_bytes"), "4");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "cluster.node.num_accelerators"), "~8");
}

/// A recipe of NeMo 2 with a model of four layers of this class.
std::string recipe_of(const std::string& name) {
  return "model:\n  config: {_target_: nemo.collections.llm.gpt.model.x." + name +
         ", num_layers: 4, hidden_size: 4096, ffn_hidden_size: 14336, num_attention_heads: 32, "
         "num_query_groups: 8, vocab_size: 128256}\n"
         "trainer: {strategy: {tensor_model_parallel_size: 1}}\n";
}

importers::Imported import_class(const std::string& name) {
  return importers::import_text(kNemo, recipe_of(name), "recipe.yaml", {});
}

// nemo_toolkit 2.2.1: what a class does unless told. A layer has 2 * 4096^2 + 2 * 4096 * 1024
// weights of attention and two or three of 4096 * 14336, each norm 4096 and with biases twice that.
TEST(ImportNemo, TakesTheDefaultsOfTheClass) {
  constexpr std::int64_t kAttention = 2 * 4096 * 4096 + 2 * 4096 * 1024;
  constexpr std::int64_t kMatrix = std::int64_t{4096} * 14336;
  constexpr std::int64_t kEmbedding = std::int64_t{128256} * 4096;
  const auto llama = import_class("Llama32Config3B");
  EXPECT_EQ(parameters_of_recipe(llama),
            4 * (kAttention + 3 * kMatrix + std::int64_t{2} * 4096) + 2 * kEmbedding + 4096);
  EXPECT_EQ(value(llama, "software.dropout"), "false");
  const auto gemma = import_class("GemmaConfig7B");
  EXPECT_EQ(parameters_of_recipe(gemma),
            4 * (kAttention + 3 * kMatrix + std::int64_t{2} * 4096) + kEmbedding + 4096);
  const auto nemotron = import_class("Nemotron3Config4B");
  EXPECT_EQ(value(nemotron, "software.dropout"), "false");
  EXPECT_LT(parameters_of_recipe(nemotron),
            parameters_of_recipe(llama) - 4 * kMatrix + std::int64_t{5} * 4096 * 2);
  // GPTConfig: tied, dropout of 0.1, matrices with biases.
  const auto gpt = import_class("GPTConfig20B");
  EXPECT_NE(value(gpt, "software.dropout"), "false");
  EXPECT_GT(parameters_of_recipe(gpt), 4 * (kAttention + 2 * kMatrix) + kEmbedding);
  EXPECT_LT(parameters_of_recipe(gpt), 4 * (kAttention + 2 * kMatrix) + 2 * kEmbedding);
}

TEST(ImportNemo, Refuses) {
  EXPECT_NE(refusal(kNemo, "trainer: {a: 1}\nmodel: {b: 2}\n").find("no recipe of NeMo"),
            std::string::npos);
  EXPECT_NE(refusal(kNemo, "model: {num_layers: [1], micro_batch_size: -3}\n")
                .find("micro_batch_size: expected a whole number"),
            std::string::npos);
  EXPECT_NE(refusal(kNemo, "a: &a [*a]\n"), "");
}

/// A model of NeMo 1 whose layers are not recomputed, and these further keys.
std::string nemo_recipe(const std::string& more) {
  return "trainer: {num_nodes: 4, devices: 8, precision: bf16}\n"
         "model:\n  micro_batch_size: 1\n  global_batch_size: 64\n"
         "  tensor_model_parallel_size: 2\n  pipeline_model_parallel_size: 1\n" +
         more;
}
constexpr auto kNemoShape =
    "  encoder_seq_length: 2048\n  num_layers: 8\n  hidden_size: 1024\n"
    "  ffn_hidden_size: 2816\n  num_attention_heads: 16\n";

TEST(ImportNemo, RefusesRecipesOfOtherModels) {
  for (const char* mark :
       {"unet_config: {_target_: diffusion.UNet, model_channels: 192}", "img_h: 336",
        "vision: {patch_dim: 14, num_layers: 24}", "bert_binary_head: true"}) {
    const std::string told =
        refusal(kNemo, nemo_recipe(kNemoShape) + "  " + std::string(mark) + "\n");
    EXPECT_NE(told.find("no recipe of a language model but of "), std::string::npos)
        << mark << told;
  }
  EXPECT_NE(refusal(kNemo,
                    "trainer: {strategy: {tensor_model_parallel_size: 2}}\n"
                    "model: {config: {_target_: nemo.collections.diffusion.models.model.DiT}}\n")
                .find("nemo.collections.diffusion"),
            std::string::npos);
  // Nothing but a batch, or the trainer alone.
  EXPECT_NE(refusal(kNemo,
                    "trainer: {devices: 8}\nmodel: {micro_batch_size: 8, global_batch_size: 512}\n")
                .find("neither model.num_layers and model.hidden_size nor a parallelism"),
            std::string::npos);
  EXPECT_NE(refusal(kNemo, "trainer: {devices: 8, num_nodes: 2}\nmodel: {loss: mse}\n"), "");
}

TEST(ImportNemo, ReadsAdapters) {
  const auto of = [](const std::string& peft) {
    return importers::import_text(kNemo,
                                  "trainer: {num_nodes: 1, devices: 8, precision: bf16}\n"
                                  "model:\n  micro_batch_size: 1\n  global_batch_size: 8\n"
                                  "  tensor_model_parallel_size: 2\n  peft: " +
                                      peft,
                                  "file");
  };
  const auto lora = of("{peft_scheme: lora, lora_tuning: {adapter_dim: 32}}\n");
  EXPECT_EQ(value(lora, "workload.lora.rank"), "32");
  EXPECT_EQ(value(lora, "workload.lora.targets"), "~qkv");
  EXPECT_EQ(value(of("{peft_scheme: null}\n"), "workload.lora.rank"), "absent");
  EXPECT_TRUE(is_unknown(of("{peft_scheme: ia3}\n"), "workload"));
}

TEST(ImportNemo, SaysWhichModelItDoesNotKnow) {
  const auto tuned = importers::import_text(
      kNemo, nemo_recipe("  restore_from_path: /models/one.nemo\n"), "recipe.yaml", {});
  EXPECT_EQ(value(tuned, "parallelism.tp"), "2");
  EXPECT_TRUE(is_unknown(tuned, "workload.model"));
  const auto both = importers::import_text(
      kNemo, nemo_recipe("  encoder: {num_layers: 4}\n  decoder: {num_layers: 4}\n"), "x", {});
  EXPECT_TRUE(is_unknown(both, "workload.model"));
}

TEST(ImportNemo, TakesNoLayersOfRecomputeWithoutRecompute) {
  const auto none = importers::import_text(kNemo,
                                           nemo_recipe(kNemoShape) +
                                               "  activations_checkpoint_granularity: null\n"
                                               "  activations_checkpoint_num_layers: 0\n",
                                           "recipe.yaml", {});
  EXPECT_EQ(value(none, "workload.model.num_layers"), "8");
  EXPECT_EQ(value(none, "software.recompute_layers"), "absent");
  EXPECT_NE(refusal(kNemo, nemo_recipe(kNemoShape) + "  activations_checkpoint_granularity: full\n"
                                                     "  activations_checkpoint_num_layers: 0\n")
                .find("model.activations_checkpoint_num_layers"),
            std::string::npos);
}

TEST(ImportNemo, AssumesNoDegreeThatComesFromOutside) {
  const auto imported = importers::import_text(
      kNemo,
      "trainer: {num_nodes: 4}\nmodel:\n  tensor_model_parallel_size: ${oc.env:TP}\n"
      "  pipeline_model_parallel_size: ???\n" +
          std::string(kNemoShape),
      "recipe.yaml", {});
  EXPECT_EQ(value(imported, "parallelism.tp"), "absent");
  EXPECT_EQ(value(imported, "parallelism.pp"), "absent");
  EXPECT_TRUE(is_unknown(imported, "model.tensor_model_parallel_size"));
  EXPECT_TRUE(std::ranges::any_of(imported.not_known, &importers::NotKnown::is_outside));
}

/// What NeuronX says in its own words is not taken for what NeMo would assume.
TEST(ImportNemo, ReadsPrecisionAndAdaptersOfNeuronX) {
  const auto with = [](const std::string& more) {
    return importers::import_text(kNemo,
                                  "trainer: {num_nodes: 4}\ndistributed_strategy: "
                                  "{tensor_model_parallel_size: 8}\n" +
                                      more + "model:\n" + std::string(kNemoShape),
                                  "recipe.yaml", {});
  };
  const auto manual = with("precision: {type: manual}\n");
  EXPECT_EQ(value(manual, "software.precision"), "absent");
  EXPECT_TRUE(is_unknown(manual, "software.precision"));
  const auto adapters = with(
      "precision: {type: mixed_precision}\nmodel_alignment_strategy: {peft: {lora_rank: 16, "
      "target_modules: [qkv_proj]}}\n");
  EXPECT_EQ(value(adapters, "workload.lora.rank"), "16");
  EXPECT_EQ(value(adapters, "workload.lora.targets"), "qkv");
  const auto preference =
      with("precision: {type: fp32}\ndata: {alignment_strategy: {dpo: {beta: 0.1}}}\n");
  EXPECT_TRUE(is_unknown(preference, "workload"));
}

/// Its parallelism stands apart from the model, and says more than NeMo's own keys.
TEST(ImportNemo, ReadsARecipeOfNeuronX) {
  const auto imported = import_sample(kNemo, "nemo/neuronx-llama-7b.yaml");
  EXPECT_EQ(value(imported, "parallelism.tp"), "8");
  EXPECT_EQ(value(imported, "parallelism.pp"), "4");
  EXPECT_EQ(value(imported, "parallelism.sequence_parallel"), "true");
  EXPECT_EQ(value(imported, "cluster.nodes"), "2");
  EXPECT_EQ(value(imported, "workload.model.num_kv_heads"), "8");
  EXPECT_EQ(value(imported, "workload.model.biases"), "false");
  EXPECT_EQ(value(imported, "software.zero_stage"), "1");
  EXPECT_EQ(value(imported, "software.precision"), "bf16");
  EXPECT_EQ(value(imported, "software.recompute"), "selective");
  EXPECT_TRUE(is_unknown(imported, "software"));  // no profile of it
}

}  // namespace
}  // namespace railwright::test
