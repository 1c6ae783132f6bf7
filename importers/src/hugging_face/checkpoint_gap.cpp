// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "railwright/models/workload/layers.hpp"

namespace railwright::importers {

namespace {

/// Counts the norms of queries and keys of the layers with plain attention, and the gates of shared
/// experts.
std::int64_t qwen_next_gap(const models::Transformer& model) {
  std::int64_t sum = 0;
  for (const auto& [mixer, count] : models::mixer_layers(model)) {
    const auto layers = static_cast<std::int64_t>(count);
    if (!mixer.kind->is_state) sum += layers * 2 * mixer.head_size;
  }
  const bool has_shared = model.experts && model.experts->shared_ffn_size > 0;
  return sum + (has_shared ? std::int64_t{model.num_layers} * model.hidden_size : 0);
}

/// Counts what mixes the residual streams of layers, and joins them after the last.
/// [@deepseek_v4]
std::int64_t hyper_connections(const models::Transformer& model, std::int64_t streams) {
  const std::int64_t inputs = streams * model.hidden_size;
  const std::int64_t outputs = (2 + streams) * streams;
  return std::int64_t{2} * model.num_layers * (inputs * outputs + outputs + 3) + streams * inputs +
         streams + 1;
}

Gap gap_of_opt(const models::Transformer& model, TreeValues& config) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t narrow = config.whole("word_embed_proj_dim", 1, 1'000'000).value_or(hidden);
  const bool ends_in_norm = config.truth("do_layer_norm_before").value_or(true) &&
                            !config.truth("_remove_final_layer_norm").value_or(false);
  // Positions start at row 2 of their matrix.
  std::int64_t more = 2 * hidden;
  std::string what = "two rows of positions";
  if (!ends_in_norm) {
    more -= 2 * hidden;
    what += ", less a norm behind the last layer";
  }
  if (narrow != hidden) {
    more += (narrow - hidden) * model.vocabulary_size + 2 * narrow * hidden;
    what += fmt::format(", embeddings of word_embed_proj_dim {} and projections to {} and back",
                        narrow, hidden);
  }
  return {more, what};
}

std::int64_t width_of_head(const models::Transformer& model) {
  return model.head_size.value_or(model.hidden_size / model.num_heads);
}

/// Columns of the projections to queries, keys and values.
std::int64_t into_attention(const models::Transformer& model) {
  return (model.num_heads + std::int64_t{2} * model.num_kv_heads) * width_of_head(model);
}

/// Returns the gap of types whose routers have corrections; nothing for others.
std::optional<Gap> gap_of_experts(std::string_view type, const models::Transformer& model,
                                  TreeValues& config) {
  const std::int64_t layers = model.num_layers;
  const std::int64_t head = width_of_head(model);
  const std::int64_t corrections =
      model.experts ? models::layers_with_experts(model) * std::int64_t{model.experts->count} : 0;
  if (type == "minimax_m2") {
    return Gap{layers * (into_attention(model) - model.num_kv_heads * head) + corrections,
               "norms of queries and keys, and corrections of the router"};
  }
  if (type == "deepseek_v4" || type == "deepseek_ref") {
    const std::int64_t streams = config.whole("hc_mult", 1, 64).value_or(1);
    const std::int64_t tables = config.whole("num_hash_layers", 0, 10'000).value_or(0);
    const std::int64_t top_k = model.experts ? model.experts->top_k : 0;
    return Gap{
        corrections + hyper_connections(model, streams) + tables * model.vocabulary_size * top_k,
        "corrections of the router, tables of the first layers' experts, and what mixes "
        "residual streams"};
  }
  if (type == "deepseek_v3" || type == "deepseek_v32" || type == "glm_moe_dsa" ||
      type == "kimi_k2") {
    return Gap{corrections, "corrections of the router"};
  }
  if (type == "glm4_moe") {
    const bool has_norms = config.truth("use_qk_norm").value_or(false);
    return Gap{layers * (into_attention(model) + (has_norms ? 2 * head : 0)) + corrections,
               "biases of queries, keys and values, and corrections of the router"};
  }
  return std::nullopt;
}

Gap gap_of_falcon(const models::Transformer& model, TreeValues& config) {
  const bool new_decoder = config.truth("new_decoder_architecture").value_or(false);
  const bool parallel = config.truth("parallel_attn").value_or(true);
  // Each norm has a bias. The description counts two norms a layer without one; 7B has one norm.
  const std::int64_t norms = new_decoder || !parallel ? 2 : 1;
  return {std::int64_t{model.num_layers} * (2 * norms - 2) * model.hidden_size + model.hidden_size,
          "biases of norms"};
}

}  // namespace

Gap checkpoint_gap(std::string_view type, const models::Transformer& model, TreeValues& config) {
  const std::int64_t layers = model.num_layers;
  const std::int64_t head = width_of_head(model);
  const std::int64_t hidden = model.hidden_size;
  if (type == "qwen2") {
    return {layers * into_attention(model), "biases of queries, keys and values"};
  }
  if (type == "qwen2_moe") {
    return {layers * (into_attention(model) + hidden),
            "biases of queries, keys and values, and the gate of the shared expert"};
  }
  if (type == "qwen3_next" || type.starts_with("qwen3_5")) {
    return {qwen_next_gap(model), "norms of queries and keys, and gates of shared experts"};
  }
  if (type.starts_with("qwen3")) {
    return {layers * 2 * head, "norms of queries and keys"};
  }
  if (type == "gemma2") return {layers * 2 * hidden, "a second norm behind each block"};
  if (type == "gemma3_text") {
    return {layers * 2 * (hidden + head),
            "a second norm behind each block, and norms of queries and keys"};
  }
  if (type == "gpt_oss") {
    return {layers * model.num_heads - (2 * layers + 1) * hidden,
            "attention sinks, less the biases of norms, which it lacks"};
  }
  if (const auto gap = gap_of_experts(type, model, config)) return *gap;
  if (type == "opt") return gap_of_opt(model, config);
  if (type == "falcon" && !model.biases) return gap_of_falcon(model, config);
  if (config.truth("attention_bias").value_or(false) && !model.biases) {
    return {layers * (into_attention(model) + hidden), "biases of attention"};
  }
  return {};
}

}  // namespace railwright::importers
