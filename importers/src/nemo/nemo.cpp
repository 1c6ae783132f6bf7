// SPDX-License-Identifier: Apache-2.0
// Translates YAML recipes of NeMo 1 (and its launcher) and the run files of NeMo 2 to Megatron-LM's
// arguments. [@nemo_recipes]
#include "nemo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "../common/tree_values.hpp"
#include "../megatron/megatron_recipe.hpp"
#include "nemo_keys.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

core::Node scalar(std::string text, const core::Location& where) {
  core::Node node;
  node.kind = core::Node::Kind::kScalar;
  node.text = std::move(text);
  node.where = where;
  return node;
}

class NemoReading {
 public:
  NemoReading(const core::Node& document, const std::string& file)
      : document_(document), findings_(file), recipe_(document_, findings_) {
    arguments_.kind = core::Node::Kind::kMapping;
    arguments_.where = {file};
  }

  Imported all() {
    for (const NemoKey& pair : kNemoKeys) {
      const core::Node* value = recipe_.find(pair.theirs);
      if (value != nullptr) take(pair, *value);
    }
    if (arguments_.entries.empty() && !recipe_.has("model.config._target_")) {
      findings_.problem_in_file("no recipe of NeMo",
                                "its keys trainer.num_nodes, model.num_layers, "
                                "trainer.strategy.tensor_model_parallel_size ... are looked for");
      findings_.throw_if_any();
    }
    require_language_model();
    translate();
    add_megatron_recipe(arguments_, true, {}, findings_);
    if (is_precision_open_) {
      for (const char* path : {"software.precision", "software.gradient_reduce_bytes",
                               "software.parameter_gather_bytes"}) {
        findings_.forget(path);
      }
    }
    name_model();
    adapters();
    add_bucket();
    software();
    pass_over();
    return findings_.take();
  }

 private:
  [[nodiscard]] bool is_of_two() {
    return recipe_.has("trainer.strategy.tensor_model_parallel_size") ||
           recipe_.has("model.config._target_");
  }

  /// Whether AWS's NeuronX Distributed Training reads the recipe. Its keys are NeMo 1's but for the
  /// parallelism, which stands in a part of its own. [@neuronx_training]
  [[nodiscard]] bool is_of_neuron() { return recipe_.has("distributed_strategy"); }

  void software() {
    if (is_of_neuron()) {
      findings_.unknown("software", "the catalogue has no profile of NeuronX Distributed Training");
    } else if (is_of_two()) {
      propose_software(findings_, "nemo-25.02",
                       "a run of NeMo 2, of which this is the newest profile");
    } else {
      propose_software(findings_, "nemo-24.09",
                       "a recipe of NeMo 1, of which this is the newest profile");
    }
  }

  void put(std::string_view name, core::Node value) {
    if (core::Node* old = arguments_.find(name)) {
      *old = std::move(value);
    } else {
      arguments_.entries.push_back({std::string(name), value.where, std::move(value)});
    }
  }

  /// Refuses a recipe in which neither a language model nor how one is divided was read: all that
  /// remained would be the base's.
  void require_language_model() {
    for (const NemoOtherModel& other : kNemoOtherModels) {
      const core::Node* mark = recipe_.find(other.key);
      if (mark == nullptr) continue;
      findings_.problem(mark->where, other.key,
                        fmt::format("no recipe of a language model but of {}", other.what));
      findings_.throw_if_any();
    }
    for (const char* key : {"model._target_", "model.target", "model.config._target_"}) {
      const core::Node* target = recipe_.find(key);
      if (target == nullptr) continue;
      for (const std::string_view other : kNemoOtherCollections) {
        if (target->text.find(fmt::format("nemo.collections.{}.", other)) == std::string::npos) {
          continue;
        }
        findings_.problem(
            target->where, key,
            fmt::format("no recipe of a language model but of nemo.collections.{}", other));
        findings_.throw_if_any();
      }
    }
    const auto given = [&](std::string_view name) { return arguments_.find(name) != nullptr; };
    if (given("num_layers") || given("hidden_size") || !class_name().empty()) return;
    const bool is_divided =
        given("tensor_model_parallel_size") || given("pipeline_model_parallel_size");
    const bool has_batch = given("micro_batch_size") || given("global_batch_size");
    const bool has_checkpoint = recipe_.has("model.restore_from_path");
    if (!is_divided && !(has_batch && (has_checkpoint || recipe_.has("data")))) {
      findings_.problem_in_file(
          "no recipe of a language model",
          "it has neither model.num_layers and model.hidden_size nor a parallelism");
      findings_.throw_if_any();
    }
    if (recipe_.has("model.encoder") && recipe_.has("model.decoder")) {
      findings_.outside("workload.model",
                        "model.encoder and model.decoder: not read of a recipe; name the model");
    } else if (has_checkpoint) {
      findings_.outside("workload.model",
                        "that of the checkpoint of model.restore_from_path; name the model");
    }
  }

