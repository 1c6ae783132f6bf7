// SPDX-License-Identifier: Apache-2.0
// Parameters of published checkpoints, as their model cards and indexes of tensors give them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "../support/scenario.hpp"
#include "imported.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kHuggingFace("hugging-face");

models::Transformer model_of(const importers::Imported& imported) {
  core::Reader reader;
  models::Transformer model;
  reader.read(find(imported, "workload.model")->value, "workload.model", model);
  reader.throw_if_any();
  return model;
}

/// The 27 layers and four mergers of Qwen3-VL 8B: 576,4 million parameters, worked out beside the
/// model's description.
TEST(ImportHuggingFace, ReadsAnEncoderOfImages) {
  const std::string text =
      R"({"text_config": {"model_type": "qwen3_vl_text", "hidden_size": 4096, )"
      R"("intermediate_size": 12288, "num_attention_heads": 32, "num_hidden_layers": 36, )"
      R"("num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936}, )";
  const std::string vision =
      R"("vision_config": {"deepstack_visual_indexes": [8, 16, 24], "depth": 27, )"
      R"("hidden_size": 1152, "intermediate_size": 4304, "num_heads": 16, )"
      R"("num_position_embeddings": 2304, "patch_size": 16, "spatial_merge_size": 2, )"
      R"("temporal_patch_size": 2)";
  const auto imported = importers::import_text(kHuggingFace, text + vision + "}}", "config.json");
  const models::Transformer model = model_of(imported);
  ASSERT_TRUE(model.image_encoder);
  EXPECT_EQ(model.image_encoder->merge, 2);
  EXPECT_EQ(model.image_encoder->mergers, 4);
  EXPECT_NEAR(1e-9 * static_cast<double>(models::num_parameters(model)), 8.767, 0.001);
  EXPECT_EQ(not_expressed(imported).find("vision_config"), std::string::npos);
  const auto windows = importers::import_text(
      kHuggingFace, text + vision + R"(, "window_size": 112}})", "config.json");
  EXPECT_FALSE(model_of(windows).image_encoder);
  EXPECT_NE(not_expressed(windows).find("vision_config"), std::string::npos);
  // Kimi K3's heads are wider than their share of the encoder.
  const auto wide = importers::import_text(
      kHuggingFace, text + vision + R"(, "qkv_hidden_size": 1536}})", "config.json");
  EXPECT_FALSE(model_of(wide).image_encoder);
  EXPECT_NE(not_expressed(wide).find("vision_config"), std::string::npos);
}

struct Published {
  const char* name;
  std::int64_t parameters;
  std::int64_t short_by;  ///< of these, what the description has no place for
};

void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

class Parameters : public testing::TestWithParam<Published> {};

TEST_P(Parameters, AreThoseOfTheCheckpoint) {
  const auto imported =
      import_sample(kHuggingFace, std::string("hugging_face/") + GetParam().name + ".json");
  EXPECT_EQ(models::num_parameters(model_of(imported)),
            GetParam().parameters - GetParam().short_by);
  const std::string said = not_expressed(imported);
  const std::string gap = std::to_string(GetParam().short_by) + " of " +
                          std::to_string(GetParam().parameters) + " parameters";
  EXPECT_EQ(said.find(gap) != std::string::npos, GetParam().short_by != 0) << said;
}

