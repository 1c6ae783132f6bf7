// SPDX-License-Identifier: Apache-2.0
#include "trainer_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace railwright::importers {

namespace {

using Names = std::set<std::string, std::less<>>;

bool holds_one_of(const Names& names, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(wanted, [&](std::string_view name) { return names.contains(name); });
}

class TrainedWeights {
 public:
  TrainedWeights(TrainingPart& part, const TrainerProgram& program)
      : part_(part), program_(program), findings_(part.findings()) {}

  void all() {
    const std::string how = way();
    if (how == "lora" || how == "qlora" || how == "longlora") {
      adapters(how);
    } else if (how == "freeze") {
      const auto layers = part_.values().whole("freeze_trainable_layers", 1, 10'000);
      findings_.outside("workload.frozen_layers",
                        fmt::format("freeze_trainable_layers {}{}: the model's layers less these",
                                    layers.value_or(2), layers ? "" : ", the default"));
    } else if (how != "full") {
      findings_.outside(
          "workload.lora",
          fmt::format("{} trains a part of the weights that a scenario cannot say", shown(how)));
    }
    if (part_.values().has("unfrozen_parameters")) {
      findings_.outside("workload.lora", "unfrozen_parameters: a part of the weights trains");
    }
    quantized();
    objective();
  }

 private:
  /// Returns "lora", "full" or the word that the file has.
  std::string way() {
    const std::string key = part_.key_of(
        {"finetuning_type", "tuner_type", "train_type", "sft_type", "adapter", "train_mode"});
    if (!key.empty()) {
      if (part_.is_outside(key)) return "a value from outside the file";
      return part_.lower(key).value_or("full");
    }
    for (const char* flag : {"use_peft", "use_lora", "lora_enable", "lora"}) {
      if (const auto yes = part_.yes(flag)) return *yes ? "lora" : "full";
    }
    if (part_.values().has("lora_r") && program_.name != "axolotl" && program_.name != "TRL") {
      return "lora";
    }
    if (part_.values().has("lora_rank") && program_.name == "the Hugging Face trainer") {
      return "lora_rank without a word for how";
    }
    if (program_.adapter != "full") {
      findings_.not_expressed(
          fmt::format("adapters of LoRA unless told: {}'s default", program_.name));
    }
    return std::string(program_.adapter);
  }

  void adapters(const std::string& how) {
    const std::string key = part_.key_of({"lora_rank", "lora_r", "lora_dim"});
    const auto rank = part_.values().whole(key.empty() ? "lora_r" : key, 1, 65536);
    if (rank) {
      findings_.know("workload.lora.rank", *rank, key);
    } else if (!key.empty() || !program_.lora_rank) {
      if (!part_.is_outside(key)) {
        findings_.outside("workload.lora.rank", fmt::format("{} without its rank", how));
      }
    } else {
      findings_.assume("workload.lora.rank", *program_.lora_rank,
                       fmt::format("no lora_rank: the default of {}", program_.name));
    }
    targets();
  }

  void targets() {
    const std::string path = "workload.lora.targets";
    part_.values().ignore({"lora_target_modules"});
    if (part_.yes("lora_target_linear").value_or(false)) {
      findings_.know(path, std::string("all"), "lora_target_linear");
      return;
    }
    const std::string key = part_.key_of({"lora_target", "lora_target_modules", "target_modules"});
    const auto words = key.empty() ? std::vector<std::string>() : part_.words(key);
    if (words.empty()) {
      if (!program_.lora_targets.empty()) {
        findings_.assume(path, std::string(program_.lora_targets),
                         fmt::format("no lora_target: the default of {}", program_.name));
      } else {
        findings_.unknown(path, "no list of targets: peft has one a model");
      }
      return;
    }
    const Names names(words.begin(), words.end());
    if (holds_one_of(names, {"all", "all-linear", "ALL", "all_linear"})) {
      findings_.know(path, std::string("all"), key);
      return;
    }
    const bool feed_forward =
        holds_one_of(names, {"gate_proj", "up_proj", "down_proj", "fc1", "fc2", "dense_h_to_4h",
                             "w1", "w2", "gate_up_proj", "mlp"});
    const bool output = holds_one_of(names, {"o_proj", "dense", "out_proj", "c_proj", "wo"});
    const bool is_all =
        feed_forward && output && (names.contains("down_proj") || names.contains("dense_4h_to_h"));
    const bool is_qkv = !feed_forward && !output &&
                        (names.contains("k_proj") ||
                         holds_one_of(names, {"qkv_proj", "c_attn", "query_key_value"}));
    const bool is_attention = !feed_forward && output;
    findings_.say(
        is_all || is_qkv || is_attention, path,
        std::string(feed_forward ? "all"
                    : output     ? "attention"
                                 : "qkv"),
        is_all || is_qkv || is_attention
            ? key
            : fmt::format("{} of {} matrices: the nearest set of a scenario", key, names.size()));
  }

  void quantized() {
    const bool four = part_.yes("load_in_4bit").value_or(false) ||
                      part_.lower("quantization_bit") == "4" || part_.lower("quant_bits") == "4" ||
                      part_.lower("bits") == "4" || part_.lower("train_mode") == "qlora";
    const bool eight = part_.yes("load_in_8bit").value_or(false) ||
                       part_.lower("quantization_bit") == "8" || part_.lower("quant_bits") == "8";
    if (!four && !eight) return;
    const bool has_adapters = findings_.value_of("workload.lora.rank") != nullptr;
    if (four && has_adapters) {
      // bitsandbytes' other format of four bits takes as much memory.
      findings_.know("workload.lora.base", std::string("nf4"), "frozen weights in 4 bits");
    } else {
      findings_.not_expressed(fmt::format(
          "frozen weights in {} bits: taken as 16 bits, which is more memory and less work",
          four ? 4 : 8));
    }
  }

  /// Notes an objective whose step is more than a forward and a backward pass of one model.
  void objective() {
    for (const char* key : {"stage", "rl", "rlhf_type", "trainer_type"}) {
      const auto word = part_.lower(key);
      if (!word || *word == "sft" || *word == "pt" || *word == "train") continue;
      findings_.outside("workload",
                        fmt::format("{} {}: more passes than those of one model, such as a frozen "
                                    "reference; they are left out",
                                    key, shown(*word)));
      return;
    }
    if (part_.values().has("num_generations") || part_.values().has("reward_funcs")) {
      findings_.outside("workload",
                        "num_generations: the step also generates answers; see the scenarios of "
                        "kind post_training");
    }
  }

  TrainingPart& part_;
  const TrainerProgram& program_;
  Findings& findings_;
};

}  // namespace

void add_trained_weights(TrainingPart& part, const TrainerProgram& program) {
  TrainedWeights(part, program).all();
}

}  // namespace railwright::importers