  void take(const NemoKey& pair, const core::Node& value) {
    if (pair.theirs == "trainer.devices" && (value.text == "-1" || value.text == "auto")) {
      findings_.unknown("cluster.node.num_accelerators", "trainer.devices: all there are");
      return;
    }
    if (pair.megatron == "recompute_num_layers" && !counts_layers(pair.theirs, value)) return;
    if (pair.theirs == "trainer.max_steps" && value.text == "-1") return;  // as many as there are
    if (!value.is_scalar() || (value.text.find('$') == std::string::npos && value.text != "???")) {
      put(pair.megatron, value);
      return;
    }
    const std::string text = resolved(value.text, pair.theirs);
    if (text.empty()) {
      findings_.outside(std::string(pair.theirs),
                        fmt::format("{} is not resolved", shown(value.text)));
      // "auto" keeps a default from being assumed.
      if (pair.megatron.ends_with("_parallel_size")) {
        put(pair.megatron, scalar("auto", value.where));
      }
    } else {
      put(pair.megatron, scalar(text, value.where));
    }
  }

  /// Whether a number of recomputed layers means something: it does under full recompute alone.
  /// Reports 0 layers of it, by the recipe's own key.
  bool counts_layers(std::string_view path, const core::Node& value) {
    const std::string granularity(path.substr(0, path.rfind("num_layers")));
    if (recipe_.text(granularity + "granularity").value_or("") != "full") return false;
    if (value.text == "0") {
      findings_.problem(value.where, path, "0 layers of full recompute");
      return false;
    }
    return true;
  }

  /// Resolves "${.hidden_size}", "${model.hidden_size}" and "${multiply:4, ${.hidden_size}}"; ""
  /// for others.
  [[nodiscard]] std::string resolved(std::string_view text, std::string_view path) const {
    constexpr std::string_view kMultiply = "${multiply:";
    constexpr std::size_t kLongest = 200;
    if (text.size() > kLongest) return {};
    if (text.starts_with(kMultiply) && text.ends_with('}')) {
      text.remove_prefix(kMultiply.size());
      text.remove_suffix(1);
      const std::size_t comma = text.find(',');
      if (comma == std::string_view::npos) return {};
      const auto factor = [&](std::string_view word) {
        const std::size_t first = word.find_first_not_of(' ');
        if (first == std::string_view::npos) return 0.0;
        word.remove_prefix(first);
        return word.starts_with('$') ? core::number_of(resolved(word, path))
                                     : core::number_of(word);
      };
      const double product = factor(text.substr(0, comma)) * factor(text.substr(comma + 1));
      return product >= 1.0 && product < 1e9 ? fmt::format("{:.0f}", product) : "";
    }
    if (!text.starts_with("${") || text.find('}') != text.size() - 1) return {};
    std::string target(text.substr(2, text.size() - 3));
    if (target.starts_with('.')) {
      target = std::string(path.substr(0, path.rfind('.'))) + target;
    }
    // The launcher hangs a recipe below the name of its stage.
    constexpr std::string_view kStage = "training.";
    const core::Node* node = find_given(document_, target);
    if (node == nullptr && target.starts_with(kStage)) {
      node = find_given(document_, std::string_view(target).substr(kStage.size()));
    }
    const bool is_plain =
        node != nullptr && node->is_scalar() && node->text.find('$') == std::string::npos;
    return is_plain ? node->text : std::string();
  }