INSTANTIATE_TEST_SUITE_P(
    HuggingFace, Parameters,
    testing::Values(Published{"llama-2-7b", 6'738'415'616, 0},
                    Published{"llama-3-8b", 8'030'261'248, 0},
                    Published{"llama-3-70b", 70'553'706'496, 0},
                    Published{"mistral-7b-v0.1", 7'241'732'096, 0},
                    Published{"mixtral-8x7b-v0.1", 46'702'792'704, 0},
                    Published{"gpt2", 124'439'808, 0}, Published{"gpt-neox-20b", 20'554'567'680, 0},
                    // the bias of the last norm
                    Published{"falcon-7b", 6'921'720'704, 4544},
                    // biases of queries, keys and values: 28 layers of 3584 + 2 * 512
                    Published{"qwen2-7b", 7'615'616'512, 129'024},
                    Published{"gemma-2-9b", 9'241'705'984, 301'056},
                    Published{"gemma-3-12b", 11'766'034'176, 393'216},  // the text model
                    Published{"gpt-oss-120b", 116'829'156'672, -207'936},
                    Published{"kimi-k2", 1'026'408'232'448, 23'040}));

TEST(ImportHuggingFace, LeavesNothingOfAModelBeneath) {
  const auto imported = import_sample(kHuggingFace, "hugging_face/llama-2-7b.json");
  const core::Node base = core::parse_yaml("{workload: {model: deepseek-v3}}", "base");
  core::Node patch = core::parse_yaml("{workload: {model: null}}", "patch");
  patch.find("workload")->find("model")->operator=(find(imported, "workload.model")->value);
  const core::Node both = core::overlay(base, patch);
  const core::Node* model = both.find("workload")->find("model");
  EXPECT_EQ(model->find("experts")->kind, core::Node::Kind::kNull);
  EXPECT_EQ(model->find("latent_attention")->kind, core::Node::Kind::kNull);
  EXPECT_EQ(model->find("num_heads")->text, "32");
}

/// The models that the catalogue has too, by its entry.
TEST(ImportHuggingFace, ReadsTheModelsOfTheCatalogue) {
  for (const char* name :
       {"gemma-2-9b", "gemma-3-12b", "glm-4.5", "gpt-oss-120b", "kimi-k2", "llama-4-maverick"}) {
    const auto read =
        model_of(import_sample(kHuggingFace, fmt::format("hugging_face/{}.json", name)));
    const auto known = models::transformer_of(
        scenario({fmt::format("workload.model={}", name), "parallelism.tp=1"}).scenario.workload);
    EXPECT_EQ(models::num_parameters(read), models::num_parameters(known)) << name;
    EXPECT_EQ(models::layers_by_kind(read), models::layers_by_kind(known)) << name;
    EXPECT_EQ(read.query_key_norm, known.query_key_norm) << name;
    EXPECT_EQ(models::forward_work_per_token(read, 32768).attention.base(),
              models::forward_work_per_token(known, 32768).attention.base())
        << name;
  }
}

TEST(ImportHuggingFace, ReadsTheTextModelBesideAnImageEncoder) {
  const auto imported = import_sample(kHuggingFace, "hugging_face/llama-4-maverick.json");
  EXPECT_EQ(models::layers_with_experts(model_of(imported)), 24);
  EXPECT_NE(not_expressed(imported).find("vision_config"), std::string::npos);
}

TEST(ImportHuggingFace, SaysWhatItDoesNotTell) {
  const auto imported = import_sample(kHuggingFace, "hugging_face/mistral-7b-v0.1.json");
  EXPECT_TRUE(is_unknown(imported, "workload.sequence_length"));
  EXPECT_TRUE(is_unknown(imported, "workload.global_batch"));
  EXPECT_EQ(not_expressed(imported).find("sliding_window"), std::string::npos);
  EXPECT_EQ(find(imported, "workload.model")->value.find("local_attention")->find("window")->text,
            "4096");
  const auto qwen = import_sample(kHuggingFace, "hugging_face/qwen2-7b.json");
  EXPECT_EQ(not_expressed(qwen).find("sliding_window"), std::string::npos);  // switched off
}

TEST(ImportHuggingFace, RefusesWhatItCannotRead) {
  EXPECT_NE(
      refusal(kHuggingFace, R"({"model_type": "mamba"})").find("no model type 'mamba' is known"),
      std::string::npos);
  const std::string all = refusal(kHuggingFace, R"({"model_type": "llama",
  "num_hidden_layers": 1e30, "hidden_size": -1})");
  EXPECT_NE(all.find("file:2:24: workload.model.num_layers"), std::string::npos) << all;
  EXPECT_NE(all.find("file:2:45: workload.model.hidden_size"), std::string::npos) << all;
  EXPECT_NE(all.find("missing key 'ffn_size'"), std::string::npos) << all;
  EXPECT_NE(refusal(kHuggingFace, R"({"model_type": "llama",)"), "");
  EXPECT_NE(refusal(kHuggingFace, "[1, 2]"), "");
  EXPECT_NE(refusal(kHuggingFace, std::string_view("\x7f\x45LF\0\0", 6)), "");
  EXPECT_NE(
      refusal(kHuggingFace, R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 100,
      "num_attention_heads": 3, "intermediate_size": 4, "vocab_size": 5})")
          .find("3 heads do not divide a width of 100"),
      std::string::npos);
}

/// A hybrid of Mamba-2, attention and experts with these further keys.
importers::Imported import_hybrid(const std::string& more) {
  return importers::import_text(
      kHuggingFace,
      R"({"model_type": "nemotron_h", "hidden_size": 512, "num_hidden_layers": 4,
      "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64,
      "intermediate_size": 768, "mamba_num_heads": 16, "mamba_head_dim": 64,
      "ssm_state_size": 64, "n_groups": 4, "conv_kernel": 4, "chunk_size": 128,
      "n_routed_experts": 16, "num_experts_per_tok": 4, "moe_intermediate_size": 768,
      "moe_shared_expert_intermediate_size": 1536, "vocab_size": 32000, )" +
          more + "}",
      "config.json");
}
constexpr auto kLetters = R"("hybrid_override_pattern": "MEE*")";

TEST(ImportHuggingFace, ReadsLayersNamedInWords) {
  const auto words = import_hybrid(R"("layers_block_type": ["mamba", "moe", "moe", "attention"])");
  EXPECT_EQ(model_of(words).layer_pattern, "MEE*");
  EXPECT_EQ(models::num_parameters(model_of(words)),
            models::num_parameters(model_of(import_hybrid(kLetters))));
  EXPECT_THROW(import_hybrid(R"("layers_block_type": ["mamba", "wave", "moe", "attention"])"),
               core::ConfigError);
  // Without either, the shape contradicts itself; with fewer words than layers too.
  EXPECT_THROW(import_hybrid(R"("tie_word_embeddings": false)"), core::ConfigError);
  EXPECT_THROW(import_hybrid(R"("layers_block_type": ["mamba", "attention"])"), core::ConfigError);
}

TEST(ImportHuggingFace, CountsExpertsBetweenNarrowVectors) {
  const auto plain = import_hybrid(kLetters);
  const auto latent = import_hybrid(std::string(kLetters) + R"(, "moe_latent_size": 128)");
  // Two layers: 16 experts of two matrices between 768 and 128 in place of 512, and two
  // projections between 512 and 128.
  EXPECT_EQ(models::num_parameters(model_of(plain)) - models::num_parameters(model_of(latent)),
            2LL * 16 * 2 * 768 * (512 - 128) - 2LL * 2 * 512 * 128);
  EXPECT_EQ(model_of(latent).experts->latent_size, 128);
  EXPECT_EQ(model_of(plain).experts->latent_size, 0);
}

TEST(ImportHuggingFace, CountsNarrowEmbeddings) {
  const auto with = [](const std::string& more) {
    return importers::import_text(kHuggingFace,
                                  R"({"model_type": "opt", "hidden_size": 256, "ffn_dim": 1024,
      "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 10000,
      "max_position_embeddings": 512)" +
                                      more + "}",
                                  "config.json");
  };
  const auto plain = with("");
  const auto narrow = with(R"(, "word_embed_proj_dim": 64)");
  // OPT's matrix of positions begins two rows before them.
  const std::int64_t gap = -(256LL - 64) * 10000 + 2LL * 64 * 256 + 2LL * 256;
  const std::int64_t described = models::num_parameters(model_of(plain));
  EXPECT_NE(not_expressed(narrow).find(fmt::format("{} of {} parameters", gap, described + gap)),
            std::string::npos)
      << not_expressed(narrow);
  EXPECT_NE(not_expressed(plain).find(fmt::format("512 of {} parameters", described + 512)),
            std::string::npos);
  EXPECT_NE(find(narrow, "workload.model")->origin.find("described as"), std::string::npos);
}

TEST(ImportHuggingFace, ReadsWhetherT5SharesItsVocabulary) {
  const auto parameters = [](const std::string& more) {
    return models::num_parameters(model_of(importers::import_text(
        kHuggingFace,
        R"({"model_type": "t5", "d_model": 256, "d_ff": 512, "d_kv": 64, "num_heads": 4,
      "num_layers": 2, "vocab_size": 8000, "feed_forward_proj": "gated-gelu")" +
            more + "}",
        "config.json")));
  };
  EXPECT_EQ(parameters(R"(, "tie_word_embeddings": false)") - parameters(""), 8000 * 256);
}

TEST(ImportHuggingFace, NamesKeysThatItDoesNotRead) {
  const auto imported =
      importers::import_text(kHuggingFace,
                             R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 4,
      "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 1000, "mlp_bias": true,
      "rope_theta": 1e4, "attention_dropout": 0.0, "torch_dtype": "bfloat16", "bos_token_id": 1,
      "attention_bias": false, "ngram_vocab": 2048, "mtp_part": {"layers": 1}, "nothing": null,
      "quantization_config": {"quant_method": "fp8"}})",
                             "config.json");
  const std::string said = not_expressed(imported);
  EXPECT_NE(said.find("not read: mlp_bias, ngram_vocab, mtp_part.layers\n"), std::string::npos)
      << said;
  EXPECT_NE(said.find("quantization_config"), std::string::npos);
  for (const char* name : {"llama-3-8b", "mixtral-8x7b-v0.1", "gpt2", "gpt-neox-20b", "gemma-3-12b",
                           "gpt-oss-120b", "kimi-k2", "glm-4.5", "qwen2-7b", "falcon-7b"}) {
    const auto known = import_sample(kHuggingFace, fmt::format("hugging_face/{}.json", name));
    EXPECT_EQ(not_expressed(known).find("not read"), std::string::npos)
        << name << not_expressed(known);
  }
}

TEST(ImportHuggingFace, NamesLayersInAnotherOrder) {
  const auto said = [](const std::string& second) {
    return not_expressed(importers::import_text(
        kHuggingFace,
        R"({"model_type": "gpt_oss", "hidden_size": 64, "num_hidden_layers": 2,
      "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 1000, "sliding_window": 128,
      "num_local_experts": 4, "num_experts_per_tok": 2,
      "layer_types": ["sliding_attention", ")" +
            second + R"("]})",
        "config.json"));
  };
  EXPECT_EQ(said("full_attention").find("layer_types"), std::string::npos);
  EXPECT_NE(said("sliding_attention").find("layer_types, of which number 2"), std::string::npos);
}

std::int64_t parameters_of_config(const std::string& text) {
  return models::num_parameters(
      model_of(importers::import_text(kHuggingFace, text, "config.json")));
}

TEST(ImportHuggingFace, ReadsTextModelsBesideImages) {
  const std::string shape =
      R"("hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
      "num_key_value_heads": 2, "head_dim": 32, "intermediate_size": 256, "vocab_size": 1000)";
  const std::string text = R"({"model_type": "qwen3_vl", "text_config": {"model_type":
      "qwen3_vl_text", )" + shape +
                           R"(}, "vision_config": {"depth": 4})";
  const std::int64_t alone = parameters_of_config(R"({"model_type": "qwen3", )" + shape + "}");
  EXPECT_EQ(parameters_of_config(text + "}"), alone);
  EXPECT_EQ(parameters_of_config(text + R"(, "tie_word_embeddings": true})"), alone - 1000LL * 128);
}

