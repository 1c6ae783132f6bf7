// SPDX-License-Identifier: Apache-2.0
#include "hugging_face_mixers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace railwright::models {

namespace {

using core::Node;

/// A config.json, and the entry that is made of it.
class Shape {
 public:
  Shape(const Node& config, Node& entry, std::vector<core::Diagnostic>& problems)
      : config_(config), entry_(entry), problems_(problems) {}

  [[nodiscard]] const Node* find(std::string_view path) const {
    const Node* node = core::find_path(config_, path);
    return node == nullptr || node->kind == Node::Kind::kNull ? nullptr : node;
  }
  [[nodiscard]] std::optional<std::int64_t> given(std::string_view path) const {
    return number(find(path));
  }
  [[nodiscard]] std::int64_t whole(std::string_view path, std::int64_t otherwise = 0) const {
    return given(path).value_or(otherwise);
  }
  [[nodiscard]] bool truth(std::string_view path, bool otherwise) const {
    const Node* node = find(path);
    return node == nullptr || !node->is_scalar() ? otherwise : node->text == "true";
  }
  /// Number of layers that the entry has; none if it is missing or no layers can be made of it.
  [[nodiscard]] std::int64_t num_layers() const {
    constexpr std::int64_t kMost = 10'000;
    return std::min(number(entry_.find("num_layers")).value_or(0), kMost);
  }
  [[nodiscard]] std::int64_t of_entry(std::string_view path) const {
    return number(core::find_path(entry_, path)).value_or(0);
  }

  /// Sets a key, or several below one, from YAML.
  void put(std::string_view key, const std::string& yaml) {
    Node value = core::parse_yaml(yaml, config_.where.file);
    Node* known = entry_.find(key);
    if (known != nullptr) {
      *known = std::move(value);
    } else {
      entry_.entries.push_back({std::string(key), config_.where, std::move(value)});
    }
  }
  /// Sets a key of the experts.
  void put_expert(std::string_view key, std::int64_t value) {
    Node* experts = entry_.find("experts");
    if (experts == nullptr) {
      put("experts", fmt::format("{{{}: {}}}", key, value));
      return;
    }
    Node node = core::parse_yaml(std::to_string(value), config_.where.file);
    if (Node* known = experts->find(key)) {
      *known = std::move(node);
    } else {
      experts->entries.push_back({std::string(key), config_.where, std::move(node)});
    }
  }
  void remove(std::string_view key) {
    std::erase_if(entry_.entries, [&](const core::Entry& entry) { return entry.key == key; });
  }
  void problem(std::string_view key, std::string message) {
    const Node* node = find(key);
    problems_.push_back(
        {node != nullptr ? node->where : config_.where, std::string(key), std::move(message), ""});
  }

  /// Returns a letter for each layer: that of the word in the list `key`.
  struct Letter {
    std::string_view word;
    char letter;
  };
  std::string letters(std::string_view key, std::span<const Letter> words) {
    std::string pattern;
    for (const Node& item : find(key)->items) {
      const auto known = std::ranges::find(words, item.text, &Letter::word);
      if (known == words.end()) {
        problem(key, fmt::format("no kind of layer '{}' is known", item.text));
        return {};
      }
      pattern += known->letter;
    }
    // Modules of multi-token prediction may be listed behind the layers.
    pattern.resize(std::min(pattern.size(), static_cast<std::size_t>(num_layers())));
    if (std::cmp_less(pattern.size(), num_layers())) {
      problem(key, fmt::format("{} words for {} layers", pattern.size(), num_layers()));
    }
    return pattern;
  }
  [[nodiscard]] bool has_list(std::string_view key) const {
    const Node* node = find(key);
    return node != nullptr && !node->items.empty();
  }

