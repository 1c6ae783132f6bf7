// SPDX-License-Identifier: Apache-2.0
#include "trainer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../common/fsdp_part.hpp"
#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/units/nearest.hpp"
#include "trainer_adapter.hpp"
#include "trainer_ignored.hpp"
#include "trainer_program.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxTrainerScriptBytes = std::size_t{4} << 20U;

/// The text that starts a trainer.
struct TrainerLaunch {
  bool is_script = false;
  std::string_view text;
  core::Node variables;
};

const TrainerProgram& program_of(std::string_view text) {
  return *std::ranges::find_if(kTrainerPrograms, [&](const TrainerProgram& one) {
    return one.mark.empty() || contains(text, one.mark);
  });
}

class TrainerReading {
 public:
  TrainerReading(TrainingPart& part, const TrainerProgram& program, const TrainerLaunch& launch)
      : part_(part), program_(program), launch_(launch), findings_(part.findings()) {}

  void all() {
    add_launcher(part_, launch_.variables, launch_.text);
    name_model();
    batches();
    sequence();
    steps();
    precision();
    degrees();
    sharding();
    recompute();
    kernels();
    add_trained_weights(part_, program_);
    if (launch_.is_script) programs();
    optimizer();
    software();
    part_.rest(kTrainerIgnored);
  }

 private:
  void name_model() {
    for (const char* key : {"model_name_or_path", "base_model", "model", "model_id",
                            "model_id_or_path", "pretrained_model_name_or_path", "model_name"}) {
      const core::Node* node = part_.values().find(key);
      if (part_.is_outside(key) || (node != nullptr && node->is_scalar())) return part_.model(key);
    }
    part_.model("model_name_or_path");
  }

  void batches() {
    const std::string micro_key =
        part_.key_of({"per_device_train_batch_size", "micro_batch_size", "batch_size"});
    auto micro = part_.values().whole(micro_key.empty() ? "per_device_train_batch_size" : micro_key,
                                      1, 1'000'000);
    if (micro) {
      findings_.know("workload.micro_batch", *micro, micro_key);
    } else if (micro_key.empty() && program_.micro_batch) {
      micro = *program_.micro_batch;
      findings_.assume(
          "workload.micro_batch", *micro,
          fmt::format("no per_device_train_batch_size: the default of {}", program_.name));
    } else if (!part_.is_outside(micro_key)) {
      findings_.unknown("workload.micro_batch", "no per_device_train_batch_size");
    }
    if (part_.yes("auto_find_batch_size").value_or(false)) {
      findings_.not_expressed("auto_find_batch_size: the batch is made smaller until it fits");
    }
    const std::string key = "gradient_accumulation_steps";
    auto accumulation = part_.values().whole(key, 1, 1'000'000);
    if (!accumulation && !part_.values().has(key) && !part_.is_outside(key) &&
        program_.name != "ms-swift") {
      accumulation = 1;
    }
    if (micro && accumulation) {
      part_.batch_of_ranks(*micro, *accumulation);
    } else {
      findings_.unknown("workload.global_batch", fmt::format("no {}", key));
    }
  }

  void sequence() {
    const std::string key =
        part_.key_of({"max_seq_length", "max_seq_len", "cutoff_len", "sequence_len",
                      "model_max_length", "block_size", "seq_length", "max_length", "seq_len"});
    const auto length = key.empty() ? std::nullopt : part_.values().whole(key, 1, 100'000'000);
    const std::string packing_key = part_.key_of({"sample_packing", "packing", "neat_packing"});
    const bool packed = !packing_key.empty() && part_.yes(packing_key).value_or(false);
    if (length) {
      findings_.say(packed, "workload.sequence_length", *length,
                    packed ? key
                           : fmt::format("{}: sequences are at most this long, and are taken to be "
                                         "so",
                                         key));
    } else if (key.empty() && program_.sequence_length) {
      findings_.assume("workload.sequence_length", *program_.sequence_length,
                       fmt::format("no cutoff_len: the default of {}", program_.name));
    } else if (!part_.is_outside(key)) {
      findings_.unknown("workload.sequence_length", "no max_seq_length");
    }
  }

