// SPDX-License-Identifier: Apache-2.0
// Imports config.json of a transformer. models/workload maps its keys to ours; this file notes the
// parameters that the checkpoint has beyond the description, and what config.json does not tell.
#include "hugging_face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "../common/looks_like.hpp"
#include "../common/model_part.hpp"
#include "../common/tree_values.hpp"
#include "hugging_face_ignored.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/hugging_face_keys.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::importers {

namespace {

/// Parameters of the published checkpoints that the description cannot express, less those that it
/// counts but the checkpoints lack.
struct Gap {
  std::int64_t parameters = 0;
  std::string what;
};

/// Counts the parameters that choose keys for each query: from the narrow vector of queries, and
/// from the model's own.
std::int64_t indexer_parameters(const models::Transformer& model, TreeValues& config) {
  const std::int64_t heads = config.whole("index_n_heads", 0, 1'000'000).value_or(0);
  const std::int64_t size = config.whole("index_head_dim", 0, 1'000'000).value_or(0);
  std::int64_t layers = model.num_layers;
  if (const core::Node* types = config.find("indexer_types")) {
    layers = std::ranges::count(types->items, "full", &core::Node::text);
  }
  const std::int64_t rank = model.latent_attention ? model.latent_attention->query_rank : 0;
  return layers * (rank * heads * size + model.hidden_size * (size + heads) + 2 * size);
}

Gap vectors_gap(std::string_view type, const models::Transformer& model, TreeValues& config) {
  const std::int64_t layers = model.num_layers;
  const std::int64_t head = model.head_size.value_or(model.hidden_size / model.num_heads);
  const std::int64_t into_attention =
      (model.num_heads + std::int64_t{2} * model.num_kv_heads) * head;
  const std::int64_t hidden = model.hidden_size;
  if (type == "qwen2") return {layers * into_attention, "biases of queries, keys and values"};
  if (type == "qwen2_moe") {
    return {layers * (into_attention + hidden),
            "biases of queries, keys and values, and the gate of the shared expert"};
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
  const std::int64_t corrections =
      model.experts ? models::layers_with_experts(model) * std::int64_t{model.experts->count} : 0;
  if (type == "minimax_m2") {
    return {layers * into_attention - layers * model.num_kv_heads * head + corrections,
            "norms of queries and keys, and corrections of the router"};
  }
  if (type == "deepseek_v32" || type == "glm_moe_dsa") {
    return {corrections + indexer_parameters(model, config),
            "corrections of the router, and what chooses the keys that a token attends to"};
  }
  if (type == "deepseek_v3" || type == "kimi_k2") return {corrections, "corrections of the router"};
  if (type == "glm4_moe") {
    const bool has_norms = config.truth("use_qk_norm").value_or(false);
    return {layers * (into_attention + (has_norms ? 2 * head : 0)) + corrections,
            "biases of queries, keys and values, and corrections of the router"};
  }
  if (type == "opt") {
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
  if (type == "falcon" && !model.biases) {
    const bool new_decoder = config.truth("new_decoder_architecture").value_or(false);
    const bool parallel = config.truth("parallel_attn").value_or(true);
    // Each norm has a bias. The description counts two norms a layer without one; 7B has one norm.
    const std::int64_t norms = new_decoder || !parallel ? 2 : 1;
    return {layers * (2 * norms - 2) * hidden + hidden, "biases of norms"};
  }
  if (config.truth("attention_bias").value_or(false) && !model.biases) {
    return {layers * (into_attention + hidden), "biases of attention"};
  }
  return {};
}

void add_gap(const Gap& gap, std::int64_t counted, Findings& findings) {
  if (gap.parameters == 0) return;
  findings.not_expressed(
      fmt::format("{}: {} of {} parameters", gap.what, gap.parameters, counted + gap.parameters));
}

/// Notes settings that change the work of a layer but have no place in the description.
void add_omissions(std::string_view type, const models::Transformer& model, TreeValues& config,
                   Findings& findings) {
  const auto window = config.whole("sliding_window");
  const bool is_off = !config.truth("use_sliding_window")
                           .value_or(type != "qwen2" && type != "qwen2_moe" && type != "qwen3");
  if (window && !is_off && !model.local_attention) {
    findings.not_expressed(fmt::format(
        "sliding_window {}: attention is taken over the whole sequence, which is more work where "
        "sequences are longer",
        *window));
  }
  if (const auto every = config.whole("moe_layer_freq"); every.value_or(1) > 1) {
    findings.not_expressed(
        fmt::format("moe_layer_freq {}: every layer behind the first dense ones is taken to have "
                    "experts",
                    *every));
  }
  if (const core::Node* dense = config.find("mlp_only_layers");
      dense != nullptr && !dense->items.empty()) {
    findings.not_expressed("mlp_only_layers: these layers are taken to have experts too");
  }
  if (const auto chosen = config.whole("index_topk")) {
    findings.not_expressed(fmt::format(
        "index_topk {}: attention is taken over the whole sequence, which is more work where "
        "sequences are longer",
        *chosen));
  }
  if (const auto more = config.whole("num_nextn_predict_layers"); more.value_or(0) > 0) {
    findings.not_expressed(fmt::format(
        "num_nextn_predict_layers {}: layers that predict further tokens are left out", *more));
  }
  const bool is_parallel =
      (type == "falcon" && config.truth("parallel_attn").value_or(true)) ||
      (type == "gpt_neox" && config.truth("use_parallel_residual").value_or(true));
  if (is_parallel) {
    findings.not_expressed(
        "attention and feed-forward block side by side: taken one behind the other, with two "
        "tensor-parallel reductions in place of one");
  }
}

/// Notes layers that are local or not in another order than the description has them.
void check_layer_types(const models::Transformer& model, TreeValues& config, Findings& findings) {
  const core::Node* types = config.find("layer_types");
  if (types == nullptr) return;
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

bool is_off(const core::Node& node) {
  return node.is_scalar() ? node.text == "false" || node.text == "0" || node.text == "1"
                          : node.items.empty() && node.entries.empty();
}

/// Names what was not read and may change parameters, time or memory. `text` is the text model's
/// part of `document`.
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
  if (type == "t5") config.ignore({"is_encoder_decoder"});
  if (type == "gpt_oss") config.ignore({"experts_per_token"});  // num_experts_per_tok again
  for (const core::Entry& entry : text.entries) {
    const bool is_harmless =
        std::ranges::any_of(kHuggingFaceIgnoredEnds,
                            [&](std::string_view end) { return entry.key.ends_with(end); }) ||
        (is_off(entry.value) && std::ranges::count(kHuggingFaceOff, entry.key) > 0) ||
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

/// Throws ConfigError where numbers of the shape contradict one another.
void require_consistent(const models::Transformer& model, const core::Node& entry) {
  std::vector<core::Diagnostic> problems;
  for (const core::Problem& problem : models::find_problems(model)) {
    problems.push_back(
        {entry.where, "workload.model." + problem.key, problem.message, problem.hint});
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
}

}  // namespace

bool is_hugging_face(std::string_view head) {
  return is_json_object(head) && contains(head, "\"model_type\"");
}

Imported import_hugging_face(std::string_view text, const std::string& file,
                             const core::Node& known) {
  Findings findings(file);
  const core::Node document = parse_json(text, file);
  const core::Node entry = models::Transformer::from_json(document, findings.problems());
  findings.throw_if_any();
  core::Reader reader;
  models::Transformer model;
  reader.read(entry, "workload.model", model);
  reader.throw_if_any();
  if (model.hidden_size % model.num_heads != 0 && !model.head_size) {
    throw core::ConfigError(
        {{entry.find("num_heads")->where, "workload.model.num_heads",
          fmt::format("{} heads do not divide a width of {}", model.num_heads, model.hidden_size),
          ""}});
  }
  require_consistent(model, entry);
  if (!is_countable(model)) {
    throw core::ConfigError(
        {{{file}, "workload.model", "more parameters than can be counted", ""}});
  }

  const core::Node& text_model = models::text_config(document);
  TreeValues config(text_model, findings);
  const std::string type = model.name;
  if (const auto name = config.text("_name_or_path"); name && !name->empty()) {
    model.description = shown(*name);
  }
  model.source = shown(std::filesystem::path(file).filename().string());
  const std::int64_t counted = models::num_parameters(model);
  const bool is_served = known.is_mapping() && known.find("inference") != nullptr;
  const Gap gap = vectors_gap(type, model, config);
  // A checkpoint that differs by more than 0.5 % has its own count first.
  const bool is_far = std::abs(gap.parameters) * 200 > counted;
  findings.know(
      is_served ? "inference.model" : "workload.model", complete_node(model),
      fmt::format("model_type {}, {}{}", type, in_words(counted + (is_far ? gap.parameters : 0)),
                  is_far ? ", described as " + in_words(counted) : ""));
  add_gap(gap, counted, findings);
  add_omissions(type, model, config, findings);
  check_layer_types(model, config, findings);
  if (const auto latent = config.whole("moe_latent_size"); latent && model.experts) {
    findings.not_expressed(fmt::format(
        "moe_latent_size {}: experts are described as {} wide between vectors of {}, which are the "
        "same parameters and work; what experts on other accelerators are sent is {} times as much",
        *latent, model.experts->ffn_size, model.hidden_size,
        model.hidden_size / static_cast<double>(*latent)));
  }
  add_unread(document, text_model, type, config, findings);
  if (document.find("vision_config") != nullptr) {
    findings.not_expressed("vision_config: the text model alone is read");
  }

  if (is_served) return findings.take();
  const auto longest = config.whole("max_position_embeddings");
  findings.unknown("workload.sequence_length",
                   longest ? fmt::format("a config.json tells at most how long a sequence may be: "
                                         "{} tokens",
                                         *longest)
                           : "not in a config.json");
  for (const char* path : {"workload.global_batch", "workload.steps", "parallelism", "software"}) {
    findings.unknown(path, "a config.json tells the model alone");
  }
  return findings.take();
}

}  // namespace railwright::importers
