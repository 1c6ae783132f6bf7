// SPDX-License-Identifier: Apache-2.0
#include "megatron_bridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/checkpoint_name.hpp"
#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "../megatron/megatron_older.hpp"
#include "../megatron/megatron_recipe.hpp"
#include "../trainer/trainer_adapter.hpp"
#include "../trainer/trainer_ignored.hpp"
#include "python_recipe.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxBridgeBytes = std::size_t{4} << 20U;

/// Sections of a recipe whose keys are arguments of Megatron-LM.
constexpr auto kSections =
    std::to_array<std::string_view>({"model", "train", "ddp", "dist", "optimizer", "dataset",
                                     "checkpoint", "comm_overlap", "mixed_precision"});
/// Sections without an effect on the time or memory of a step.
constexpr auto kIdleSections = std::to_array<std::string_view>(
    {"logger", "rng", "scheduler", "tokenizer", "profiling", "nvrx", "straggler", "validation"});

/// A key that Megatron-LM has under another name.
struct Renamed {
  std::string_view theirs;
  std::string_view megatron;
};
constexpr auto kRenamed =
    std::to_array<Renamed>({{"grad_reduce_in_fp32", "accumulate_allreduce_grads_in_fp32"},
                            {"bucket_size", "ddp_bucket_size"},
                            {"max_length", "seq_length"},
                            {"save_steps", "save_interval"}});

/// Arguments that decide something.
constexpr auto kDecisive = std::to_array<std::string_view>(
    {"tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size",
     "context_parallel_size", "micro_batch_size", "global_batch_size", "seq_length",
     "train_iters"});

/// Defaults of `megatron sft` of ms-swift: swift/megatron/arguments/megatron_args.py
constexpr auto kOfSwift = std::to_array<Renamed>({{"micro_batch_size", "1"},
                                                  {"global_batch_size", "16"},
                                                  {"recompute_granularity", "selective"},
                                                  {"attention_backend", "flash"},
                                                  {"cross_entropy_loss_fusion", "true"},
                                                  {"bf16", "true"},
                                                  {"use_distributed_optimizer", "true"},
                                                  {"attention_dropout", "0"},
                                                  {"hidden_dropout", "0"}});

constexpr TrainerProgram kSwiftMegatron{.name = "ms-swift",
                                        .mark = "",
                                        .recomputes = {},
                                        .micro_batch = {},
                                        .adapter = "full",
                                        .lora_rank = 8,
                                        .lora_targets = "all",
                                        .sequence_length = {}};

bool is_of_swift(std::string_view text) {
  return contains(text, "megatron sft") || contains(text, "megatron pt") ||
         contains(text, "megatron rlhf");
}

std::string_view renamed_key(std::string_view key) {
  const auto found = std::ranges::find(kRenamed, key, &Renamed::theirs);
  return found == kRenamed.end() ? key : found->megatron;
}

/// Writes words such as "model.tensor_model_parallel_size=2" as options, which a shell's reader
/// finds.
std::string with_options(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool starts_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n' ||
                             text[at - 1] == '\t' || text[at - 1] == '"' || text[at - 1] == '\'';
    const auto is_section = [&](std::string_view section) {
      return text.substr(at).starts_with(section) && at + section.size() < text.size() &&
             text[at + section.size()] == '.';
    };
    if (starts_word && (std::ranges::any_of(kSections, is_section) ||
                        std::ranges::any_of(kIdleSections, is_section))) {
      const std::size_t end = std::min(text.find_first_of(" \n\t", at), text.size());
      if (text.substr(at, end - at).find('=') != std::string_view::npos) result += "--";
    }
    result += text[at];
  }
  return result;
}

