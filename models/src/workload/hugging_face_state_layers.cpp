// SPDX-License-Identifier: Apache-2.0
// Layers that carry states beside attention: Gated DeltaNet, Kimi Delta Attention, Mamba, lightning
// attention.
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

using Letter = HuggingFaceShape::Letter;

/// Layers of a gated delta net, and of attention with a gate.
void put_qwen_next(HuggingFaceShape& shape) {
  shape.put("mixers",
            fmt::format(
                "[{{kind: gated_delta_net, num_heads: {}, num_kv_heads: {}, head_size: {}, "
                "value_size: {}, conv_size: {}}}, {{kind: attention, gate: {}}}]",
                shape.whole("linear_num_value_heads", 32), shape.whole("linear_num_key_heads", 16),
                shape.whole("linear_key_head_dim", 128), shape.whole("linear_value_head_dim", 128),
                shape.whole("linear_conv_kernel_dim", 4),
                shape.truth("attn_output_gate", true) ? "elements" : "none"));
  constexpr Letter kWords[] = {{"linear_attention", 'a'}, {"full_attention", 'b'}};
  std::string pattern;
  if (shape.has_list("layer_types")) {
    pattern = shape.letters("layer_types", kWords);
  } else {
    const std::int64_t every = std::max<std::int64_t>(shape.whole("full_attention_interval", 4), 1);
    pattern =
        std::string(static_cast<std::size_t>(std::min<std::int64_t>(every, 10'000) - 1), 'a') + "b";
  }
  shape.put("mixer_pattern", '"' + pattern + '"');
}

/// Kimi Delta Attention, and latent attention without positions.
void put_kimi_linear(HuggingFaceShape& shape) {
  const std::int64_t head = shape.whole("linear_attn_config.head_dim");
  const bool is_wide = shape.truth("linear_attn_config.use_full_rank_gate", false);
  shape.put(
      "mixers",
      fmt::format("[{{kind: kimi_delta, num_heads: {}, head_size: {}, conv_size: {}, "
                  "step_rank: {}, gate: elements, gate_rank: {}}}, {{kind: latent, gate: {}}}]",
                  shape.whole("linear_attn_config.num_heads"), head,
                  shape.whole("linear_attn_config.short_conv_kernel_size", 4), head,
                  is_wide ? 0 : head,
                  shape.truth("mla_use_output_gate", false) ? "elements" : "none"));
  std::string pattern(static_cast<std::size_t>(shape.num_layers()), 'b');
  constexpr std::string_view kLayers = "linear_attn_config.kda_layers";
  if (!shape.has_list(kLayers)) {
    shape.problem(kLayers, "missing: which layers carry states is not known");
    return;
  }
  for (std::size_t i = 0; i < shape.find(kLayers)->items.size(); ++i) {
    const auto layer = shape.given(fmt::format("{}.{}", kLayers, i));
    if (layer && *layer >= 1 && std::cmp_less_equal(*layer, pattern.size())) {
      pattern[static_cast<std::size_t>(*layer - 1)] = 'a';
    }
  }
  shape.put("mixer_pattern", '"' + pattern + '"');
  shape.put_expert("shared_ffn_size",
                   shape.whole("num_shared_experts") * shape.whole("moe_intermediate_size"));
}

/// Mamba-2 and attention, each before a feed-forward block.
void put_granite_hybrid(HuggingFaceShape& shape) {
  shape.put("mixers",
            fmt::format("[{{kind: mamba2, num_heads: {}, head_size: {}, state_size: {}, "
                        "num_groups: {}, conv_size: {}, chunk_size: {}}}]",
                        shape.whole("mamba_n_heads"), shape.whole("mamba_d_head"),
                        shape.whole("mamba_d_state"), shape.whole("mamba_n_groups", 1),
                        shape.whole("mamba_d_conv", 4), shape.whole("mamba_chunk_size", 256)));
  constexpr Letter kWords[] = {{"mamba", 'a'}, {"attention", '*'}};
  for (const char* key : {"layer_types", "layers_block_type"}) {
    if (shape.has_list(key)) shape.put("mixer_pattern", '"' + shape.letters(key, kWords) + '"');
  }
  if (shape.of_entry("experts.count") > 0) return;
  shape.remove("experts");
  shape.put("ffn_size", std::to_string(shape.whole("shared_intermediate_size")));
}

/// Mamba-2 and attention beside one another: as blocks one behind the other.
void put_falcon_h1(HuggingFaceShape& shape) {
  const std::int64_t layers = shape.num_layers();
  std::string pattern;
  for (std::int64_t i = 0; i < layers; ++i) pattern += "M*-";
  shape.put("num_layers", std::to_string(3 * layers));
  shape.put("layer_pattern", '"' + pattern + '"');
  shape.put("mamba",
            fmt::format("{{num_heads: {}, head_size: {}, state_size: {}, num_groups: {}, "
                        "conv_size: {}, chunk_size: {}}}",
                        shape.whole("mamba_n_heads"), shape.whole("mamba_d_head"),
                        shape.whole("mamba_d_state"), shape.whole("mamba_n_groups", 1),
                        shape.whole("mamba_d_conv", 4), shape.whole("mamba_chunk_size", 256)));
}

/// Mamba and attention in turn, experts in every second layer.
void put_jamba(HuggingFaceShape& shape) {
  constexpr std::int64_t kHead = 64;
  const std::int64_t hidden = shape.of_entry("hidden_size");
  const std::int64_t rank = shape.whole("mamba_dt_rank", (hidden + 15) / 16);
  shape.put("mixers",
            fmt::format("[{{kind: mamba1, num_heads: {}, head_size: {}, state_size: {}, "
                        "conv_size: {}, step_rank: {}}}]",
                        hidden * shape.whole("mamba_expand", 2) / kHead, kHead,
                        shape.whole("mamba_d_state", 16), shape.whole("mamba_d_conv", 4), rank));
  const std::int64_t period =
      std::clamp<std::int64_t>(shape.whole("attn_layer_period", 8), 1, 10'000);
  std::string pattern(static_cast<std::size_t>(period), 'a');
  pattern[static_cast<std::size_t>(shape.whole("attn_layer_offset", 4) % period)] = '*';
  shape.put("mixer_pattern", '"' + pattern + '"');
  if (shape.of_entry("experts.count") <= 1) {
    shape.remove("experts");
    return;
  }
  const std::int64_t every = std::max<std::int64_t>(shape.whole("expert_layer_period", 2), 1);
  shape.put_expert("every", every);
  shape.put_expert("dense_layers", (shape.whole("expert_layer_offset", 1) + 1) % every);
}

/// Lightning attention, and attention to all tokens.
void put_minimax_01(HuggingFaceShape& shape) {
  shape.put("mixers", fmt::format("[{{kind: lightning, gate: elements, chunk_size: {}}}]",
                                  shape.whole("block_size", 256)));
  constexpr Letter kNumbers[] = {{"0", 'a'}, {"1", '*'}};
  constexpr Letter kWords[] = {{"linear_attention", 'a'}, {"full_attention", '*'}};
  if (shape.has_list("attn_type_list")) {
    shape.put("mixer_pattern", '"' + shape.letters("attn_type_list", kNumbers) + '"');
  } else if (shape.has_list("layer_types")) {
    shape.put("mixer_pattern", '"' + shape.letters("layer_types", kWords) + '"');
  }
  const std::int64_t shared = shape.whole("shared_intermediate_size");
  if (shared > 0) shape.put_expert("shared_ffn_size", shared);
}

constexpr std::string_view kMambaKeys[] = {
    "mamba_n_heads",  "mamba_d_head",      "mamba_d_state",
    "mamba_n_groups", "mamba_d_conv",      "mamba_chunk_size",
    "layer_types",    "layers_block_type", "shared_intermediate_size"};
constexpr std::string_view kJambaKeys[] = {
    "attn_layer_offset", "attn_layer_period", "expert_layer_offset", "expert_layer_period",
    "mamba_d_conv",      "mamba_d_state",     "mamba_dt_rank",       "mamba_expand"};
constexpr std::string_view kKimiLinearKeys[] = {"linear_attn_config", "mla_use_output_gate",
                                                "num_shared_experts", "moe_intermediate_size"};
constexpr std::string_view kMinimax01Keys[] = {"attn_type_list", "block_size", "layer_types",
                                               "shared_intermediate_size"};
constexpr std::string_view kQwenNextKeys[] = {
    "attn_output_gate",       "full_attention_interval", "layer_types",
    "linear_conv_kernel_dim", "linear_key_head_dim",     "linear_num_key_heads",
    "linear_num_value_heads", "linear_value_head_dim"};

constexpr LayerReader kStateReaders[] = {
    {"falcon_h1", put_falcon_h1, kMambaKeys},
    {"granitemoehybrid", put_granite_hybrid, kMambaKeys},
    {"jamba", put_jamba, kJambaKeys},
    {"kimi_linear", put_kimi_linear, kKimiLinearKeys},
    {"minimax", put_minimax_01, kMinimax01Keys},
    {"minimax_m1", put_minimax_01, kMinimax01Keys},
    {"minimax_text_01", put_minimax_01, kMinimax01Keys},
    {"qwen3_5_moe_text", put_qwen_next, kQwenNextKeys},
    {"qwen3_5_text", put_qwen_next, kQwenNextKeys},
    {"qwen3_next", put_qwen_next, kQwenNextKeys},
};

}  // namespace

std::span<const LayerReader> state_layer_readers() { return kStateReaders; }

}  // namespace railwright::models
