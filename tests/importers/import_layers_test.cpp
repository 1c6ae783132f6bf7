// SPDX-License-Identifier: Apache-2.0
// Models whose layers a config.json describes in ways of its own: parameters as their cards give
// them, to what the card rounds to. The numbers are those of the published config.json, of which
// only what gives a shape is here.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>

#include "../support/active_parameters.hpp"
#include "imported.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::test {
namespace {

const importers::ImportKind kConfigJson("hugging-face");

models::Transformer described(const importers::Imported& imported) {
  core::Reader reader;
  models::Transformer model;
  reader.read(find(imported, "workload.model")->value, "workload.model", model);
  reader.throw_if_any();
  return model;
}

/// Returns `times` times the items, as a list of JSON.
std::string list(const std::string& items, int times, const std::string& last = "") {
  std::string all;
  for (int i = 0; i < times; ++i) all += (all.empty() ? "" : ", ") + items;
  return "[" + all + (last.empty() ? "" : ", " + last) + "]";
}

struct Card {
  const char* name;
  std::string config;
  double total;         ///< billions
  double active = 0.0;  ///< billions, 0: not published with what is counted here
};
void PrintTo(const Card& card, std::ostream* out) { *out << card.name; }

const std::string kSliding = R"("sliding_attention")";
const std::string kFull = R"("full_attention")";
const std::string kLinear = R"("linear_attention")";

std::string delta(int hidden, int layers, int heads, int values, const std::string& more) {
  return R"("hidden_size": )" + std::to_string(hidden) + R"(, "num_hidden_layers": )" +
         std::to_string(layers) + R"(, "num_attention_heads": )" + std::to_string(heads) +
         R"(, "linear_num_value_heads": )" + std::to_string(values) +
         R"(, "head_dim": 256, "linear_num_key_heads": 16, "linear_key_head_dim": 128,
      "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "full_attention_interval": 4, )" +
         more;
}

std::string deepseek_v4(const std::string& sizes, const std::string& ratios) {
  return R"("model_type": "deepseek_v4", "num_key_value_heads": 1, "head_dim": 512,
      "index_head_dim": 128, "index_n_heads": 64, "n_shared_experts": 1, "num_experts_per_tok": 6,
      "qk_rope_head_dim": 64, "sliding_window": 128, "o_lora_rank": 1024, "hc_mult": 4,
      "num_hash_layers": 3, "vocab_size": 129280, )" +
         sizes + R"(, "compress_ratios": )" + ratios;
}

std::string glm5(const std::string& more) {
  return R"("model_type": "glm_moe_dsa", "hidden_size": 6144, "num_hidden_layers": 78,
      "num_attention_heads": 64, "num_key_value_heads": 64, "intermediate_size": 12288,
      "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1,
      "num_experts_per_tok": 8, "first_k_dense_replace": 3, "q_lora_rank": 2048,
      "kv_lora_rank": 512, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256,
      "vocab_size": 154880, "index_n_heads": 32, "index_head_dim": 128, "index_topk": 2048)" +
         more;
}

std::string kimi(const std::string& sizes, int layers, int heads, const std::string& more) {
  std::string states;
  for (int layer = 1; layer < layers; ++layer) {
    if (layer % 4 != 0) states += (states.empty() ? "" : ", ") + std::to_string(layer);
  }
  const std::string count = std::to_string(heads);
  return R"("model_type": "kimi_linear", "num_hidden_layers": )" + std::to_string(layers) +
         R"(, "num_attention_heads": )" + count + R"(, "num_key_value_heads": )" + count +
         R"(, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
      "v_head_dim": 128, "vocab_size": 163840, "first_k_dense_replace": 1, )" +
         sizes + R"(, "linear_attn_config": {"head_dim": 128, "short_conv_kernel_size": 4,
      "num_heads": )" +
         count + R"(, "kda_layers": [)" + states + "]" + more;
}

std::string falcon(const std::string& sizes) {
  return R"("model_type": "falcon_h1", "head_dim": 128, "mamba_d_head": 128, "mamba_d_conv": 4,
      "mamba_d_state": 256, "tie_word_embeddings": false, )" +
         sizes;
}

