// SPDX-License-Identifier: Apache-2.0
#include "torchtune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::importers {

namespace {

/// Beginnings of keys without an effect on time or memory.
constexpr auto kTorchtuneIgnored = std::to_array<std::string_view>({"output_dir",
                                                                    "tokenizer.",
                                                                    "dataset",
                                                                    "seed",
                                                                    "shuffle",
                                                                    "checkpointer.",
                                                                    "resume_from",
                                                                    "epochs",
                                                                    "optimizer.",
                                                                    "loss",
                                                                    "clip_grad",
                                                                    "device",
                                                                    "metric_logger",
                                                                    "log_",
                                                                    "profiler",
                                                                    "lr_scheduler",
                                                                    "run_val",
                                                                    "batch_size_val",
                                                                    "save_adapter",
                                                                    "model._component_",
                                                                    "model.lora_alpha",
                                                                    "model.lora_dropout",
                                                                    "model.use_dora",
                                                                    "cudnn",
                                                                    "train_from",
                                                                    "enable_async_checkpointing",
                                                                    "val_",
                                                                    "max_steps",
                                                                    "keep_last",
                                                                    "model.quantize_base",
                                                                    "keep_checkpoints",
                                                                    "model.image_size",
                                                                    "model.decoder_trainable",
                                                                    "model.encoder_trainable",
                                                                    "model.fusion_trainable",
                                                                    "collate_fn",
                                                                    "save_every",
                                                                    "data_parallel_shard_dim",
                                                                    "data_parallel_replicate_dim",
                                                                    "tensor_parallel_dim",
                                                                    "context_parallel_dim",
                                                                    "tensor_parallel_plan",
                                                                    "fsdp_cpu_offload",
                                                                    "samples",
                                                                    "prompt",
                                                                    "max_new_tokens",
                                                                    "temperature",
                                                                    "top_k"});

/// Words behind a model's name in a builder's: "qwen3_8b_instruct".
constexpr auto kTuned = std::to_array<std::string_view>({"_instruct", "_base"});
constexpr auto kAdapters = std::to_array<std::string_view>({"qlora_", "lora_", "dora_", "qdora_"});

class TorchtuneReading {
 public:
  explicit TorchtuneReading(TrainingPart& part)
      : part_(part), values_(part.values()), findings_(part.findings()) {}

  void all() {
    model();
    adapters();
    batches();
    degrees();
    stack();
    findings_.unknown(
        "software",
        "the catalogue has no profile of torchtune: name the nearest beneath, such as "
        "torchtitan");
    part_.rest(kTorchtuneIgnored);
  }

 private:
  /// Reads "torchtune.models.llama3_1.lora_llama3_1_8b".
  void model() {
    const auto component = values_.text("model._component_");
    if (!component) {
      findings_.outside("workload.model", "no model._component_");
      return;
    }
    std::string name = component->substr(component->rfind('.') + 1);
    for (const std::string_view prefix : kAdapters) {
      if (!name.starts_with(prefix)) continue;
      name.erase(0, prefix.size());
      is_adapter_ = true;
      is_quantized_ = prefix.starts_with('q');
      break;
    }
    for (const std::string_view ending : kTuned) {
      if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    }
    const std::size_t behind = component->rfind('.');
    const std::string family = component->substr(0, std::min(behind, component->size()));
    const std::string module = family.substr(family.rfind('.') + 1);
    if (name.starts_with(module)) {
      name = with_points(module) + with_points(name.substr(module.size()));
    }
    if (name.find("vision") != std::string::npos) {
      findings_.outside("workload.model",
                        fmt::format("{}: an encoder of images beside a decoder", shown(name)));
      return;
    }
    findings_.assume("workload.model", catalogue_name(name),
                     fmt::format("the catalogue's name for model {}", shown(*component)));
  }

  /// Writes "3_1" as "3.1".
  static std::string with_points(std::string text) {
    const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
      if (text[at] == '_' && is_digit(at - 1) && is_digit(at + 1)) text[at] = '.';
    }
    return text;
  }

  void adapters() {
    if (!is_adapter_) return;
    const auto rank = values_.whole("model.lora_rank", 1, 65536);
    if (rank) {
      findings_.know("workload.lora.rank", *rank, "model.lora_rank");
    } else if (!part_.is_outside("model.lora_rank")) {
      findings_.assume("workload.lora.rank", 8, "no model.lora_rank: torchtune's default");
    }
    const auto modules = part_.words("model.lora_attn_modules");
    const bool output = std::ranges::count(modules, "output_proj") > 0;
    const bool mlp = part_.yes("model.apply_lora_to_mlp").value_or(false);
    findings_.assume("workload.lora.targets",
                     std::string(mlp      ? "all"
                                 : output ? "attention"
                                          : "qkv"),
                     fmt::format("model.lora_attn_modules of {} matrices, apply_lora_to_mlp {}",
                                 modules.size(), mlp));
    values_.ignore({"model.apply_lora_to_output"});
    if (is_quantized_ || part_.yes("model.quantize_base").value_or(false)) {
      findings_.know("workload.lora.base", std::string("nf4"), "frozen weights in 4 bits");
    }
  }

  void batches() {
    const auto micro = part_.whole("batch_size", "workload.micro_batch", 1'000'000);
    const auto accumulation = values_.whole("gradient_accumulation_steps", 1, 1'000'000);
    if (micro && !part_.is_outside("gradient_accumulation_steps")) {
      part_.batch_of_ranks(*micro, accumulation.value_or(1));
    }
    if (const auto length = values_.whole("tokenizer.max_seq_len", 1, 100'000'000)) {
      const bool packed = part_.yes("dataset.packed").value_or(false);
      findings_.say(packed, "workload.sequence_length", *length,
                    packed
                        ? "tokenizer.max_seq_len"
                        : "tokenizer.max_seq_len: sequences are at most this long, and are taken "
                          "to be so");
    } else if (!part_.is_outside("tokenizer.max_seq_len")) {
      findings_.unknown("workload.sequence_length", "no tokenizer.max_seq_len");
    }
    findings_.unknown("workload.steps", "epochs of a dataset of unknown length");
  }