  void translate() {
    const bool is_two = is_of_two();
    const core::Location here{findings_.file()};
    const auto truth = [&](bool value) { return scalar(value ? "true" : "false", here); };
    if (!is_two) {
      // model_config.yaml has tied embeddings, biases and no overlap of stages as defaults.
      put("untie_embeddings_and_output_weights",
          truth(!recipe_.truth("model.share_embeddings_and_output_weights").value_or(true)));
      put("disable_bias_linear",
          truth(!recipe_.truth(is_of_neuron() ? "model.has_bias" : "model.bias").value_or(true)));
      if (arguments_.find("overlap_p2p_communication") == nullptr) {
        put("overlap_p2p_communication", truth(false));
      }
      const auto optimizer = recipe_.text("model.optim.name").value_or("");
      if (!is_of_neuron()) {
        put("use_distributed_optimizer", truth(optimizer.find("distributed") != std::string::npos));
      }
      if (!optimizer.empty() && optimizer.find("adam") == std::string::npos &&
          optimizer.find("distributed") == std::string::npos) {
        put("optimizer", scalar(optimizer, here));
      }
    } else {
      const auto told = [&](const char* key, bool otherwise) {
        return recipe_.truth(fmt::format("model.config.{}", key)).value_or(otherwise);
      };
      const NemoFamily* family = family_of(class_name());
      const bool tied = told("share_embeddings_and_output_weights", !family || family->tied);
      put("untie_embeddings_and_output_weights", truth(!tied));
      put("disable_bias_linear", truth(!told("add_bias_linear", !family)));
      put("swiglu", truth(told("gated_linear_unit", family && family->gated)));
      if (family != nullptr) add_defaults(here);
    }
    if (arguments_.find("num_query_groups") != nullptr) {
      put("group_query_attention", truth(true));
    }
    const NemoFamily* family = is_two ? family_of(class_name()) : nullptr;
    const std::string norm =
        recipe_.text(is_two ? "model.config.normalization" : "model.normalization")
            .value_or(family != nullptr && family->rms_norm ? "RMSNorm" : "LayerNorm");
    put("normalization",
        scalar(norm == "rmsnorm" || norm == "RMSNorm" ? "RMSNorm" : "LayerNorm", here));
    if (const auto activation = recipe_.text("model.activation")) {
      put("swiglu", truth(activation->find("glu") != std::string::npos));
    }
    precision(here);
    const auto sync = recipe_.text("model.optim.grad_sync_dtype");
    if (sync && (*sync == "bf16" || *sync == "fp16" || *sync == "torch.bfloat16")) {
      put("grad_reduce_in_bf16", truth(true));
    }
  }

  void precision(const core::Location& here) {
    if (is_of_neuron()) {
      const std::string type = recipe_.text("precision.type").value_or("");
      if (type.starts_with("mixed_precision") || type == "autocast" || type.starts_with("bf16")) {
        put("bf16", scalar("true", here));
      } else if (type != "fp32") {
        findings_.outside("software.precision", fmt::format("precision.type '{}'", shown(type)));
        is_precision_open_ = true;
      }
      return;
    }
    const std::string text = recipe_.text("trainer.precision")
                                 .value_or(recipe_.text("trainer.plugins.precision").value_or(""));
    if (text.starts_with("bf16")) put("bf16", scalar("true", here));
    if (text.starts_with("16")) put("fp16", scalar("true", here));
    if (text.empty()) {
      findings_.unknown("software.precision", "no trainer.precision: taken as PyTorch's fp32");
    }
  }

  /// Returns the recipe's class, such as "Llama3Config8B"; "" where it names none.
  [[nodiscard]] std::string class_name() {
    const auto target = recipe_.text("model.config._target_");
    return target ? target->substr(target->rfind('.') + 1) : std::string();
  }

  static const NemoFamily* family_of(std::string_view name) {
    const auto* const known = std::ranges::find_if(
        kNemoFamilies, [&](const NemoFamily& one) { return name.starts_with(one.prefix); });
    return known == kNemoFamilies.end() ? nullptr : known;
  }

  /// Adds the defaults of a NeMo family that differ from Megatron-LM's, if the recipe has a shape.
  void add_defaults(const core::Location& here) {
    if (arguments_.find("num_layers") == nullptr) return;
    for (const auto& [name, value] :
         {std::pair{"position_embedding_type", "rope"}, std::pair{"attention_dropout", "0"},
          std::pair{"hidden_dropout", "0"}}) {
      if (arguments_.find(name) == nullptr) put(name, scalar(value, here));
    }
  }

  void name_model() {
    const std::string name = class_name();
    if (name.empty() || arguments_.find("num_layers") != nullptr) return;
    const auto known = std::ranges::find(kNemoClasses, name, &NemoKey::theirs);
    if (known == kNemoClasses.end()) {
      findings_.unknown("workload.model",
                        fmt::format("the defaults of {} are not known here", shown(name)));
      return;
    }
    findings_.assume("workload.model", std::string(known->megatron),
                     fmt::format("the shape that {} has in NeMo", name));
    if (arguments_.find("hidden_dropout") == nullptr) {
      findings_.assume("software.dropout", false, fmt::format("{} has none in NeMo", name));
    }
  }

