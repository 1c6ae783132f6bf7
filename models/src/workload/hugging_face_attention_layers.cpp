// SPDX-License-Identifier: Apache-2.0
// Layers of attention that a config.json describes in ways of its own.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "hugging_face_shape.hpp"

namespace railwright::models {

namespace {

using core::Node;
using Letter = HuggingFaceShape::Letter;

/// Latent attention to chosen keys; some layers take the choice of an earlier one.
void put_sparse(HuggingFaceShape& shape) {
  const std::int64_t chosen = shape.whole("index_topk");
  const std::string own =
      fmt::format("{{kind: sparse, index_heads: {}, index_size: {}, chosen_keys: {}}}",
                  shape.whole("index_n_heads"), shape.whole("index_head_dim"), chosen);
  if (!shape.has_list("indexer_types")) {
    shape.put("mixers", "[" + own + "]");
    return;
  }
  constexpr Letter kWords[] = {{"full", 'a'}, {"shared", 'b'}};
  shape.put("mixers", fmt::format("[{}, {{kind: sparse, chosen_keys: {}}}]", own, chosen));
  shape.put("mixer_pattern", '"' + shape.letters("indexer_types", kWords) + '"');
}

std::string compressed_mixer(const HuggingFaceShape& shape, std::int64_t ratio, bool chooses) {
  std::string mixer = fmt::format(
      "{{kind: compressed, query_rank: {}, output_groups: {}, output_rank: {}, window: {}, "
      "ratio: {}",
      shape.whole("q_lora_rank"), shape.whole("o_groups"), shape.whole("o_lora_rank"),
      shape.whole("sliding_window"), ratio);
  if (chooses) {
    mixer += fmt::format(", index_heads: {}, index_size: {}, chosen_keys: {}",
                         shape.whole("index_n_heads"), shape.whole("index_head_dim"),
                         shape.whole("index_topk"));
  }
  return mixer + "}";
}

/// Compressed attention: keys of few tokens are chosen, keys of many are not.
void put_compressed(HuggingFaceShape& shape) {
  const std::int64_t few = shape.whole("compress_rates.compressed_sparse_attention", 4);
  const std::int64_t many = shape.whole("compress_rates.heavily_compressed_attention", 128);
  const std::string of_few = std::to_string(few);
  const std::string of_many = std::to_string(many);
  const Letter kRatios[] = {{of_few, 'a'}, {of_many, 'b'}, {"0", 'c'}, {"1", 'c'}};
  constexpr Letter kWords[] = {{"compressed_sparse_attention", 'a'},
                               {"heavily_compressed_attention", 'b'},
                               {"sliding_attention", 'c'}};
  shape.put("mixers",
            fmt::format("[{}, {}, {}]", compressed_mixer(shape, few, true),
                        compressed_mixer(shape, many, false), compressed_mixer(shape, 1, false)));
  if (shape.has_list("compress_ratios")) {
    shape.put("mixer_pattern", '"' + shape.letters("compress_ratios", kRatios) + '"');
  } else if (shape.has_list("layer_types")) {
    shape.put("mixer_pattern", '"' + shape.letters("layer_types", kWords) + '"');
  } else {
    shape.problem("compress_ratios", "missing: which layers compress their keys is not known");
  }
  // All layers have experts.
  shape.put("ffn_size", std::to_string(shape.whole("moe_intermediate_size")));
}

/// Attention to blocks of keys that an indexer chooses, behind layers of full attention.
void put_minimax_m3(HuggingFaceShape& shape) {
  constexpr std::string_view kConfig = "sparse_attention_config.";
  const auto of = [&](std::string_view key) {
    return shape.whole(std::string(kConfig) + std::string(key));
  };
  if (shape.truth("sparse_attention_config.use_sparse_attention", true)) {
    shape.put(
        "mixers",
        fmt::format("[{{kind: block_sparse, index_heads: {}, index_size: {}, chosen_keys: {}, "
                    "ratio: {}, gate: {}}}]",
                    of("sparse_num_index_heads"), of("sparse_index_dim"),
                    of("sparse_topk_blocks") * of("sparse_block_size"),
                    std::max<std::int64_t>(of("sparse_block_size"), 1),
                    shape.truth("attention_output_gate", false) ? "elements" : "none"));
    constexpr std::string_view kLayers = "sparse_attention_config.sparse_attention_freq";
    constexpr Letter kWords[] = {{"1", 'a'}, {"0", '*'}};
    if (shape.has_list(kLayers)) {
      shape.put("mixer_pattern", '"' + shape.letters(kLayers, kWords) + '"');
    }
  }
  shape.put_dense_layers("moe_layer_freq");
  const std::int64_t width = shape.of_entry("experts.ffn_size");
  shape.put_expert("shared_ffn_size", shape.whole("n_shared_experts") *
                                          shape.whole("shared_intermediate_size", width));
}

/// Attention to a window, and to all tokens with heads of another width.
void put_gemma4(HuggingFaceShape& shape) {
  const bool is_one = shape.truth("attention_k_eq_v", false);
  const std::int64_t kv_heads = shape.whole("num_key_value_heads");
  shape.put("mixers",
            fmt::format("[{{kind: attention, window: {}}}, {{kind: attention, num_heads: {}, "
                        "num_kv_heads: {}, head_size: {}, shares_values: {}}}]",
                        shape.whole("sliding_window"), shape.of_entry("num_heads"),
                        is_one ? shape.whole("num_global_key_value_heads", kv_heads) : kv_heads,
                        shape.whole("global_head_dim", shape.whole("head_dim")), is_one));
  constexpr Letter kWords[] = {{"sliding_attention", 'a'}, {"full_attention", 'b'}};
  if (shape.has_list("layer_types")) {
    shape.put("mixer_pattern", '"' + shape.letters("layer_types", kWords) + '"');
  } else {
    shape.put("mixer_pattern", "aaaaab");
  }
  if (!shape.truth("enable_moe_block", false)) {
    shape.remove("experts");
    return;
  }
  // The dense block stands beside the experts.
  shape.put_expert("shared_ffn_size", shape.whole("intermediate_size"));
}

/// Attention to a window, and to all tokens with fewer heads of keys.
void put_mimo_v2(HuggingFaceShape& shape) {
  const std::int64_t heads = shape.of_entry("num_heads");
  const std::int64_t head = shape.whole("head_dim");
  const std::int64_t value = shape.whole("v_head_dim", head);
  shape.put("mixers",
            fmt::format("[{{kind: attention, num_heads: {}, num_kv_heads: {}, head_size: {}, "
                        "value_size: {}, window: {}}}, {{kind: attention, value_size: {}}}]",
                        shape.whole("swa_num_attention_heads", heads),
                        shape.whole("swa_num_key_value_heads", shape.of_entry("num_kv_heads")),
                        shape.whole("swa_head_dim", head), shape.whole("swa_v_head_dim", value),
                        shape.whole("sliding_window", shape.whole("sliding_window_size")), value));
  constexpr Letter kWords[] = {{"1", 'a'}, {"0", 'b'}};
  if (shape.has_list("hybrid_layer_pattern")) {
    shape.put("mixer_pattern", '"' + shape.letters("hybrid_layer_pattern", kWords) + '"');
  }
  shape.put_dense_layers("moe_layer_freq");
}

/// Attention to a window with more heads, and to all tokens; a gate for each head.
void put_step(HuggingFaceShape& shape) {
  const std::int64_t heads = shape.of_entry("num_heads");
  const std::int64_t kv_heads = shape.of_entry("num_kv_heads");
  const std::string gate = shape.truth("use_head_wise_attn_gate", false) ? "heads" : "none";
  shape.put("mixers",
            fmt::format("[{{kind: attention, num_heads: {}, num_kv_heads: {}, head_size: {}, "
                        "window: {}, gate: {}}}, {{kind: attention, gate: {}}}]",
                        shape.whole("attention_other_setting.num_attention_heads", heads),
                        shape.whole("attention_other_setting.num_attention_groups", kv_heads),
                        shape.whole("attention_other_setting.head_dim", shape.whole("head_dim")),
                        shape.whole("sliding_window"), gate, gate));
  constexpr Letter kWords[] = {{"sliding_attention", 'a'}, {"full_attention", 'b'}};
  if (shape.has_list("layer_types")) {
    shape.put("mixer_pattern", '"' + shape.letters("layer_types", kWords) + '"');
  }
  if (const Node* layers = shape.find("moe_layers_enum");
      layers != nullptr && layers->is_scalar()) {
    const std::string first = layers->text.substr(0, layers->text.find(','));
    const auto count = std::ranges::count(layers->text, ',') + 1;
    std::int64_t dense = 0;
    std::from_chars(first.data(), first.data() + first.size(), dense);
    if (dense < 0 || dense + count != shape.num_layers()) {
      shape.problem("moe_layers_enum", "layers without experts are not the first ones");
    }
    shape.put_expert("dense_layers", dense);
  }
}

/// Windows in most layers, where layers are named.
void put_local_layers(HuggingFaceShape& shape) {
  if (!shape.has_list("layer_types")) return;
  const std::vector<Node>& items = shape.find("layer_types")->items;
  if (std::ranges::count(items, "sliding_attention", &Node::text) == 0) {
    shape.remove("local_attention");
    return;
  }
  constexpr Letter kWords[] = {{"sliding_attention", 'a'}, {"full_attention", '*'}};
  const std::string pattern = shape.letters("layer_types", kWords);
  const std::size_t every = pattern.find('*') + 1;
  bool is_regular = every > 0;
  for (std::size_t i = 0; i < pattern.size() && is_regular; ++i) {
    is_regular = (pattern[i] == '*') == ((i + 1) % every == 0);
  }
  if (is_regular || pattern.empty()) {
    shape.put("local_attention", fmt::format("{{window: {}, global_every: {}}}",
                                             shape.whole("sliding_window"), every));
    return;
  }
  shape.remove("local_attention");
  shape.put("mixers",
            fmt::format("[{{kind: attention, window: {}}}]", shape.whole("sliding_window")));
  shape.put("mixer_pattern", '"' + pattern + '"');
}

constexpr std::string_view kCompressedKeys[] = {
    "compress_rates", "compress_ratios", "index_head_dim", "index_n_heads", "index_topk",
    "layer_types",    "o_groups",        "o_lora_rank",    "q_lora_rank",   "sliding_window"};
constexpr std::string_view kSparseKeys[] = {"index_topk", "index_n_heads", "index_head_dim",
                                            "indexer_types"};
constexpr std::string_view kLocalKeys[] = {"layer_types", "sliding_window"};
constexpr std::string_view kGemma4Keys[] = {"attention_k_eq_v", "enable_moe_block",
                                            "global_head_dim",  "layer_types",
                                            "sliding_window",   "num_global_key_value_heads"};
constexpr std::string_view kMimoV2Keys[] = {
    "hybrid_layer_pattern",    "moe_layer_freq", "sliding_window",
    "sliding_window_size",     "swa_head_dim",   "swa_v_head_dim",
    "swa_num_attention_heads", "v_head_dim",     "swa_num_key_value_heads"};
constexpr std::string_view kMinimaxM3Keys[] = {"sparse_attention_config", "attention_output_gate",
                                               "moe_layer_freq", "shared_intermediate_size"};
constexpr std::string_view kStepKeys[] = {"attention_other_setting", "layer_types",
                                          "moe_layers_enum", "sliding_window",
                                          "use_head_wise_attn_gate"};

constexpr LayerReader kAttentionReaders[] = {
    {"deepseek_ref", put_compressed, kCompressedKeys},
    {"deepseek_v32", put_sparse, kSparseKeys},
    {"deepseek_v4", put_compressed, kCompressedKeys},
    {"exaone4", put_local_layers, kLocalKeys},
    {"gemma4_text", put_gemma4, kGemma4Keys},
    {"glm_moe_dsa", put_sparse, kSparseKeys},
    {"mimo_v2_flash", put_mimo_v2, kMimoV2Keys},
    {"minimax_m3", put_minimax_m3, kMinimaxM3Keys},
    {"olmo3", put_local_layers, kLocalKeys},
    {"step3p5", put_step, kStepKeys},
    {"step3p7", put_step, kStepKeys},
};

}  // namespace

std::span<const LayerReader> attention_layer_readers() { return kAttentionReaders; }

}  // namespace railwright::models
