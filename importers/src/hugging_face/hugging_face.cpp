// SPDX-License-Identifier: Apache-2.0
// Imports config.json of a transformer. models/workload maps its keys to ours; this file notes the
// parameters that the checkpoint has beyond the description, and what config.json does not tell.
#include "hugging_face.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "../common/looks_like.hpp"
#include "../common/model_part.hpp"
#include "../common/tree_values.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::importers {

namespace {

/// Parameters of the published checkpoints that the description cannot express, less those that it
/// counts but the checkpoints lack.
struct Gap {
  std::int64_t parameters = 0;
  std::string what;
};

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
  if (type == "qwen3" || type == "qwen3_moe") {
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
  if (type == "deepseek_v3" || type == "kimi_k2") return {corrections, "corrections of the router"};
  if (type == "glm4_moe") {
    const bool has_norms = config.truth("use_qk_norm").value_or(false);
    return {layers * (into_attention + (has_norms ? 2 * head : 0)) + corrections,
            "biases of queries, keys and values, and corrections of the router"};
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
  if (!is_countable(model)) {
    throw core::ConfigError(
        {{{file}, "workload.model", "more parameters than can be counted", ""}});
  }

  TreeValues config(models::text_config(document), findings);
  const std::string type = model.name;
  if (const auto name = config.text("_name_or_path"); name && !name->empty()) {
    model.description = shown(*name);
  }
  model.source = shown(std::filesystem::path(file).filename().string());
  const std::int64_t counted = models::num_parameters(model);
  const bool is_served = known.is_mapping() && known.find("inference") != nullptr;
  findings.know(is_served ? "inference.model" : "workload.model", complete_node(model),
                fmt::format("model_type {}, {}", type, in_words(counted)));
  add_gap(vectors_gap(type, model, config), counted, findings);
  add_omissions(type, model, config, findings);
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
