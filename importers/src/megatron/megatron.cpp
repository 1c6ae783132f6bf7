// SPDX-License-Identifier: Apache-2.0
// Imports arguments of Megatron-LM: a command line, a script with one, or the list in a log.
#include "megatron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "../common/shell_words.hpp"
#include "../common/training_part.hpp"
#include "flagscale.hpp"
#include "megatron_recipe.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxScriptBytes = std::size_t{4} << 20U;
constexpr std::size_t kMaxListed = 5000;

/// Programs of Megatron-LM that train other models.
constexpr auto kOtherModels =
    std::to_array<std::string_view>({"pretrain_bert", "pretrain_t5", "pretrain_ict",
                                     "pretrain_retro", "pretrain_vision", "pretrain_vlm"});

/// Parts of the names of programs beside Megatron-LM's training: they generate text, serve a model,
/// or make another file of a checkpoint or a text.
constexpr auto kNoTraining = std::to_array<std::string_view>(
    {"text_generation", "generate_samples", "_inference.py", "_ptq.py", "merge_mp_",
     "preprocess_data", "convert", "quantize", "export", "hf2mcore", "mcore2hf", "trtllm"});

/// Returns the program of a script where none of its programs trains; "" where one may.
std::string_view program_without_training(std::span<const std::string> operands) {
  std::string_view found;
  for (const std::string_view word : operands) {
    if (!word.ends_with(".py")) continue;
    const std::string_view name = word.substr(word.rfind('/') + 1);
    const bool trains_nothing = std::ranges::any_of(
        kNoTraining, [&](std::string_view part) { return contains(name, part); });
    if (!trains_nothing) return {};
    found = word;
  }
  return found;
}

bool is_dots(std::string_view word) {
  return word.size() >= 3 && std::ranges::all_of(word, [](char c) { return c == '.'; });
}

/// Reads the lines `  num_layers ........................ 32` of a log; empty where there are none.
core::Node listed_arguments(std::string_view text, const std::string& file) {
  core::Node arguments;
  arguments.kind = core::Node::Kind::kMapping;
  std::set<std::string, std::less<>> seen;  // every rank may print the list
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) {
    ++number;
    const auto words = core::words_of(line);
    const auto dots = std::ranges::find_if(words, is_dots);
    if (dots == words.end() || dots == words.begin() || dots + 1 == words.end()) continue;
    const std::string_view name = *(dots - 1);
    if (seen.size() >= kMaxListed || !seen.emplace(name).second) continue;
    core::Node value;
    value.where = {file, number, static_cast<int>((dots + 1)->data() - line.data()) + 1};
    value.kind = core::Node::Kind::kScalar;
    value.text =
        std::string(line.substr(static_cast<std::size_t>((dots + 1)->data() - line.data())));
    value.text.erase(value.text.find_last_not_of(" \t\r") + 1);
    if (value.text == "None") value.kind = core::Node::Kind::kNull;
    arguments.entries.push_back({std::string(name), value.where, std::move(value)});
  }
  return arguments;
}

/// A release of Megatron by what a text holds, in the order of looking; the last has no mark.
struct MegatronRelease {
  std::string_view mark;
  std::string_view profile;
  std::string_view why;
};
constexpr auto kReleases = std::to_array<MegatronRelease>({
    {"--zero-stage", "megatron-deepspeed", "--zero-stage is of Megatron-DeepSpeed"},
    {"--deepspeed_config", "megatron-deepspeed", "--deepspeed_config is of Megatron-DeepSpeed"},
    {"--deepspeed-activation-checkpointing", "megatron-deepspeed",
     "--deepspeed-activation-checkpointing is of Megatron-DeepSpeed"},
    {"--checkpoint-activations", "megatron-lm-2021",
     "--checkpoint-activations was Megatron-LM's until 2021"},
    {"--activations-checkpoint-method", "megatron-lm-2021",
     "--activations-checkpoint-method was Megatron-LM's in 2021 and 2022"},
    {"megatron.bridge", "megatron-bridge-26.06", "Megatron-Bridge, of which this is the newest"},
    {"", "megatron-core-0.12", "Megatron-LM of today, of which this is the newest profile"},
});

/// Arguments of which one at least must have a value.
constexpr auto kDecisiveArguments = std::to_array<std::string_view>(
    {"num_layers", "hidden_size", "micro_batch_size", "global_batch_size",
     "tensor_model_parallel_size", "seq_length"});

/// Says what the decisive options without a value wait for.
std::string choices_of(const std::vector<UnsetOption>& unset) {
  std::string text = "give variables with --set-variable NAME=VALUE:";
  for (const UnsetOption& one : unset) {
    if (std::ranges::count(kDecisiveArguments, one.name) == 0) continue;
    text += fmt::format(" {} ({});", one.option, why_unset(one));
  }
  return text;
}

void propose_release(std::string_view text, Findings& findings) {
  const auto release = std::ranges::find_if(kReleases, [&](const MegatronRelease& one) {
    return one.mark.empty() || contains(text, one.mark);
  });
  propose_software(findings, release->profile, release->why);
}

}  // namespace

bool is_megatron(std::string_view head) {
  return !is_json_object(head) && (is_flagscale(head) || contains(head, "--num-layers") ||
                                   contains(head, "--tensor-model-parallel-size") ||
                                   contains(head, "tensor_model_parallel_size .."));
}

Imported import_megatron(std::string_view text, const std::string& file, const core::Node& known) {
  Findings findings(file);
  core::Node arguments = listed_arguments(text, file);
  const bool is_listed = arguments.find("num_layers") != nullptr;
  std::vector<UnsetOption> unset;
  core::Node variables;
  if (!is_listed && is_flagscale(text)) {
    arguments = flagscale_arguments(text, file, unset);
  } else if (!is_listed) {
    if (text.size() > kMaxScriptBytes) {
      throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no script", ""}});
    }
    ShellOptions options = shell_options(text, file);
    arguments = std::move(options.options);
    unset = std::move(options.unset);
    variables = std::move(options.variables);
    add_shell_notes(options, findings);
    const std::string_view program = program_without_training(options.operands);
    if (!program.empty()) {
      findings.problem_in_file(
          fmt::format("{}, a program of Megatron-LM that trains nothing", shown(program)));
      findings.throw_if_any();
    }
  }
  const bool is_megatron = std::ranges::any_of(
      kDecisiveArguments, [&](std::string_view name) { return arguments.find(name) != nullptr; });
  if (!is_megatron) {
    throw core::ConfigError(
        {{{file},
          "",
          unset.empty() ? "no argument of Megatron-LM"
                        : "no argument of Megatron-LM that has its value in the file",
          unset.empty() ? "--num-layers, --hidden-size, --micro-batch-size ... are looked for"
                        : choices_of(unset)}});
  }
  add_megatron_recipe(arguments, is_listed, unset, findings);
  if (!is_listed) {
    TrainingPart part(arguments, unset, known, "torchrun", findings);
    add_launcher(part, variables, text);
  }
  for (const std::string_view program : kOtherModels) {
    if (!contains(text, program)) continue;
    findings.outside(program, "trains a model that is no decoder alone");
    break;
  }
  propose_release(text, findings);
  return findings.take();
}

}  // namespace railwright::importers