  void steps() {
    if (const auto steps = part_.values().whole("max_steps", -1); steps.value_or(0) > 0) {
      findings_.know("workload.steps", *steps, "max_steps");
    } else {
      findings_.unknown("workload.steps", "epochs of a dataset of unknown length");
    }
    const auto interval = part_.values().number("save_steps", 0.0, 1e12);
    const auto strategy = part_.lower("save_strategy");
    if (interval && *interval >= 1.0 && strategy.value_or("steps") == "steps") {
      findings_.know("checkpoint.interval_steps", static_cast<std::int64_t>(*interval),
                     "save_steps");
    }
  }

  void precision() {
    const auto bf16 = part_.lower("bf16");
    const auto fp16 = part_.yes("fp16");
    const auto mixed = part_.lower("mixed_precision");
    const std::string path = "software.precision";
    const bool is_bf16 = part_.yes("bf16").value_or(false) || bf16 == "full" || mixed == "bf16" ||
                         part_.yes("pure_bf16").value_or(false);
    const std::string type_key =
        part_.key_of({"torch_dtype", "dtype", "bnb_4bit_compute_dtype", "model_dtype"});
    const auto type = type_key.empty() ? std::nullopt : part_.lower(type_key);
    if (part_.yes("fp8").value_or(false) || mixed == "fp8") {
      findings_.know(path, std::string("fp8"), "fp8");
    } else if (is_bf16) {
      findings_.know(path, std::string("bf16"), "bf16");
    } else if (fp16.value_or(false) || mixed == "fp16") {
      findings_.know(path, std::string("fp16"), "fp16");
    } else if (type == "bfloat16" || type == "bf16" || bf16 == "auto") {
      findings_.assume(path, std::string("bf16"),
                       type ? type_key : "bf16 auto: where the device has it");
    } else if (type == "float16" || type == "fp16" || type == "half") {
      findings_.assume(path, std::string("fp16"), type_key);
    } else if (!part_.is_outside("bf16") && !part_.is_outside("fp16")) {
      findings_.unknown(path, "neither bf16 nor fp16: a configuration of accelerate may say");
    }
    if (part_.yes("pure_bf16").value_or(false)) {
      findings_.not_expressed("pure_bf16: the optimizer's state is in 16 bits too");
    }
  }

  void degree(std::initializer_list<std::string_view> keys, const char* path) {
    const std::string key = part_.key_of(keys);
    if (!key.empty()) {
      part_.degree(key, path);
    } else if (!part_.is_known(path)) {
      findings_.assume(path, 1, fmt::format("none in {} unless told", program_.name));
    }
  }

  void degrees() {
    degree({"tensor_parallel_size", "tensor_model_parallel_size", "tp_size"}, "parallelism.tp");
    degree({"pipeline_parallel_size", "pipeline_model_parallel_size"}, "parallelism.pp");
    if (part_.key_of({"pipeline_parallel_size", "pipeline_model_parallel_size"}).empty()) {
      findings_.assume("parallelism.virtual_stages", 1, "no pipeline");
    }
    degree({"context_parallel_size", "sequence_parallel_degree", "cp_size"}, "parallelism.cp");
    degree({"expert_parallel_size", "expert_model_parallel_size"}, "parallelism.ep");
    if (const auto shards = part_.values().whole("dp_shard_size", 1, 65536);
        shards && part_.values().whole("dp_replicate_size", 1, 65536).value_or(1) > 1) {
      findings_.know("parallelism.zero_group", *shards, "dp_shard_size");
    }
    if (const auto size = part_.values().whole("sequence_parallel_size", 1, 65536);
        size.value_or(1) > 1) {
      findings_.outside("parallelism.cp",
                        fmt::format("sequence_parallel_size {}: ranks share a sequence by "
                                    "all-to-all of heads, or in a ring",
                                    *size));
    }
  }

