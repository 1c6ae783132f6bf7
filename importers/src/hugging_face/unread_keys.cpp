// SPDX-License-Identifier: Apache-2.0
#include "unread_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hugging_face_ignored.hpp"
#include "railwright/models/workload/hugging_face_keys.hpp"

namespace railwright::importers {

namespace {

bool is_switched_off(const core::Node& node) {
  return node.is_scalar() ? node.text == "false" || node.text == "0" || node.text == "1"
                          : node.items.empty() && node.entries.empty();
}

}  // namespace

void check_layer_types(const models::Transformer& model, TreeValues& config, Findings& findings) {
  const core::Node* types = config.find("layer_types");
  if (types == nullptr || !model.mixers.empty() || !model.layer_pattern.empty()) return;
  const int every = model.local_attention ? model.local_attention->global_every : 0;
  for (std::size_t i = 0; i < types->items.size(); ++i) {
    const bool is_global = every > 0 && (i + 1) % static_cast<std::size_t>(every) == 0;
    const bool is_local = model.local_attention && !is_global;
    const std::string_view word = types->items[i].text;
    if (word == (is_local ? "sliding_attention" : "full_attention")) continue;
    if (is_local && word == "chunked_attention") continue;
    if (word == "deepseek_sparse_attention") continue;  // said of index_topk
    findings.not_expressed(
        fmt::format("not read: layer_types, of which number {} is {}", i + 1, shown(word)));
    return;
  }
}

void add_unread(const core::Node& document, const core::Node& text, std::string_view type,
                TreeValues& config, Findings& findings) {
  config.ignore(models::hugging_face_keys(type));
  config.ignore(kHuggingFaceIgnored);
  if (type.starts_with("qwen3") || type == "llama4_text") {
    config.ignore({"use_qk_norm"});  // counted, or without parameters
  }
  if (type == "gpt_oss" || type == "glm4_moe") config.ignore({"attention_bias"});
  if (type == "deepseek_v32" || type == "glm_moe_dsa") {
    config.ignore({"index_share_for_mtp_iteration", "index_skip_topk_offset", "index_topk_freq",
                   "index_topk_pattern", "indexer_rope_interleave", "qk_head_dim"});
    const core::Node* again = find_given(text, "num_experts");
    const core::Node* experts = find_given(text, "n_routed_experts");
    if (again != nullptr && experts != nullptr && again->text == experts->text) {
      config.ignore({"num_experts"});
    }
  }
  if (const core::Node* kinds = config.find("mlp_layer_types")) {
    const auto dense = config.whole("first_k_dense_replace").value_or(0);
    for (std::size_t i = 0; i < kinds->items.size(); ++i) {
      if (kinds->items[i].text == (std::cmp_less(i, dense) ? "dense" : "sparse")) continue;
      findings.not_expressed("not read: mlp_layer_types, which differ from first_k_dense_replace");
      break;
    }
  }
  if (type == "minimax_m2") {
    config.ignore({"qk_norm_type", "rotary_dim", "use_qk_norm", "use_routing_bias"});
    const core::Node* attention = find_given(text, "attn_type_list");
    if (attention != nullptr && std::ranges::all_of(attention->items, [](const core::Node& one) {
          return one.text == "1";
        })) {
      config.ignore({"attn_type_list"});  // all layers attend to all tokens
    }
  }
  if (type.starts_with("minimax") || type.starts_with("qwen3")) config.ignore({"use_qk_norm"});
  if (type == "deepseek_v4") config.ignore({"expert_dtype", "qk_rope_head_dim"});
  if (type == "deepseek_ref") config.ignore({"qk_rope_head_dim"});
  if (type == "mimo_v2_flash") config.ignore({"attention_chunk_size"});
  if (type == "t5") config.ignore({"is_encoder_decoder"});
  if (type == "gpt_oss") config.ignore({"experts_per_token"});  // num_experts_per_tok again
  for (const core::Entry& entry : text.entries) {
    const bool is_harmless =
        std::ranges::any_of(kHuggingFaceIgnoredEnds,
                            [&](std::string_view end) { return entry.key.ends_with(end); }) ||
        (is_switched_off(entry.value) && std::ranges::count(kHuggingFaceOff, entry.key) > 0) ||
        (entry.value.text == "true" && std::ranges::count(kHuggingFaceOn, entry.key) > 0);
    if (is_harmless) config.ignore({entry.key});
  }
  std::vector<std::string> unread = config.unasked();
  for (const core::Entry& entry : document.entries) {
    const bool is_part =
        &document != &text && entry.value.is_mapping() && entry.key != "text_config";
    if (is_part && std::ranges::count(kHuggingFaceIgnored, entry.key) == 0) {
      unread.push_back(entry.key);
    }
  }
  if (find_given(document, "quantization_config") != nullptr ||
      find_given(text, "quantization_config") != nullptr) {
    findings.not_expressed("quantization_config: a scenario has its own precision of weights");
  }
  if (unread.empty()) return;
  std::string names;
  for (const std::string& name : unread) names += (names.empty() ? "" : ", ") + shown(name);
  findings.not_expressed("not read: " + names);
}

}  // namespace railwright::importers