TEST(ImportHuggingFace, ReadsExpertsOfMinimax) {
  const auto imported = importers::import_text(
      kHuggingFace,
      R"({"model_type": "minimax_m2", "hidden_size": 128, "num_hidden_layers": 2,
      "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 32, "intermediate_size": 64,
      "num_local_experts": 16, "num_experts_per_tok": 2, "shared_intermediate_size": 0,
      "vocab_size": 1000, "use_qk_norm": true, "use_routing_bias": true,
      "attn_type_list": [1, 1], "num_mtp_modules": 3})",
      "config.json");
  // Two layers of attention, 16 experts of three matrices, the router and two norms.
  EXPECT_EQ(models::num_parameters(model_of(imported)),
            2LL * (2 * 128 * 256 + 2 * 128 * 64 + 16 * 3 * 128 * 64 + 16 * 128 + 2 * 128) +
                2LL * 1000 * 128 + 128);
  // Norms of 8 and of 2 heads, and 16 corrections.
  EXPECT_NE(not_expressed(imported).find(fmt::format("{} of ", 2 * (256 + 64 + 16))),
            std::string::npos);
  EXPECT_NE(not_expressed(imported).find("num_mtp_modules 3: layers that predict"),
            std::string::npos);
}

TEST(ImportHuggingFace, CountsWhatChoosesKeys) {
  const auto imported = importers::import_text(
      kHuggingFace,
      R"({"model_type": "glm_moe_dsa", "hidden_size": 256, "num_hidden_layers": 3,
      "num_attention_heads": 4, "num_key_value_heads": 4, "intermediate_size": 512,
      "moe_intermediate_size": 64, "n_routed_experts": 8, "n_shared_experts": 1,
      "num_experts_per_tok": 2, "first_k_dense_replace": 1, "q_lora_rank": 96, "kv_lora_rank": 32,
      "qk_nope_head_dim": 48, "qk_rope_head_dim": 16, "v_head_dim": 64, "vocab_size": 1000,
      "index_n_heads": 2, "index_head_dim": 32, "index_topk": 128,
      "indexer_types": ["full", "shared", "full"], "mlp_layer_types": ["dense", "sparse", "sparse"]})",
      "config.json");
  // Corrections of two layers with 8 experts.
  EXPECT_NE(not_expressed(imported).find(fmt::format("{} of ", 2 * 8)), std::string::npos)
      << not_expressed(imported);
  // Two layers that choose: queries, keys with a norm, weights of heads.
  models::Transformer model = model_of(imported);
  const int chooses = 96 * 2 * 32 + 256 * 32 + 2 * 32 + 256 * 2;
  const std::int64_t before = models::num_parameters(model);
  model.mixers.front().index_heads = 0;
  EXPECT_EQ(before - models::num_parameters(model), 2 * chooses);
  EXPECT_EQ(model.mixer_pattern, "aba");
  EXPECT_EQ(not_expressed(imported).find("not read"), std::string::npos);
}

TEST(ImportHuggingFace, CountsLayersByTheirWords) {
  std::string text = R"({"model_type": "nemotron_h", "hidden_size": 512, "num_attention_heads": 8,
      "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 768, "mamba_num_heads": 16,
      "mamba_head_dim": 64, "ssm_state_size": 64, "n_groups": 4, "vocab_size": 32000,
      "layers_block_type": ["mamba", "mlp", "attention"]})";
  EXPECT_EQ(model_of(importers::import_text(kHuggingFace, text, "config.json")).num_layers, 3);
}

}  // namespace
}  // namespace railwright::test
