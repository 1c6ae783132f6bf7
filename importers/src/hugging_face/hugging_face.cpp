// SPDX-License-Identifier: Apache-2.0
// Imports config.json of a transformer. models/workload maps its keys to ours; this file notes the
// parameters that the checkpoint has beyond the description, and what config.json does not tell.
#include "hugging_face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "../common/looks_like.hpp"
#include "../common/model_part.hpp"
#include "../common/tree_values.hpp"
#include "checkpoint_gap.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "unread_keys.hpp"

namespace railwright::importers {

namespace {

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
  const bool has_windows =
      model.local_attention || std::ranges::any_of(model.mixers, [](const models::Mixer& mixer) {
        return mixer.window > 0;
      });
  if (window && !is_off && !has_windows) {
    findings.not_expressed(fmt::format(
        "sliding_window {}: attention is taken over the whole sequence, which is more work where "
        "sequences are longer",
        *window));
  }
  const core::Node* frequency = config.find("moe_layer_freq");
  const bool is_number = frequency != nullptr && frequency->is_scalar();
  if (const auto every = is_number ? config.whole("moe_layer_freq") : std::nullopt;
      every.value_or(1) > 1) {
    findings.not_expressed(
        fmt::format("moe_layer_freq {}: every layer behind the first dense ones is taken to have "
                    "experts",
                    *every));
  }
  if (const core::Node* dense = config.find("mlp_only_layers");
      dense != nullptr && !dense->items.empty()) {
    findings.not_expressed("mlp_only_layers: these layers are taken to have experts too");
  }
  for (const char* key : {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}) {
    if (const auto more = config.whole(key); more.value_or(0) > 0) {
      findings.not_expressed(
          fmt::format("{} {}: layers that predict further tokens are left out", key, *more));
    }
  }
  if (const auto streams = config.whole("hc_mult"); streams.value_or(1) > 1) {
    findings.not_expressed(fmt::format(
        "hc_mult {}: what mixes so many residual streams is left out, and one stream is kept and "
        "passed on",
        *streams));
  }
  if (const auto blocks = config.whole("attn_res_block_size"); blocks.value_or(0) > 0) {
    findings.not_expressed(fmt::format(
        "attn_res_block_size {}: attention to the outputs of earlier layers is left out", *blocks));
  }
  if (const auto narrow = config.whole("hidden_size_per_layer_input"); narrow.value_or(0) > 0) {
    findings.not_expressed(fmt::format(
        "hidden_size_per_layer_input {}: embeddings of each layer are left out", *narrow));
  }
  if (const auto shared = config.whole("num_kv_shared_layers"); shared.value_or(0) > 0) {
    findings.not_expressed(fmt::format(
        "num_kv_shared_layers {}: each layer is taken to have keys and values of its own",
        *shared));
  }
  if (type == "falcon_h1") {
    findings.not_expressed(
        "Mamba-2 and attention side by side: taken one behind the other, as blocks of their own");
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

/// Throws ConfigError where numbers of the shape contradict one another.
void require_consistent(const models::Transformer& model, const core::Node& entry) {
  std::vector<core::Diagnostic> problems;
  for (const core::Problem& problem : models::find_problems(model)) {
    problems.push_back(
        {entry.where, "workload.model." + problem.key, problem.message, problem.hint});
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
}

/// A config.json tells the model alone, and not how it is trained.
void add_unknown_of_training(TreeValues& config, Findings& findings) {
  const auto longest = config.whole("max_position_embeddings");
  findings.unknown("workload.sequence_length",
                   longest ? fmt::format("a config.json tells at most how long a sequence may be: "
                                         "{} tokens",
                                         *longest)
                           : "not in a config.json");
  for (const char* path : {"workload.global_batch", "workload.steps", "parallelism", "software"}) {
    findings.unknown(path, "a config.json tells the model alone");
  }
}

}  // namespace

bool is_hugging_face(std::string_view head) {
  // DeepSpeed's JSON has a "model_type" too, deep within.
  return is_json_object(head) && contains(head, "\"model_type\"") &&
         !contains(head, "\"train_batch_size\"") &&
         !contains(head, "\"train_micro_batch_size_per_gpu\"");
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
  const Gap gap = checkpoint_gap(type, model, config);
  // A checkpoint that differs by more than 0.5 % has its own count first.
  const bool is_far = std::abs(gap.parameters) * 200 > counted;
  findings.know(
      is_served ? "inference.model" : "workload.model", complete_node(model),
      fmt::format("model_type {}, {}{}", type, in_words(counted + (is_far ? gap.parameters : 0)),
                  is_far ? ", described as " + in_words(counted) : ""));
  add_gap(gap, counted, findings);
  add_omissions(type, model, config, findings);
  check_layer_types(model, config, findings);
  add_unread(document, text_model, type, config, findings);
  if (document.find("vision_config") != nullptr && !model.image_encoder) {
    findings.not_expressed(
        "vision_config: the text model alone is read; what encodes images is not computed");
  }

  if (!is_served) add_unknown_of_training(config, findings);
  return findings.take();
}

}  // namespace railwright::importers