  /// Reads the adapters and the preference training of NeuronX, which has its own keys for them.
  void alignment() {
    for (const char* part : {"model_alignment_strategy", "data.alignment_strategy"}) {
      for (const char* method : {"dpo", "orpo", "kto"}) {
        const std::string key = fmt::format("{}.{}", part, method);
        if (!recipe_.has(key)) continue;
        findings_.outside("workload",
                          key + ": more passes than those of one model, which are left out");
        return;
      }
    }
    constexpr std::string_view kPart = "model_alignment_strategy.peft";
    if (!recipe_.has(kPart)) return;
    const auto rank = recipe_.whole(fmt::format("{}.lora_rank", kPart), 1, 65536);
    const core::Node* targets = recipe_.find(fmt::format("{}.target_modules", kPart));
    if (!rank || targets == nullptr) {
      findings_.outside("workload", fmt::format("{} without its rank or its matrices", kPart));
      return;
    }
    findings_.know("workload.lora.rank", *rank, fmt::format("{}.lora_rank", kPart));
    const auto has = [&](std::string_view name) {
      return std::ranges::any_of(targets->items, [&](const core::Node& one) {
        return one.text.find(name) != std::string::npos;
      });
    };
    const bool is_all = has("gate_up_proj") || has("down_proj");
    findings_.know("workload.lora.targets",
                   std::string(is_all          ? "all"
                               : has("o_proj") ? "attention"
                                               : "qkv"),
                   fmt::format("{}.target_modules", kPart));
  }

  /// Reads the adapters that are trained while the model is frozen.
  void adapters() {
    if (is_of_neuron()) alignment();
    const auto scheme = recipe_.text("model.peft.peft_scheme");
    const auto rank = recipe_.whole("model.peft.lora_tuning.adapter_dim", 1, 65536);
    const core::Node* targets = recipe_.find("model.peft.lora_tuning.target_modules");
    recipe_.ignore({"model.peft"});
    if (!scheme || *scheme == "null" || *scheme == "none") return;
    if (*scheme != "lora" || !rank) {
      findings_.outside("workload", fmt::format("model.peft.peft_scheme {}", shown(*scheme)));
      return;
    }
    findings_.know("workload.lora.rank", *rank, "model.peft.lora_tuning.adapter_dim");
    findings_.say(targets != nullptr, "workload.lora.targets",
                  targets != nullptr ? lora_targets(*targets) : "qkv",
                  targets != nullptr ? "model.peft.lora_tuning.target_modules"
                                     : "no target_modules: NeMo's default, attention_qkv");
  }

  void add_bucket() {
    constexpr std::string_view kCap = "model.optim.bucket_cap_mb";
    std::optional<double> cap;
    if (const core::Node* given = recipe_.find(kCap);
        given != nullptr && given->is_scalar() && given->text.find('$') != std::string::npos) {
      const double found = core::number_of(resolved(given->text, kCap));
      if (found >= 1.0 && found <= 1e9) {
        cap = found;
      } else {
        findings_.unknown("software.bucket",
                          fmt::format("{}: {} is not resolved", kCap, shown(given->text)));
      }
    } else {
      cap = recipe_.number(kCap, 1.0, 1e9);
    }
    // Megatron's optimizer counts parameters and is not told.
    const bool is_told = recipe_.text("model.optim.name").value_or("").find("mcore") != 0;
    if (!cap || !is_told) return;
    findings_.know("software.bucket", core::DataSize::from_base(*cap * 1e6),
                   "model.optim.bucket_cap_mb");
    findings_.know("software.bucket_replica_parameters", std::int64_t{0},
                   "model.optim.bucket_cap_mb");
  }

  void pass_over() {
    recipe_.ignore(kNemoIgnored);
    for (const std::string& path : recipe_.unasked()) {
      findings_.not_expressed(shown(path) + ": passed over");
    }
  }

  const core::Node& document_;
  Findings findings_;
  TreeValues recipe_;
  core::Node arguments_;
  bool is_precision_open_ = false;  ///< the file leaves it to something that is not read
};

}  // namespace

bool is_nemo(std::string_view head) {
  return !is_json_object(head) && has_line(head, "trainer:") && has_line(head, "model:");
}

Imported import_nemo(std::string_view text, const std::string& file, const core::Node& /*known*/) {
  const core::Node document = parse_foreign_yaml(text, file);
  return NemoReading(document, file).all();
}

}  // namespace railwright::importers