  void degrees() {
    part_.degree("tensor_parallel_dim", "parallelism.tp");
    part_.degree("context_parallel_dim", "parallelism.cp");
    findings_.assume("parallelism.pp", 1, "none in torchtune");
    findings_.assume("parallelism.virtual_stages", 1, "none in torchtune");
    part_.degree("expert_parallel_dim", "parallelism.ep");
    findings_.assume("software.zero_stage", 3,
                     "FSDP over all ranks, where more than one is started");
    const auto replicas = values_.whole("data_parallel_replicate_dim", 1, 65536);
    const auto shards = values_.whole("data_parallel_shard_dim", -1, 65536);
    if (replicas.value_or(1) > 1) {
      if (shards.value_or(-1) > 0) {
        findings_.know("parallelism.zero_group", *shards, "data_parallel_shard_dim");
      } else {
        findings_.unknown("parallelism.zero_group",
                          fmt::format("{} copies: the ranks over them", *replicas));
      }
    }
    if (const auto reshards = part_.yes("fsdp_reshard_after_forward")) {
      findings_.know("software.reshard_after_forward", *reshards, "fsdp_reshard_after_forward");
    }
    if (part_.yes("fsdp_cpu_offload").value_or(false)) {
      findings_.not_expressed("fsdp_cpu_offload: name a tier of the catalogue in software.offload");
    }
  }

  void stack() {
    const auto type = part_.lower("dtype");
    if (type && (*type == "bf16" || *type == "fp16" || *type == "fp32")) {
      findings_.know("software.precision", *type, "dtype");
      if (*type != "fp32") {
        findings_.not_expressed("dtype: weights and the optimizer's state are in this format too");
      }
    } else if (!part_.is_outside("dtype")) {
      findings_.unknown("software.precision", "no dtype");
    }
    const auto full = part_.yes("enable_activation_checkpointing");
    if (!part_.is_outside("enable_activation_checkpointing")) {
      findings_.say(full.has_value(), "software.recompute",
                    std::string(full.value_or(false) ? "full" : "none"),
                    full ? "enable_activation_checkpointing"
                         : "no enable_activation_checkpointing: torchtune's default");
    }
    if (part_.yes("enable_activation_offloading").value_or(false)) {
      findings_.not_expressed(
          "enable_activation_offloading: name a tier of the catalogue in "
          "software.offload.activations");
    }
    const auto compiled = part_.yes("compile");
    findings_.say(compiled.has_value(), "software.elementwise",
                  std::string(compiled.value_or(false) ? "fused" : "eager"),
                  compiled ? "compile" : "no compile: torchtune's default");
    findings_.assume("software.attention", std::string("fused"),
                     "PyTorch's scaled_dot_product_attention, which runs FlashAttention");
    const auto loss = values_.text("loss._component_");
    if (loss && (contains(*loss, "Chunked") || contains(*loss, "LinearCrossEntropy"))) {
      findings_.know("software.loss_copies", false, "loss: in chunks");
    }
    const auto optimizer = core::lower_case(values_.text("optimizer._component_").value_or(""));
    if (contains(optimizer, "adam")) {
      findings_.know("software.optimizer", std::string("adam"), "optimizer._component_");
      if (contains(optimizer, "8bit") || contains(optimizer, "paged")) {
        findings_.not_expressed("optimizer._component_: moments of 8 bits, taken as fp32");
      }
    } else {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(optimizer)));
    }
    if (part_.yes("optimizer_in_bwd").value_or(false)) {
      findings_.not_expressed("optimizer_in_bwd: no gradients are kept");
    }
    objective();
  }

  void objective() {
    for (const char* key :
         {"ref_model", "reward_and_value_model", "teacher_model", "policy_model", "reward_model",
          "teacher_checkpointer", "ref_checkpointer", "ref_policy_checkpointer"}) {
      if (!values_.has(key)) continue;
      findings_.outside(
          "workload",
          fmt::format("{}: more passes than those of one model; they are left out", key));
      return;
    }
    if (values_.has("loss._component_") &&
        contains(core::lower_case(*values_.text("loss._component_")), "dpo")) {
      findings_.outside("workload",
                        "loss: a preference between two answers and a frozen reference");
    }
  }

  TrainingPart& part_;
  TreeValues& values_;
  Findings& findings_;
  bool is_adapter_ = false;
  bool is_quantized_ = false;
};

}  // namespace

bool is_torchtune(std::string_view head) {
  return !is_json_object(head) && contains(head, "_component_: torchtune.") &&
         has_line(head, "batch_size:");
}

Imported import_torchtune(std::string_view text, const std::string& file, const core::Node& known) {
  core::Node document = parse_foreign_yaml(text, file);
  std::vector<UnsetOption> unset = take_out_templates(document);
  Findings findings(file);
  TrainingPart part(document, std::move(unset), known, "torchtune", findings);
  if (part.key_of({"model._component_", "batch_size"}).empty()) {
    findings.problem_in_file("no configuration of torchtune",
                             "model._component_ and batch_size are looked for");
    findings.throw_if_any();
  }
  if (!part.values().has("optimizer")) {
    findings.problem_in_file("no optimizer: a configuration of torchtune that trains nothing");
    findings.throw_if_any();
  }
  TorchtuneReading(part).all();
  return findings.take();
}

}  // namespace railwright::importers