  void sharding() {
    const std::string json = part_.key_of({"deepspeed", "deepspeed_config"});
    if (!json.empty() && !part_.is_outside(json)) {
      deepspeed(json);
      return;
    }
    if (part_.values().has("fsdp_config")) add_fsdp_config(part_, "fsdp_config");
    for (const std::string& word : part_.words("fsdp")) {
      if (add_fsdp_strategy(word, "fsdp", findings_)) continue;
      if (word == "offload") {
        findings_.not_expressed("fsdp offload: parameters and the optimizer's step on the host");
      }
    }
    if (findings_.value_of("software.zero_stage") != nullptr) return;
    if (part_.values().has("fsdp") || part_.values().has("fsdp_config")) {
      add_fsdp_strategy("full_shard", "fsdp, whose default is", findings_);
      return;
    }
    if (part_.is_known("software.zero_stage") || part_.is_outside(json)) return;
    const bool has_config = part_.values().has("config_file") || part_.is_outside("config_file");
    if (has_config || contains(launch_.text, "accelerate launch")) {
      findings_.outside("software.zero_stage",
                        "accelerate's configuration tells FSDP, ZeRO or replicas: import it too");
    } else if (!launch_.is_script) {
      findings_.unknown("software.zero_stage",
                        "what starts the trainer tells FSDP, ZeRO or replicas: import accelerate's "
                        "configuration or DeepSpeed's JSON too");
    } else {
      add_ddp(part_, "neither fsdp nor deepspeed: replicas");
    }
  }

  void deepspeed(const std::string& key) {
    const core::Node* node = part_.values().find(key);
    if (node->is_mapping()) {
      if (const auto stage = part_.values().whole(key + ".zero_optimization.stage", 0, 3)) {
        add_zero_stage(*stage, key, true, findings_);
        return;
      }
    }
    if (part_.is_known("software.zero_stage")) return;
    const std::string text = node->is_scalar() ? node->text : std::string();
    if (text.starts_with("zero") && !text.ends_with(".json") && text.size() >= 5 &&
        text[4] >= '0' && text[4] <= '3') {
      add_zero_stage(text[4] - '0', fmt::format("{} {}", key, shown(text)), true, findings_);
      if (contains(text, "offload")) {
        findings_.not_expressed(
            fmt::format("{} {}: name a tier of the catalogue in "
                        "software.offload",
                        key, shown(text)));
      }
      return;
    }
    findings_.outside("software.zero_stage",
                      fmt::format("in {}: import it too", text.empty() ? key : shown(text)));
  }

  void recompute() {
    const std::string path = "software.recompute";
    const std::string key = part_.key_of({"gradient_checkpointing", "activation_checkpointing"});
    const auto told = key.empty() ? std::nullopt : part_.lower(key);
    if (part_.yes("disable_gradient_checkpointing").value_or(false)) {
      findings_.know(path, std::string("none"), "disable_gradient_checkpointing");
    } else if (told && (*told == "false" || *told == "no" || *told == "0")) {
      if (program_.name == "LLaMA-Factory") {
        findings_.assume(path, std::string("full"),
                         "LLaMA-Factory recomputes unless disable_gradient_checkpointing is set");
      } else {
        findings_.know(path, std::string("none"), key);
      }
    } else if (told) {
      findings_.know(path, std::string("full"), key);
      if (contains(*told, "offload")) {
        findings_.not_expressed(fmt::format("{} {}: inputs of layers go to the host", key, *told));
      }
    } else if (findings_.value_of(path) != nullptr || part_.is_outside(key)) {
      return;
    } else if (program_.recomputes) {
      findings_.assume(path, std::string(*program_.recomputes ? "full" : "none"),
                       fmt::format("no gradient_checkpointing: the default of {}", program_.name));
    } else {
      findings_.unknown(
          path, fmt::format("no gradient_checkpointing: releases of {} differ", program_.name));
    }
  }

