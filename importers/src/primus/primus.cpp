// SPDX-License-Identifier: Apache-2.0
// Reads the overrides of an experiment by the reader of the stack that it drives.
#include "primus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "../maxtext/maxtext_job.hpp"
#include "../megatron/megatron_older.hpp"
#include "../megatron/megatron_recipe.hpp"
#include "../torchtitan/torchtitan_job.hpp"

namespace railwright::importers {

namespace {

/// A default of Primus that is not that of the stack.
struct PrimusDefault {
  std::string_view section;  ///< "" where the stack has none
  std::string_view key;
  std::string_view value;
};

/// primus/configs/modules/megatron/trainer_base.yaml and models/megatron
constexpr auto kOfMegatron =
    std::to_array<PrimusDefault>({{"", "bf16", "true"},
                                  {"", "hidden_dropout", "0.0"},
                                  {"", "attention_dropout", "0.0"},
                                  {"", "use_distributed_optimizer", "true"}});
/// primus/configs/modules/torchtitan/pre_trainer.yaml
constexpr auto kOfTorchtitan = std::to_array<PrimusDefault>(
    {{"activation_checkpoint", "mode", "none"}, {"compile", "enable", "true"}});

constexpr auto kRoots =
    std::to_array<std::string_view>({"pre_trainer", "post_trainer", "trainer", "sft_trainer"});

core::Node plain(std::string_view text, const core::Location& where) {
  core::Node node;
  node.kind = core::Node::Kind::kScalar;
  node.text = text;
  node.where = where;
  return node;
}

/// Reads "${NAME:4}" as 4, the default of a variable of the surroundings.
void fill_defaults(core::Node& node, Findings& findings, int depth = 0) {
  constexpr int kMostNested = 32;
  if (depth > kMostNested) return;
  if (node.is_scalar() && node.text.starts_with("${") && node.text.ends_with('}')) {
    const std::size_t colon = node.text.find(':');
    if (colon != std::string::npos && node.text.find('$', 1) == std::string::npos) {
      std::string value = node.text.substr(colon + 1, node.text.size() - colon - 2);
      findings.not_expressed(fmt::format("{}: its default {}", shown(node.text), shown(value)));
      node.text = std::move(value);
      if (node.text == "null") node.kind = core::Node::Kind::kNull;
    }
  }
  for (core::Entry& entry : node.entries) fill_defaults(entry.value, findings, depth + 1);
  for (core::Node& item : node.items) fill_defaults(item, findings, depth + 1);
}

void add_default(core::Node& root, const PrimusDefault& one) {
  core::Node* at = &root;
  if (!one.section.empty()) {
    at = root.find(one.section);
    if (at == nullptr) {
      core::Node section;
      section.kind = core::Node::Kind::kMapping;
      section.where = root.where;
      root.entries.push_back({std::string(one.section), root.where, std::move(section)});
      at = &root.entries.back().value;
    }
  }
  if (!at->is_mapping() || at->find(one.key) != nullptr) return;
  at->entries.push_back({std::string(one.key), root.where, plain(one.value, root.where)});
}

/// The model of "llama3.1_8B.yaml", also below folders and with a format at its end.
std::string model_of(std::string_view file) {
  std::string name(file.substr(file.rfind('/') + 1));
  if (name.ends_with(".yaml")) name.resize(name.size() - 5);
  for (const std::string_view ending : {"-fp8", "-pretrain", "-bf16"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return catalogue_name(name);
}

class PrimusReading {
 public:
  PrimusReading(core::Node overrides, std::string_view framework, std::string_view model,
                const core::Node& known, Findings& findings)
      : overrides_(std::move(overrides)),
        framework_(framework),
        model_(model),
        known_(known),
        findings_(findings) {}

  void all() {
    fill_defaults(overrides_, findings_);
    if (framework_ == "megatron") {
      megatron();
    } else if (framework_ == "megatron_bridge") {
      bridge();
    } else if (framework_ == "torchtitan") {
      torchtitan();
    } else if (framework_ == "maxtext") {
      maxtext();
    } else {
      findings_.problem_in_file(fmt::format("framework {} is not described", shown(framework_)),
                                "megatron, megatron_bridge, torchtitan and maxtext are");
      return;
    }
    name_model();
  }

 private:
  void megatron() {
    for (const PrimusDefault& one : kOfMegatron) add_default(overrides_, one);
    if (!read_megatron()) return;
    findings_.not_expressed(
        "bf16, dropout of 0 and use_distributed_optimizer unless told: the defaults of Primus");
    propose_software(findings_, "primus-megatron", "Primus with its Megatron back end");
  }

  /// The recipe of Megatron-Bridge is a program: it has what the experiment does not tell.
  void bridge() {
    if (!read_megatron()) return;
    findings_.forget_assumed({});
    const core::Node* recipe = overrides_.find("flavor");
    const std::string name = recipe != nullptr && recipe->is_scalar() ? recipe->text : model_;
    findings_.outside("software.recompute",
                      fmt::format("with all that this file does not tell in the recipe {} of "
                                  "Megatron-Bridge",
                                  shown(name)));
    propose_software(findings_, "megatron-bridge-26.06", "the newest profile of Megatron-Bridge");
  }

  /// Reads the overrides as arguments of Megatron-LM; false where none decides something.
  bool read_megatron() {
    std::vector<UnsetOption> unset = take_out_templates(overrides_);
    const bool is_read = std::ranges::any_of(
        std::to_array<std::string_view>(
            {"seq_length", "micro_batch_size", "global_batch_size", "tensor_model_parallel_size"}),
        [&](std::string_view key) { return overrides_.find(key) != nullptr; });
    if (!is_read) {
      findings_.problem_in_file("no override that decides something",
                                "seq_length, micro_batch_size, tensor_model_parallel_size ... are "
                                "looked for");
      return false;
    }
    for (core::Entry& entry : overrides_.entries) {
      // YAML says "null" where an argument is not given.
      if (entry.value.is_scalar() && entry.value.text == "null") {
        entry.value.kind = core::Node::Kind::kNull;
      }
    }
    drop_idle_recompute();
    name_dispatcher();
    if (is_of_images()) {
      findings_.problem_in_file("a diffusion model of images, no language model");
      return false;
    }
    add_lora();
    mixed_precision();
    add_megatron_recipe(overrides_, false, unset, findings_);
    return true;
  }

  /// A number of recomputed layers means something under full recompute alone.
  void drop_idle_recompute() {
    const core::Node* granularity = overrides_.find("recompute_granularity");
    if (granularity != nullptr && granularity->text == "full") return;
    std::erase_if(overrides_.entries, [](const core::Entry& entry) {
      return entry.key == "recompute_num_layers" || entry.key == "recompute_method";
    });
  }

  void mixed_precision() {
    const core::Node* word = overrides_.find("precision_config");
    if (word == nullptr || !word->is_scalar()) return;
    for (const std::string_view name : precision_arguments(word->text)) {
      add_default(overrides_, {"", name, "true"});
    }
    std::erase_if(overrides_.entries,
                  [](const core::Entry& entry) { return entry.key == "precision_config"; });
  }

  /// Primus-Turbo has a DeepEP of its own.
  void name_dispatcher() {
    const core::Node* turbo = overrides_.find("use_turbo_deepep");
    if (turbo == nullptr || turbo->text != "true") return;
    std::erase_if(overrides_.entries, [](const core::Entry& entry) {
      return entry.key == "moe_token_dispatcher_type" || entry.key == "use_turbo_deepep";
    });
    add_default(overrides_, {"", "moe_token_dispatcher_type", "flex"});
  }

  [[nodiscard]] bool is_of_images() const {
    return model_.find("flux") != std::string::npos || overrides_.find("vae_scale") != nullptr ||
           overrides_.find("timestep_sampling_strategy") != nullptr;
  }

  void add_lora() {
    const core::Node* found = overrides_.find("lora");
    if (found == nullptr || !found->is_mapping()) return;
    const core::Node lora = *found;
    TreeValues values(lora, findings_);
    const auto rank = values.whole("dim", 1, 65536);
    const core::Node* targets = values.find("target_modules");
    const bool is_on = values.truth("enabled").value_or(false);
    std::erase_if(overrides_.entries, [](const core::Entry& entry) { return entry.key == "lora"; });
    if (!is_on) return;
    if (!rank) {
      findings_.outside("workload.lora.rank", "lora.enabled without lora.dim");
      return;
    }
    findings_.know("workload.lora.rank", *rank, "lora.dim");
    findings_.say(targets != nullptr, "workload.lora.targets",
                  targets != nullptr ? lora_targets(*targets) : "all", "lora.target_modules");
  }

  void torchtitan() {
    for (const PrimusDefault& one : kOfTorchtitan) add_default(overrides_, one);
    std::vector<UnsetOption> unset = take_out_templates(overrides_);
    TrainingPart part(overrides_, std::move(unset), known_, "torchtitan", findings_);
    add_torchtitan_job(part);
    if (model_.find("-fp8") != std::string::npos) {
      findings_.assume("software.precision", std::string("fp8"),
                       fmt::format("the converters of {}", shown(model_)));
    }
    findings_.not_expressed("compile.enable and no recompute unless told: the defaults of Primus");
  }

  void maxtext() {
    std::vector<UnsetOption> unset = take_out_templates(overrides_);
    TrainingPart part(overrides_, std::move(unset), known_, "MaxText", findings_);
    add_maxtext_job(part);
  }

  void name_model() {
    const std::string path = "workload.model";
    if (findings_.value_of(path) != nullptr) return;
    if (model_.empty() || model_.find('$') != std::string::npos) {
      findings_.outside(path, "no model of the experiment");
      return;
    }
    findings_.assume(path, model_of(model_),
                     fmt::format("the catalogue's name for {}", shown(model_)));
  }

  core::Node overrides_;
  std::string framework_;
  std::string model_;
  const core::Node& known_;
  Findings& findings_;
};

std::string text_at(const core::Node& node, std::string_view key) {
  const core::Node* found = node.find(key);
  return found != nullptr && found->is_scalar() ? found->text : std::string();
}

}  // namespace

bool is_primus(std::string_view head) {
  return !is_json_object(head) && has_line(head, "modules:") && has_line(head, "framework:") &&
         has_line(head, "overrides:");
}

Imported import_primus(std::string_view text, const std::string& file, const core::Node& known) {
  const core::Node document = parse_foreign_yaml(text, file);
  Findings findings(file);
  const core::Node* modules = document.find("modules");
  const core::Node* trainer = nullptr;
  for (const std::string_view root : kRoots) {
    if (modules == nullptr || !modules->is_mapping() || trainer != nullptr) continue;
    trainer = modules->find(root);
  }
  const core::Node* overrides =
      trainer != nullptr && trainer->is_mapping() ? trainer->find("overrides") : nullptr;
  if (overrides == nullptr || !overrides->is_mapping()) {
    findings.problem_in_file("no experiment of Primus",
                             "modules.pre_trainer.overrides is looked for");
    findings.throw_if_any();
    return findings.take();
  }
  PrimusReading(*overrides, text_at(*trainer, "framework"), text_at(*trainer, "model"), known,
                findings)
      .all();
  return findings.take();
}

}  // namespace railwright::importers