 private:
  static std::optional<std::int64_t> number(const Node* node) {
    if (node == nullptr || !node->is_scalar()) return std::nullopt;
    std::int64_t value = 0;
    const char* end = node->text.data() + node->text.size();
    const auto result = std::from_chars(node->text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    if (value < 0 || value > 1'000'000'000) return std::nullopt;
    return value;
  }

  const Node& config_;
  Node& entry_;
  std::vector<core::Diagnostic>& problems_;
};

using Letter = Shape::Letter;

/// Sets the first layers without experts from a list with 0 for them and 1 for the others.
void put_dense_layers(std::string_view key, Shape& shape) {
  if (!shape.has_list(key)) return;
  const std::vector<Node>& items = shape.find(key)->items;
  const auto routed = std::ranges::find(items, "1", &Node::text);
  if (std::ranges::count(items, "1", &Node::text) != std::distance(routed, items.end())) {
    shape.problem(key, "layers without experts are not the first ones");
  }
  shape.put_expert("dense_layers", std::distance(items.begin(), routed));
}

/// Layers of a gated delta net, and of attention with a gate.
void put_qwen_next(Shape& shape) {
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

/// Latent attention to chosen keys; some layers take the choice of an earlier one.
void put_sparse(Shape& shape) {
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

std::string compressed_mixer(const Shape& shape, std::int64_t ratio, bool chooses) {
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
void put_compressed(Shape& shape) {
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

/// Kimi Delta Attention, and latent attention without positions.
void put_kimi_linear(Shape& shape) {
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

/// Attention to blocks of keys that an indexer chooses, behind layers of full attention.
void put_minimax_m3(Shape& shape) {
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
  put_dense_layers("moe_layer_freq", shape);
  const std::int64_t width = shape.of_entry("experts.ffn_size");
  shape.put_expert("shared_ffn_size", shape.whole("n_shared_experts") *
                                          shape.whole("shared_intermediate_size", width));
}

/// Attention to a window, and to all tokens with heads of another width.
void put_gemma4(Shape& shape) {
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
void put_mimo_v2(Shape& shape) {
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
  put_dense_layers("moe_layer_freq", shape);
}

/// Attention to a window with more heads, and to all tokens; a gate for each head.
void put_step(Shape& shape) {
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

/// Mamba-2 and attention, each before a feed-forward block.
void put_granite_hybrid(Shape& shape) {
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
void put_falcon_h1(Shape& shape) {
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
void put_jamba(Shape& shape) {
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
void put_minimax_01(Shape& shape) {
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

/// Windows in most layers, where layers are named.
void put_local_layers(Shape& shape) {
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

/// Experts from one layer on; the first of a list where modalities have their own.
void put_ernie_moe(Shape& shape) {
  const auto first = [&](const char* key, std::int64_t otherwise) {
    return shape.given(key).value_or(shape.whole(std::string(key) + ".0", otherwise));
  };
  const std::int64_t width = first("moe_intermediate_size", 0);
  shape.put_expert("count", first("moe_num_experts", 0));
  shape.put_expert("top_k", first("moe_k", 2));
  shape.put_expert("ffn_size", width);
  shape.put_expert("shared_ffn_size", shape.whole("moe_num_shared_experts") * width);
  const std::int64_t every = std::max<std::int64_t>(shape.whole("moe_layer_interval", 1), 1);
  shape.put_expert("dense_layers", first("moe_layer_start_index", 0));
  if (every > 1) shape.put_expert("every", every);
}

/// Experts whose numbers may be lists, one for each layer.
void put_hunyuan_moe(Shape& shape) {
  const auto same = [&](const char* key, std::int64_t otherwise) {
    const Node* node = shape.find(key);
    if (node == nullptr || node->items.empty()) return shape.whole(key, otherwise);
    for (const Node& item : node->items) {
      if (item.text != node->items.front().text) shape.problem(key, "layers differ");
    }
    return shape.whole(std::string(key) + ".0", otherwise);
  };
  const std::int64_t width = same("moe_intermediate_size", shape.whole("intermediate_size"));
  shape.put_expert("count", same("num_experts", 1));
  shape.put_expert("top_k", same("moe_topk", 1));
  shape.put_expert("ffn_size", width);
  shape.put_expert("shared_ffn_size", same("num_shared_expert", 0) * width);
}

constexpr std::string_view kQwenNextKeys[] = {
    "attn_output_gate",       "full_attention_interval", "layer_types",
    "linear_conv_kernel_dim", "linear_key_head_dim",     "linear_num_key_heads",
    "linear_num_value_heads", "linear_value_head_dim"};
constexpr std::string_view kSparseKeys[] = {"index_topk", "index_n_heads", "index_head_dim",
                                            "indexer_types"};
constexpr std::string_view kCompressedKeys[] = {
    "compress_rates", "compress_ratios", "index_head_dim", "index_n_heads", "index_topk",
    "layer_types",    "o_groups",        "o_lora_rank",    "q_lora_rank",   "sliding_window"};
constexpr std::string_view kKimiLinearKeys[] = {"linear_attn_config", "mla_use_output_gate",
                                                "num_shared_experts", "moe_intermediate_size"};
constexpr std::string_view kMinimaxM3Keys[] = {"sparse_attention_config", "attention_output_gate",
                                               "moe_layer_freq", "shared_intermediate_size"};
constexpr std::string_view kGemma4Keys[] = {"attention_k_eq_v", "enable_moe_block",
                                            "global_head_dim",  "layer_types",
                                            "sliding_window",   "num_global_key_value_heads"};
constexpr std::string_view kMimoV2Keys[] = {
    "hybrid_layer_pattern",    "moe_layer_freq", "sliding_window",
    "sliding_window_size",     "swa_head_dim",   "swa_v_head_dim",
    "swa_num_attention_heads", "v_head_dim",     "swa_num_key_value_heads"};
constexpr std::string_view kStepKeys[] = {"attention_other_setting", "layer_types",
                                          "moe_layers_enum", "sliding_window",
                                          "use_head_wise_attn_gate"};
constexpr std::string_view kMambaKeys[] = {
    "mamba_n_heads",  "mamba_d_head",      "mamba_d_state",
    "mamba_n_groups", "mamba_d_conv",      "mamba_chunk_size",
    "layer_types",    "layers_block_type", "shared_intermediate_size"};
constexpr std::string_view kJambaKeys[] = {
    "attn_layer_offset", "attn_layer_period", "expert_layer_offset", "expert_layer_period",
    "mamba_d_conv",      "mamba_d_state",     "mamba_dt_rank",       "mamba_expand"};
constexpr std::string_view kMinimax01Keys[] = {"attn_type_list", "block_size", "layer_types",
                                               "shared_intermediate_size"};
constexpr std::string_view kLocalKeys[] = {"layer_types", "sliding_window"};
constexpr std::string_view kErnieKeys[] = {"moe_intermediate_size", "moe_k",
                                           "moe_num_experts",       "moe_num_shared_experts",
                                           "moe_layer_interval",    "moe_layer_start_index"};
constexpr std::string_view kHunyuanKeys[] = {"moe_intermediate_size", "moe_topk", "num_experts",
                                             "num_shared_expert"};

/// A reader of the layers of a `model_type`, and the keys that it reads.
struct Reader {
  std::string_view model_type;
  void (*put)(Shape& shape);
  std::span<const std::string_view> keys;
};
constexpr Reader kReaders[] = {
    {"deepseek_ref", put_compressed, kCompressedKeys},
    {"deepseek_v32", put_sparse, kSparseKeys},
    {"deepseek_v4", put_compressed, kCompressedKeys},
    {"ernie4_5_moe", put_ernie_moe, kErnieKeys},
    {"exaone4", put_local_layers, kLocalKeys},
    {"falcon_h1", put_falcon_h1, kMambaKeys},
    {"gemma4_text", put_gemma4, kGemma4Keys},
    {"glm_moe_dsa", put_sparse, kSparseKeys},
    {"granitemoehybrid", put_granite_hybrid, kMambaKeys},
    {"hunyuan_v1_moe", put_hunyuan_moe, kHunyuanKeys},
    {"jamba", put_jamba, kJambaKeys},
    {"kimi_linear", put_kimi_linear, kKimiLinearKeys},
    {"mimo_v2_flash", put_mimo_v2, kMimoV2Keys},
    {"minimax", put_minimax_01, kMinimax01Keys},
    {"minimax_m1", put_minimax_01, kMinimax01Keys},
    {"minimax_m3", put_minimax_m3, kMinimaxM3Keys},
    {"minimax_text_01", put_minimax_01, kMinimax01Keys},
    {"olmo3", put_local_layers, kLocalKeys},
    {"qwen3_5_moe_text", put_qwen_next, kQwenNextKeys},
    {"qwen3_5_text", put_qwen_next, kQwenNextKeys},
    {"qwen3_next", put_qwen_next, kQwenNextKeys},
    {"step3p5", put_step, kStepKeys},
    {"step3p7", put_step, kStepKeys},
};

}  // namespace

std::span<const std::string_view> mixer_keys(std::string_view model_type) {
  const auto* const reader = std::ranges::find(kReaders, model_type, &Reader::model_type);
  return reader == std::end(kReaders) ? std::span<const std::string_view>() : reader->keys;
}

void put_mixers(const Node& config, std::string_view model_type, Node& entry,
                std::vector<core::Diagnostic>& problems) {
  const auto* const reader = std::ranges::find(kReaders, model_type, &Reader::model_type);
  if (reader == std::end(kReaders)) return;
  Shape shape(config, entry, problems);
  reader->put(shape);
}

}  // namespace railwright::models