  void kernels() {
    attention();
    const std::string liger = part_.key_of({"use_liger_kernel", "enable_liger_kernel", "use_liger",
                                            "liger_fused_linear_cross_entropy"});
    const bool fused = (!liger.empty() && part_.yes(liger).value_or(false)) ||
                       part_.yes("flash_attn_cross_entropy").value_or(false);
    const bool cut = part_.yes("cut_cross_entropy").value_or(false);
    if (fused || cut) {
      findings_.know("software.fused_loss", true, fused ? liger : "cut_cross_entropy");
      findings_.know("software.loss_copies", false, fused ? liger : "cut_cross_entropy");
    }
    const bool compiled = part_.yes("torch_compile").value_or(false);
    findings_.say(compiled || fused, "software.elementwise",
                  std::string(compiled || fused ? "fused" : "eager"),
                  compiled ? "torch_compile"
                  : fused  ? liger
                           : "modules run one kernel after another unless torch_compile or Liger");
    for (const char* key :
         {"use_unsloth", "liger_rope", "liger_rms_norm", "liger_glu_activation"}) {
      if (part_.yes(key).value_or(false) && !fused) {
        findings_.not_expressed(std::string(key) + ": fused kernels of its own");
      }
    }
  }

  void attention() {
    const std::string path = "software.attention";
    const std::string key = part_.key_of({"attn_implementation", "attn_impl", "flash_attn"});
    const auto word = key.empty() ? std::nullopt : part_.lower(key);
    const bool flag = part_.yes("flash_attention").value_or(false) ||
                      part_.yes("use_flash_attn").value_or(false) ||
                      part_.yes("use_flash_attention_2").value_or(false);
    if (flag || (word && (contains(*word, "flash") || contains(*word, "fa2") || *word == "true" ||
                          *word == "fa3"))) {
      findings_.know(path, std::string("fused"), flag ? "flash_attention" : key);
    } else if (word && (*word == "eager" || *word == "disabled")) {
      findings_.know(path, std::string("unfused"), key);
    } else if (!part_.is_outside(key)) {
      findings_.assume(path, std::string("fused"),
                       "PyTorch's scaled_dot_product_attention, which runs FlashAttention");
    }
  }

  void optimizer() {
    const std::string key = part_.key_of({"optim", "optimizer"});
    const auto word = key.empty() ? std::nullopt : part_.lower(key);
    if (const std::string other = other_optimizer(); !other.empty()) {
      findings_.unknown("software.optimizer", other + ": none that railwright has");
      return;
    }
    if (word == "muon" || part_.yes("use_muon").value_or(false)) {
      findings_.know("software.optimizer", std::string("muon"), word == "muon" ? key : "use_muon");
      return;
    }
    if (!word) {
      if (!part_.is_outside(key)) {
        findings_.assume("software.optimizer", std::string("adam"), "AdamW unless told");
      }
      return;
    }
    if (!word->starts_with("adam") && !contains(*word, "adamw")) {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*word)));
      return;
    }
    findings_.know("software.optimizer", std::string("adam"), key);
    if (contains(*word, "8bit")) findings_.know("software.moment_bytes", 1, key);
    if (contains(*word, "4bit") || contains(*word, "paged")) {
      findings_.not_expressed(
          fmt::format("{} {}: moments of 4 bits, or in pages", key, shown(*word)));
    }
  }

  /// LLaMA-Factory has switches of its own, next to `optim`.
  [[nodiscard]] std::string other_optimizer() {
    for (const char* key : {"use_galore", "use_apollo", "use_badam", "use_adam_mini"}) {
      if (part_.yes(key).value_or(false)) return key;
    }
    return {};
  }

  /// Says which program of a script, by its name, does more in a step than train one model.
  void programs() {
    static constexpr auto kOthers = std::to_array<std::string_view>(
        {"grpo", "ppo", "rloo", "dpo", "orpo", "kto", "reward", "distill"});
    std::string_view before;
    for (const std::string_view word : core::words_of(launch_.text)) {
      const bool is_program = word.ends_with(".py") || before == "trl" || before == "-m";
      before = word;
      if (!is_program) continue;
      std::string name = core::lower_case(word.substr(word.rfind('/') + 1));
      std::ranges::replace_if(name, [](char c) { return c == '_' || c == '-' || c == '.'; }, ' ');
      const bool is_other = std::ranges::any_of(core::words_of(name), [&](std::string_view part) {
        return std::ranges::any_of(kOthers,
                                   [&](std::string_view other) { return part.starts_with(other); });
      });
      if (!is_other) continue;
      findings_.outside("workload", fmt::format("{}: more passes than those of one model, which "
                                                "are left out",
                                                shown(word)));
      return;
    }
  }

  void software() {
    if (part_.key_of({"deepspeed", "deepspeed_config"}).empty()) {
      propose_software(
          findings_, "trl-1.9",
          fmt::format("{}: Hugging Face's trainer, by its newest profile", program_.name));
      return;
    }
    findings_.unknown("software",
                      fmt::format("the catalogue has no profile of {} under DeepSpeed: name the "
                                  "nearest beneath, such as deepspeed-zero3",
                                  program_.name));
  }

  TrainingPart& part_;
  const TrainerProgram& program_;
  const TrainerLaunch& launch_;
  Findings& findings_;
};