/// "llama32_1b_pretrain_config" is Llama 3.2 1B.
std::string model_of_recipe(std::string_view recipe) {
  std::string name(recipe);
  for (const std::string_view ending :
       {"_config", "_pretrain", "_finetune", "_sft", "_peft", "_lora", "_fsdp"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  name = catalogue_name(name);
  for (const std::string_view family : {"llama-", "qwen"}) {
    const std::size_t at = family.size();
    if (!name.starts_with(family) || name.size() < at + 3 || name[at + 2] != '-') continue;
    const bool are_digits =
        name[at] >= '0' && name[at] <= '9' && name[at + 1] >= '0' && name[at + 1] <= '9';
    if (are_digits) name.insert(at + 1, ".");
  }
  return name;
}

class BridgeReading {
 public:
  BridgeReading(const core::Node& known, Findings& findings) : known_(known), findings_(findings) {
    arguments_.kind = core::Node::Kind::kMapping;
    arguments_.where = {findings.file()};
  }

  void yaml(core::Node document) {
    unset_ = take_out_templates(document);
    for (UnsetOption& one : unset_) one.name = renamed_key(one.name.substr(one.name.find('.') + 1));
    take_sections(document);
    overrides("the file that starts the training names the recipe");
  }

  /// A recipe in Python: what it sets itself, beside what the functions that it calls set.
  void python(const PythonRecipe& recipe) {
    for (const OpenKey& key : recipe.open) {
      const std::size_t dot = key.path.find('.');
      const std::string_view section = std::string_view(key.path).substr(0, dot);
      if (std::ranges::count(kSections, section) == 0 || dot == std::string::npos) continue;
      const std::string_view name = std::string_view(key.path).substr(dot + 1);
      unset_.push_back({.name = std::string(renamed_key(name)),
                        .option = key.path,
                        .value = key.value,
                        .where = {findings_.file(), key.line, 1}});
    }
    take_sections(recipe.keys);
    recipe_ = recipe.base.empty() ? recipe.name : recipe.base;
    recipe_.resize(std::min({recipe_.find("_pretrain"), recipe_.find("_sft"), recipe_.find("_peft"),
                             recipe_.find("_finetune"), recipe_.size()}));
    const core::Node* named = recipe.keys.find("hf_checkpoint");
    if (named != nullptr) checkpoint_ = named->text;
    std::vector<std::string> others = recipe.calls;
    if (!recipe.base.empty()) others.insert(others.begin(), recipe.base);
    for (const std::string& other : others) {
      findings_.outside(shown(other) + "()", "sets what this function does not");
    }
    overrides("the functions that it calls");
    findings_.not_expressed("the function " + shown(recipe.name));
  }

  void script(std::string_view text) {
    ShellOptions options = shell_options(with_options(text), findings_.file());
    add_shell_notes(options, findings_);
    unset_ = std::move(options.unset);
    for (UnsetOption& one : unset_) {
      if (one.name.find('.') != std::string::npos) {
        one.name = renamed_key(one.name.substr(one.name.find('.') + 1));
      }
    }
    if (is_of_swift(text)) {
      swift(options, text);
    } else {
      take_sections(nested(options.options));
      const core::Node* recipe = options.options.find("recipe");
      recipe_ = recipe != nullptr && recipe->is_scalar() ? recipe->text : std::string();
      overrides(recipe_.empty() ? "no --recipe in the file"
                                : fmt::format("in the recipe {}", shown(recipe_)));
      add_cluster(options, text);
    }
  }

 private:
  void put(std::string_view key, const core::Node& value) {
    const std::string_view name = renamed_key(key);
    if (name == "save_interval" && value.text == "0") return;  // no checkpoints
    if (core::Node* old = arguments_.find(name)) {
      *old = value;
    } else {
      arguments_.entries.push_back({std::string(name), value.where, value});
    }
  }

  void take_sections(const core::Node& document) {
    for (const core::Entry& section : document.entries) {
      if (std::ranges::count(kIdleSections, section.key) > 0) continue;
      if (section.key == "mixed_precision" && section.value.is_scalar()) {
        precision(section.value);
        continue;
      }
      if (std::ranges::count(kSections, section.key) == 0 || !section.value.is_mapping()) {
        if (section.value.is_mapping()) {
          findings_.not_expressed(shown(section.key) + ": passed over");
        }
        continue;
      }
      const bool is_narrow = section.key == "dataset" || section.key == "checkpoint";
      for (const core::Entry& entry : section.value.entries) {
        const bool is_read = entry.key == "seq_length" || entry.key == "save_interval";
        const bool is_list = !entry.value.items.empty() &&
                             std::ranges::all_of(entry.value.items,
                                                 [](const auto& item) { return item.is_scalar(); });
        const bool is_plain = is_list || (entry.value.is_scalar() && entry.value.text != "null");
        if (is_plain && (!is_narrow || is_read)) put(entry.key, entry.value);
      }
    }
  }

  void precision(const core::Node& word) {
    core::Node yes = word;
    yes.text = "true";
    for (const std::string_view name : precision_arguments(word.text)) put(name, yes);
  }

  void require_decisive() {
    const bool is_read = std::ranges::any_of(
        kDecisive, [&](std::string_view key) { return arguments_.find(key) != nullptr; });
    if (is_read) return;
    findings_.problem_in_file("no override of Megatron-Bridge that decides something",
                              "model.tensor_model_parallel_size, train.global_batch_size ... are "
                              "looked for");
    findings_.throw_if_any();
  }

  /// Reads overrides: what they do not tell is in a recipe, which is a program.
  void overrides(const std::string& where) {
    require_decisive();
    add_megatron_recipe(arguments_, false, unset_, findings_);
    findings_.forget_assumed({});
    findings_.outside("software.recompute",
                      fmt::format("with all that this file does not tell: {}", where));
    if (findings_.value_of("workload.model") == nullptr) {
      if (!checkpoint_.empty()) {
        findings_.assume("workload.model", checkpoint_name(checkpoint_).model,
                         "the catalogue's name for " + shown(checkpoint_));
      } else if (recipe_.empty()) {
        findings_.outside("workload.model", where);
      } else {
        findings_.assume("workload.model", model_of_recipe(recipe_),
                         fmt::format("the catalogue's name for the recipe {}", shown(recipe_)));
      }
    }
    propose_software(findings_, "megatron-bridge-26.06",
                     "Megatron-Bridge, of which this is the newest profile");
  }

  void add_cluster(const ShellOptions& options, std::string_view text) {
    TrainingPart part(options.options, {}, known_, "torchrun", findings_);
    add_launcher(part, options.variables, text);
  }

  /// `megatron sft` of ms-swift has defaults of its own, and names its model.
  void swift(const ShellOptions& options, std::string_view text) {
    for (const core::Entry& option : options.options.entries) {
      const bool is_trainers = option.key != "micro_batch_size" &&
                               (option.key.starts_with("lora_") || option.key == "model" ||
                                option.key == "target_modules" || option.key.ends_with("_type") ||
                                std::ranges::any_of(kTrainerIgnored, [&](std::string_view start) {
                                  return option.key.starts_with(start) &&
                                         option.key != "save_steps" &&
                                         option.key != "moe_token_dispatcher_type";
                                }));
      if (!is_trainers) put(option.key, option.value);
    }
    require_decisive_or_model(options);
    for (const Renamed& one : kOfSwift) {
      const bool is_outside = std::ranges::count(unset_, one.theirs, &UnsetOption::name) > 0;
      if (arguments_.find(one.theirs) != nullptr || is_outside) continue;
      if (one.theirs == "bf16" && arguments_.find("fp16") != nullptr) continue;
      core::Node value = core::text_node(one.megatron);
      value.where = arguments_.where;
      put(one.theirs, value);
    }
    if (core::Node* granularity = arguments_.find("recompute_granularity")) {
      if (granularity->text == "none") {
        std::erase_if(arguments_.entries,
                      [](const core::Entry& entry) { return entry.key.starts_with("recompute_"); });
      }
    }
    add_megatron_recipe(arguments_, false, unset_, findings_);
    findings_.not_expressed(
        "micro-batch 1, global batch 16, selective recompute, bf16 and the distributed optimizer "
        "unless told: the defaults of ms-swift");
    TrainingPart part(options.options, {}, known_, "ms-swift", findings_);
    part.model(part.key_of({"model", "load", "mcore_model"}).empty()
                   ? "model"
                   : part.key_of({"model", "load", "mcore_model"}));
    add_trained_weights(part, kSwiftMegatron);
    add_launcher(part, options.variables, text);
    if (std::ranges::count(unset_, "model", &UnsetOption::name) > 0) {
      findings_.outside("workload.model", "--model is set nowhere in the file");
    }
    propose_software(findings_, "megatron-core-0.12",
                     "ms-swift drives Megatron Core, of which this is the newest profile");
  }

  void require_decisive_or_model(const ShellOptions& options) {
    if (options.options.find("model") == nullptr) require_decisive();
  }

  core::Node arguments_;
  std::vector<UnsetOption> unset_;
  std::string recipe_;
  std::string checkpoint_;
  const core::Node& known_;
  Findings& findings_;
};

bool is_python_of_bridge(std::string_view text) {
  return contains(text, "ConfigContainer") && has_line(text, "def ") && contains(text, "cfg.");
}

/// Returns the one recipe of a module. Throws ConfigError for none and for several.
PythonRecipe only_recipe(std::string_view text, const std::string& file) {
  std::vector<PythonRecipe> recipes = read_python_recipes(text, file);
  if (recipes.size() == 1) return std::move(recipes.front());
  std::string names;
  for (const PythonRecipe& one : recipes) names += (names.empty() ? "" : ", ") + one.name;
  throw core::ConfigError(
      {{{file},
        "",
        recipes.empty() ? std::string("no function ..._config() that sets keys of a recipe")
                        : fmt::format("{} recipes in it", recipes.size()),
        recipes.empty() ? "" : "choose one with --recipe: " + names}});
}

bool is_yaml_of_bridge(std::string_view text) {
  return has_line(text, "train:") && has_line(text, "model:") && !has_line(text, "trainer:") &&
         !contains(text, "--") &&
         (contains(text, "train_iters:") || contains(text, "global_batch_size:") ||
          contains(text, "tensor_model_parallel_size:"));
}

}  // namespace

bool is_megatron_bridge(std::string_view head) {
  if (is_json_object(head) || contains(head, "trainer.")) return false;
  return is_python_of_bridge(head) || is_yaml_of_bridge(head) || is_of_swift(head) ||
         contains(head, "train.global_batch_size=") || contains(head, "train.train_iters=") ||
         contains(head, "model.tensor_model_parallel_size=");
}

std::optional<std::string> choose_of_bridge(std::string_view text, const std::string& file,
                                            const ImportChoices& choices) {
  if (!is_python_of_bridge(text)) return with_variables(text, file, choices);
  if (choices.recipe.empty()) return {};
  std::vector<std::string> names;
  for (const PythonRecipe& one : read_python_recipes(text, file)) names.push_back(one.name);
  if (std::ranges::count(names, choices.recipe) == 0) {
    throw core::ConfigError(
        {{{file},
          "",
          fmt::format("no recipe '{}' in it", shown(choices.recipe)),
          fmt::format("did you mean '{}'?", core::nearest(choices.recipe, names))}});
  }
  // Functions that begin with an underscore are no recipes.
  std::string chosen(text);
  for (const std::string& name : names) {
    const std::size_t at = chosen.find("\ndef " + name + "(");
    if (name != choices.recipe && at != std::string::npos) chosen.insert(at + 5, 1, '_');
  }
  return chosen;
}

Imported import_megatron_bridge(std::string_view text, const std::string& file,
                                const core::Node& known) {
  if (text.size() > kMaxBridgeBytes) {
    throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no script", ""}});
  }
  Findings findings(file);
  BridgeReading reading(known, findings);
  if (is_python_of_bridge(text)) {
    reading.python(only_recipe(text, file));
  } else if (is_yaml_of_bridge(text)) {
    reading.yaml(parse_foreign_yaml(text, file));
  } else {
    reading.script(text);
  }
  return findings.take();
}

}  // namespace railwright::importers