// NOLINTNEXTLINE(readability-function-size): a row a model
std::vector<Card> cards() {
  return {
      {"qwen3_next_80b_a3b",
       R"("model_type": "qwen3_next", "intermediate_size": 5120, "num_key_value_heads": 2,
      "moe_intermediate_size": 512, "num_experts": 512, "num_experts_per_tok": 10,
      "shared_expert_intermediate_size": 512, "vocab_size": 151936, )" +
           delta(2048, 48, 16, 32, R"("decoder_sparse_step": 1)"),
       80.0},
      {"qwen3_5_397b_a17b",
       R"("model_type": "qwen3_5_moe_text", "num_key_value_heads": 2, "moe_intermediate_size": 1024,
      "num_experts": 512, "num_experts_per_tok": 10, "shared_expert_intermediate_size": 1024,
      "vocab_size": 248320, )" +
           delta(4096, 60, 32, 64,
                 R"("layer_types": )" +
                     list(kLinear + "," + kLinear + "," + kLinear + "," + kFull, 15)),
       397.0},
      {"qwen3_5_27b",
       R"("model_type": "qwen3_5_text", "intermediate_size": 17408, "num_key_value_heads": 4,
      "vocab_size": 248320, )" +
           delta(5120, 64, 24, 48, R"("attn_output_gate": true)"),
       26.9},
      {"deepseek_v3_2",
       R"("model_type": "deepseek_v32", "hidden_size": 7168, "num_hidden_layers": 61,
      "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432,
      "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1,
      "num_experts_per_tok": 8, "first_k_dense_replace": 3, "q_lora_rank": 1536,
      "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
      "vocab_size": 129280, "index_n_heads": 64, "index_head_dim": 128, "index_topk": 2048)",
       671.0},
      {"deepseek_v4_flash",
       deepseek_v4(R"("hidden_size": 4096, "num_hidden_layers": 43, "num_attention_heads": 64,
      "moe_intermediate_size": 2048, "n_routed_experts": 256, "o_groups": 8, "q_lora_rank": 1024,
      "index_topk": 512)",
                   "[0, 0, " + list("4, 128", 20, "4, 0").substr(1)),
       284.0},
      {"deepseek_v4_pro",
       deepseek_v4(R"("hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128,
      "moe_intermediate_size": 3072, "n_routed_experts": 384, "o_groups": 16, "q_lora_rank": 1536,
      "index_topk": 1024)",
                   "[128, 128, " + list("4, 128", 29, "4, 0").substr(1)),
       1573.0},
      {"glm_5", glm5(""), 744.0},
      {"glm_5_2",
       glm5(R"(, "indexer_types": ["full", "full", )" +
            list(R"("full", "shared", "shared", "shared")", 19).substr(1)),
       744.0},
      {"kimi_linear_48b_a3b",
       kimi(R"("hidden_size": 2304, "q_lora_rank": null, "num_experts": 256,
      "num_experts_per_token": 8, "num_shared_experts": 1, "moe_intermediate_size": 1024,
      "intermediate_size": 9216)",
            27, 32, "}"),
       49.1},
      {"kimi_k3",
       kimi(R"("hidden_size": 7168, "q_lora_rank": 1536, "num_experts": 896,
      "num_experts_per_token": 16, "num_shared_experts": 2, "moe_intermediate_size": 3072,
      "routed_expert_hidden_size": 3584, "intermediate_size": 33792, "mla_use_output_gate": true)",
            93, 96, R"(, "use_full_rank_gate": true})"),
       2780.0},
      {"minimax_m3",
       R"("model_type": "minimax_m3", "hidden_size": 6144, "num_hidden_layers": 60, "head_dim": 128,
      "num_attention_heads": 64, "num_key_value_heads": 4, "dense_intermediate_size": 12288,
      "intermediate_size": 3072, "shared_intermediate_size": 3072, "n_shared_experts": 1,
      "num_local_experts": 128, "num_experts_per_tok": 4, "vocab_size": 200064,
      "moe_layer_freq": [0, 0, 0, )" +
           list("1", 57).substr(1) +
           R"(, "sparse_attention_config": {"sparse_num_index_heads": 4, "sparse_index_dim": 128,
      "sparse_topk_blocks": 16, "sparse_block_size": 128, "sparse_attention_freq": [0, 0, 0, )" +
           list("1", 57).substr(1) + "}",
       428.0},
      {"gemma_4_26b_a4b",
       R"("model_type": "gemma4_text", "hidden_size": 2816, "num_hidden_layers": 30,
      "num_attention_heads": 16, "num_key_value_heads": 8, "num_global_key_value_heads": 2,
      "head_dim": 256, "global_head_dim": 512, "attention_k_eq_v": true, "sliding_window": 1024,
      "intermediate_size": 2112, "enable_moe_block": true, "moe_intermediate_size": 704,
      "num_experts": 128, "top_k_experts": 8, "vocab_size": 262144)",
       25.2, 3.8},
      {"gemma_4_31b",
       R"("model_type": "gemma4_text", "hidden_size": 5376, "num_hidden_layers": 60,
      "num_attention_heads": 32, "num_key_value_heads": 16, "num_global_key_value_heads": 4,
      "head_dim": 256, "global_head_dim": 512, "attention_k_eq_v": true, "sliding_window": 1024,
      "intermediate_size": 21504, "vocab_size": 262144)",
       30.7},
      {"mimo_v2_flash",
       R"("model_type": "mimo_v2_flash", "hidden_size": 4096, "num_hidden_layers": 48,
      "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128,
      "swa_num_attention_heads": 64, "swa_num_key_value_heads": 8, "swa_head_dim": 192,
      "swa_v_head_dim": 128, "sliding_window": 128, "intermediate_size": 16384,
      "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": null,
      "num_experts_per_tok": 8, "vocab_size": 152576, "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, )" +
           list("1, 1, 1, 1, 1, 0", 7).substr(1) + R"(, "moe_layer_freq": [0, )" +
           list("1", 47).substr(1),
       309.0},
      {"step_3_5_flash",
       R"("model_type": "step3p5", "hidden_size": 4096, "num_hidden_layers": 45, "head_dim": 128,
      "num_attention_heads": 64, "num_attention_groups": 8, "intermediate_size": 11264,
      "sliding_window": 512, "vocab_size": 128896, "use_head_wise_attn_gate": true,
      "attention_other_setting": {"attention_type": "sliding_attention", "head_dim": 128,
      "num_attention_heads": 96, "num_attention_groups": 8}, "moe_num_experts": 288,
      "moe_top_k": 8, "moe_intermediate_size": 1280, "share_expert_dim": 1280,
      "moe_layers_enum": "3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44",
      "layer_types": )" +
           list(kFull + "," + kSliding + "," + kSliding + "," + kSliding, 12),
       196.5},
      {"granite_4_0_h_small",
       R"("model_type": "granitemoehybrid", "hidden_size": 4096, "num_hidden_layers": 40,
      "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 72,
      "num_experts_per_tok": 10, "shared_intermediate_size": 1536, "intermediate_size": 768,
      "mamba_d_state": 128, "mamba_n_heads": 128, "mamba_d_head": 64, "vocab_size": 100352,
      "layer_types": )" +
           list(R"("mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba",
      "mamba", "mamba")",
                4),
       32.2},
      {"jamba_1_5_mini",
       R"("model_type": "jamba", "hidden_size": 4096, "num_hidden_layers": 32,
      "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
      "num_experts": 16, "num_experts_per_tok": 2, "mamba_dt_rank": 256, "vocab_size": 65536)",
       51.6, 12.1},
      {"falcon_h1_34b",
       falcon(R"("hidden_size": 5120, "num_hidden_layers": 72, "num_attention_heads": 20,
      "num_key_value_heads": 4, "intermediate_size": 21504, "mamba_n_heads": 32,
      "mamba_n_groups": 2, "vocab_size": 261120)"),
       33.6},
      {"falcon_h1_7b",
       falcon(R"("hidden_size": 3072, "num_hidden_layers": 44, "num_attention_heads": 12,
      "num_key_value_heads": 2, "intermediate_size": 12288, "mamba_n_heads": 24,
      "mamba_n_groups": 1, "vocab_size": 130048)"),
       7.59},
      {"ernie_4_5_21b_a3b",
       R"("model_type": "ernie4_5_moe", "hidden_size": 2560, "num_hidden_layers": 28,
      "num_attention_heads": 20, "num_key_value_heads": 4, "intermediate_size": 12288,
      "moe_intermediate_size": 1536, "moe_num_experts": 64, "moe_k": 6, "moe_layer_start_index": 1,
      "moe_num_shared_experts": 2, "vocab_size": 103424, "use_bias": false)",
       21.8},
      {"hunyuan_a13b",
       R"("model_type": "hunyuan_v1_moe", "hidden_size": 4096, "num_hidden_layers": 32,
      "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
      "intermediate_size": 3072, "num_experts": 64, "tie_word_embeddings": true,
      "vocab_size": 128167, "moe_topk": )" +
           list("8", 32) + R"(, "moe_intermediate_size": )" + list("3072", 32) +
           R"(, "num_shared_expert": )" + list("1", 32),
       80.4, 13.0},
      {"olmo_3_32b",
       R"("model_type": "olmo3", "hidden_size": 5120, "num_hidden_layers": 64,
      "num_attention_heads": 40, "num_key_value_heads": 8, "intermediate_size": 27648,
      "sliding_window": 4096, "vocab_size": 100278, "layer_types": )" +
           list(kSliding + "," + kSliding + "," + kSliding + "," + kFull, 16),
       32.2},
      {"minimax_text_01",
       R"("model_type": "minimax_text_01", "hidden_size": 6144, "num_hidden_layers": 80,
      "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
      "intermediate_size": 9216, "num_local_experts": 32, "num_experts_per_tok": 2,
      "vocab_size": 200064, "attn_type_list": )" +
           list("0, 0, 0, 0, 0, 0, 0, 1", 10),
       456.0},
  };
}