bool is_yaml_of_trainer(std::string_view text) {
  return has_line(text, "per_device_train_batch_size:") || has_line(text, "base_model:") ||
         (has_line(text, "model_name_or_path:") &&
          (has_line(text, "finetuning_type:") || has_line(text, "max_seq_length:") ||
           has_line(text, "learning_rate:")));
}

/// Transformers' HfArgumentParser reads the arguments of its trainer from JSON too.
bool is_json_of_trainer(std::string_view text) {
  return is_json_object(text) && contains(text, "\"per_device_train_batch_size\"") &&
         contains(text, "\"output_dir\"");
}

}  // namespace

bool is_trainer(std::string_view head) {
  if (is_json_object(head)) return is_json_of_trainer(head);
  if (has_line(head, "base_model:")) {
    return has_line(head, "micro_batch_size:") || has_line(head, "sequence_len:");
  }
  return contains(head, "per_device_train_batch_size") || is_yaml_of_trainer(head);
}

std::optional<std::string> chosen_trainer(std::string_view text, const std::string& file,
                                          const ImportChoices& choices) {
  if (is_yaml_of_trainer(text)) return with_chosen_values(text, choices);
  return with_variables(text, file, choices);
}

Imported import_trainer(std::string_view text, const std::string& file, const core::Node& known) {
  Findings findings(file);
  if (text.size() > kMaxTrainerScriptBytes) {
    throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no script", ""}});
  }
  TrainerLaunch launch{.text = text, .variables = {}};
  core::Node arguments;
  std::vector<UnsetOption> unset;
  if (is_json_of_trainer(text)) {
    arguments = parse_json(text, file);
  } else if (is_yaml_of_trainer(text)) {
    arguments = parse_foreign_yaml(text, file);
    unset = take_out_templates(arguments);
  } else {
    launch.is_script = true;
    ShellOptions options = shell_options(text, file);
    arguments = std::move(options.options);
    unset = std::move(options.unset);
    launch.variables = std::move(options.variables);
    add_shell_notes(options, findings);
  }
  const TrainerProgram& program = program_of(text);
  TrainingPart part(arguments, std::move(unset), known, program.name, findings);
  if (part.key_of({"per_device_train_batch_size", "model_name_or_path", "base_model",
                   "micro_batch_size", "gradient_accumulation_steps", "finetuning_type"})
          .empty()) {
    findings.problem_in_file("no argument of a trainer",
                             "per_device_train_batch_size, model_name_or_path, base_model ... are "
                             "looked for");
    findings.throw_if_any();
  }
  TrainerReading(part, program, launch).all();
  return findings.take();
}

}  // namespace railwright::importers