class Layers : public testing::TestWithParam<Card> {};

TEST_P(Layers, HaveTheParametersOfTheCard) {
  const Card& card = GetParam();
  const auto imported = importers::import_text(kConfigJson, "{" + card.config + "}", "config.json");
  const models::Transformer model = described(imported);
  EXPECT_NEAR(1e-9 * static_cast<double>(models::num_parameters(model)) / card.total, 1.0, 0.005);
  if (card.active > 0.0) {
    const auto active = static_cast<double>(models::num_active_parameters(model));
    EXPECT_NEAR(1e-9 * active / card.active, 1.0, 0.02);
  }
  EXPECT_EQ(not_expressed(imported).find("not read"), std::string::npos) << not_expressed(imported);
}

INSTANTIATE_TEST_SUITE_P(ImportHuggingFace, Layers, testing::ValuesIn(cards()),
                         [](const auto& card) { return std::string(card.param.name); });

TEST(ImportLayers, NameWhatTheyDoNotKnow) {
  const auto refused = [](const std::string& config) {
    try {
      importers::import_text(kConfigJson, "{" + config + "}", "config.json");
    } catch (const core::ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto qwen = [&](const std::string& types) {
    return refused(R"("model_type": "qwen3_next", "intermediate_size": 512, "vocab_size": 100,
      "num_key_value_heads": 2, )" +
                   delta(256, 2, 2, 32, R"("layer_types": )" + types));
  };
  EXPECT_EQ(qwen(list(kLinear, 1, kFull)), "");
  EXPECT_NE(qwen(list(kLinear, 1, R"("wave_attention")")).find("no kind of layer 'wave_attention'"),
            std::string::npos);
  EXPECT_NE(qwen(list(kLinear, 1)).find("1 words for 2 layers"), std::string::npos);
  EXPECT_NE(refused(deepseek_v4(R"("hidden_size": 4096, "num_hidden_layers": 3,
      "num_attention_heads": 64, "moe_intermediate_size": 2048, "n_routed_experts": 256,
      "o_groups": 8, "q_lora_rank": 1024, "index_topk": 512)",
                                "[]"))
                .find("which layers compress their keys"),
            std::string::npos);
}

}  // namespace
}  // namespace railwright::test
