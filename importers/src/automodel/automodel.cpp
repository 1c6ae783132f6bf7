// SPDX-License-Identifier: Apache-2.0
#include "automodel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::importers {

namespace {

/// Beginnings of keys without an effect on time or memory.
constexpr auto kAutomodelIgnored = std::to_array<std::string_view>({"recipe",
                                                                    "seed",
                                                                    "rng",
                                                                    "ci.",
                                                                    "benchmark.",
                                                                    "dist_env",
                                                                    "dataset",
                                                                    "dataloader",
                                                                    "validation_data",
                                                                    "loss_fn",
                                                                    "optimizer._target_",
                                                                    "optimizer.lr",
                                                                    "optimizer.betas",
                                                                    "optimizer.eps",
                                                                    "optimizer.weight_decay",
                                                                    "optimizer.foreach",
                                                                    "optimizer.fused",
                                                                    "optimizer.capturable",
                                                                    "optimizer.amsgrad",
                                                                    "optimizer.adam_w_mode",
                                                                    "optimizer.bias_correction",
                                                                    "lr_scheduler",
                                                                    "wandb",
                                                                    "mlflow",
                                                                    "comet",
                                                                    "checkpoint.enabled",
                                                                    "checkpoint.checkpoint_dir",
                                                                    "checkpoint.model_save_format",
                                                                    "checkpoint.save_consolidated",
                                                                    "checkpoint.model_cache_dir",
                                                                    "checkpoint.model_repo_id",
                                                                    "checkpoint.best_metric",
                                                                    "checkpoint.restore",
                                                                    "checkpoint.v4",
                                                                    "logger",
                                                                    "slurm.",
                                                                    "skypilot.",
                                                                    "clip_grad_norm",
                                                                    "max_grad_norm",
                                                                    "model._target_",
                                                                    "model.trust_remote_code",
                                                                    "model.cache_dir",
                                                                    "model.text_config.use_cache",
                                                                    "model.force_hf",
                                                                    "peft._target_",
                                                                    "peft.peft_fn",
                                                                    "peft.alpha",
                                                                    "peft.dropout",
                                                                    "peft.lora_A_init",
                                                                    "peft.lora_dtype",
                                                                    "peft.use_triton",
                                                                    "step_scheduler.",
                                                                    "distributed._target_",
                                                                    "distributed.timeout",
                                                                    "distributed.backend",
                                                                    "distributed.pipeline.scale",
                                                                    "distributed.pipeline.patch",
                                                                    "distributed.pipeline.round",
                                                                    "distributed.patch",
                                                                    "processor.",
                                                                    "tokenizer.",
                                                                    "kd_",
                                                                    "moe_metrics",
                                                                    "model.backend._target_",
                                                                    "model.backend.enable_hf",
                                                                    "model.output_hidden",
                                                                    "fp8.emulate",
                                                                    "parallelizer._target_",
                                                                    "packed_sequence."});

/// Beginnings of keys of `model.config` that leave the checkpoint's shape as it is.
constexpr auto kSameShape = std::to_array<std::string_view>(
    {"_target_", "pretrained_model_name_or_path", "name_or_path", "trust_remote_code",
     "torch_dtype", "dtype", "use_cache", "output_hidden", "output_attentions", "attn", "cache_dir",
     "architectures", "model_type", "torch_version", "use_mtp"});

/// Keys of a model that say another shape than that of the checkpoint that is named.
constexpr auto kShapeKeys = std::to_array<std::string_view>({"num_hidden_layers",
                                                             "num_layers",
                                                             "n_layer",
                                                             "hidden_size",
                                                             "n_embd",
                                                             "intermediate_size",
                                                             "num_attention_heads",
                                                             "num_key_value_heads",
                                                             "head_dim",
                                                             "vocab_size",
                                                             "n_routed_experts",
                                                             "num_experts",
                                                             "num_local_experts",
                                                             "num_experts_per_tok",
                                                             "moe_intermediate_size",
                                                             "num_nextn_predict_layers",
                                                             "num_mtp_modules",
                                                             "layer_types",
                                                             "n_head",
                                                             "n_inner",
                                                             "n_shared_experts",
                                                             "first_k_dense_replace",
                                                             "tie_word_embeddings",
                                                             "kv_lora_rank",
                                                             "ffn_hidden_size",
                                                             "sliding_window"});

class AutomodelReading {
 public:
  explicit AutomodelReading(TrainingPart& part)
      : part_(part), values_(part.values()), findings_(part.findings()) {}

  void all() {
    job();
    findings_.throw_if_any();
    model();
    adapters();
    const std::int64_t pp = degrees();
    batches(pp);
    stages(pp);
    sharding(pp);
    formats();
    stack();
    cluster();
    findings_.unknown("software",
                      "the catalogue has no profile of NeMo Automodel: name the nearest beneath, "
                      "such as torchtitan");
    part_.rest(kAutomodelIgnored);
  }

 private:
  /// Refuses recipes of other models, by the recipe's class or by the model's.
  void job() {
    const std::string key = part_.key_of({"recipe._target_", "recipe", "model._target_"});
    const std::string what = key.empty() ? "" : values_.text(key).value_or("");
    const std::string both = what + " " + values_.text("model._target_").value_or("");
    const auto is_of = [&](std::initializer_list<std::string_view> words) {
      return std::ranges::any_of(words,
                                 [&](std::string_view word) { return contains(both, word); });
    };
    if (is_of({"KnowledgeDistillation"})) {
      findings_.outside("workload", "recipe: a teacher's forward pass belongs to a step");
    } else if (is_of({"VLM", "Multimodal", "ImageTextToText", "MultimodalLM"})) {
      findings_.outside("workload",
                        "recipe: an encoder of images or sound stands before the model");
    } else if (!is_of({"NextTokenPrediction", "CausalLM", "gpt2"})) {
      findings_.problem_in_file(
          fmt::format("{} trains no language model of its own",
                      what.empty() ? "a recipe without a name" : shown(what)),
          "recipes of next tokens are read, with or without an encoder of images");
    }
  }

  void model() {
    for (const char* below : {"model.config", "model.text_config", "model"}) {
      for (const std::string_view key : kShapeKeys) {
        const std::string path = fmt::format("{}.{}", below, key);
        if (!values_.has(path)) continue;
        values_.find("model.pretrained_model_name_or_path");
        findings_.outside("workload",
                          path + ": another shape than the checkpoint's, which is not read");
        return;
      }
    }
    for (const std::string& path : values_.unasked()) {
      constexpr std::string_view kConfig = "model.config.";
      if (!path.starts_with(kConfig)) continue;
      const std::string_view name = std::string_view(path).substr(kConfig.size());
      const bool is_same = std::ranges::any_of(
          kSameShape, [&](std::string_view same) { return name.starts_with(same); });
      values_.find(path);
      if (!is_same) findings_.outside("workload", shown(path) + ": may change the model's shape");
    }
    const std::string key =
        part_.key_of({"model.pretrained_model_name_or_path",
                      "model.config.pretrained_model_name_or_path", "model.config.name_or_path"});
    if (key.empty()) {
      findings_.outside("workload.model", "no pretrained_model_name_or_path");
      return;
    }
    part_.model(key);
  }

  void adapters() {
    if (!values_.has("peft")) return;
    const auto rank = values_.whole("peft.dim", 1, 65536);
    if (!part_.is_outside("peft.dim")) {
      findings_.say(rank.has_value(), "workload.lora.rank", rank.value_or(8),
                    rank ? "peft.dim" : "no peft.dim: Automodel's default");
    }
    adapter_targets();
    if (part_.yes("quantization.load_in_4bit").value_or(false)) {
      findings_.know("workload.lora.base", std::string("nf4"), "quantization.load_in_4bit");
    }
  }

  void adapter_targets() {
    constexpr std::string_view kPath = "workload.lora.targets";
    if (!part_.words("peft.exclude_modules").empty()) {
      values_.find("peft.target_modules");
      values_.find("peft.match_all_linear");
      findings_.outside(kPath, "peft.exclude_modules leaves some out");
      return;
    }
    const std::vector<std::string> names = part_.words("peft.target_modules");
    const auto has = [&](std::string_view part) {
      return std::ranges::any_of(names,
                                 [&](const std::string& name) { return contains(name, part); });
    };
    const bool is_all = part_.yes("peft.match_all_linear").value_or(false) ||
                        std::ranges::any_of(names, [](const std::string& name) {
                          return name == "*" || name == "*_proj";
                        });
    if (is_all) {
      findings_.assume(kPath, std::string("all"), "peft: matrices by a pattern that all match");
    } else if (has("gate_proj") || has("down_proj")) {
      findings_.know(kPath, std::string("all"), "peft.target_modules");
    } else if (has("q_proj") || has("qkv")) {
      findings_.know(kPath, std::string(has("o_proj") ? "attention" : "qkv"),
                     "peft.target_modules");
    } else if (!part_.is_outside("peft.target_modules")) {
      findings_.outside(kPath, "peft.target_modules name none that railwright knows");
    }
  }

  /// Returns a number of ranks; nothing for "none", which leaves it to the others.
  std::optional<std::int64_t> ranks(std::string_view key) {
    const auto text = part_.lower(key);
    if (!text || *text == "none" || *text == "null") return {};
    return values_.whole(key, 1, 65536);
  }

  /// Returns the stages of the pipeline.
  std::int64_t degrees() {
    std::int64_t stages = 1;
    for (const char* name : {"tp", "pp", "cp", "ep"}) {
      const std::string key = fmt::format("distributed.{}_size", name);
      if (part_.is_outside(key)) {
        values_.find(key);
        continue;
      }
      const auto size = ranks(key);
      findings_.say(size.has_value(), fmt::format("parallelism.{}", name), size.value_or(1),
                    size ? key : fmt::format("no {}: Automodel's default", key));
      if (key == "distributed.pp_size") stages = size.value_or(1);
    }
    part_.flag("distributed.sequence_parallel", "parallelism.sequence_parallel", false);
    return stages;
  }

  void batches(std::int64_t pp) {
    part_.whole("step_scheduler.global_batch_size", "workload.global_batch");
    constexpr const char* kLocal = "step_scheduler.local_batch_size";
    constexpr const char* kPiece = "distributed.pipeline.pp_microbatch_size";
    if (pp > 1) {
      // A rank's batch goes through the pipeline in pieces.
      const auto piece = values_.whole(kPiece, 1, 1'000'000);
      values_.find(kLocal);
      if (!part_.is_outside(kPiece)) {
        findings_.say(piece.has_value(), "workload.micro_batch", piece.value_or(1),
                      piece ? kPiece : "no pp_microbatch_size: Automodel's default");
      }
    } else {
      part_.whole(kLocal, "workload.micro_batch");
      values_.find(kPiece);
    }
    const auto steps = values_.whole("step_scheduler.max_steps", -1, 1'000'000'000);
    if (steps.value_or(0) > 0) {
      findings_.know("workload.steps", *steps, "step_scheduler.max_steps");
    } else {
      findings_.unknown("workload.steps", "epochs of a dataset of unknown length");
    }
    const auto every = values_.whole("step_scheduler.ckpt_every_steps", 1);
    if (every && part_.yes("checkpoint.enabled").value_or(false)) {
      findings_.know("checkpoint.interval_steps", *every, "step_scheduler.ckpt_every_steps");
    }
    length();
  }

  void length() {
    for (const char* key : {"packed_sequence.packed_sequence_size", "packed_sequence.pack_size"}) {
      const auto size = values_.whole(key, 0, 100'000'000);
      if (size.value_or(0) < 1) continue;
      findings_.know("workload.sequence_length", *size, key);
      return;
    }
    for (const char* key : {"dataset.seq_len", "dataset.seq_length", "dataset.max_length"}) {
      const auto size = values_.whole(key, 1, 100'000'000);
      if (!size) continue;
      const bool is_made_up = contains(values_.text("dataset._target_").value_or(""), "mock");
      findings_.say(is_made_up, "workload.sequence_length", *size,
                    is_made_up ? key
                               : fmt::format("{}: sequences are at most this long, and are taken "
                                             "to be so",
                                             key));
      return;
    }
    findings_.unknown("workload.sequence_length", "sequences are as long as the dataset's");
  }

  void stages(std::int64_t pp) {
    const auto schedule = part_.lower("distributed.pipeline.pp_schedule");
    const bool is_interleaved = schedule && contains(*schedule, "interleaved");
    const bool is_plain = schedule && (*schedule == "1f1b" || *schedule == "gpipe");
    const auto layers = values_.whole("distributed.pipeline.layers_per_stage", 1, 100'000);
    if (pp == 1) {
      findings_.assume("parallelism.virtual_stages", 1, "no stages");
    } else if (is_plain) {
      findings_.know("parallelism.virtual_stages", 1, "distributed.pipeline.pp_schedule");
    } else if (is_interleaved && !layers) {
      findings_.assume("parallelism.virtual_stages", 2, "no layers_per_stage: Automodel's default");
    } else {
      findings_.outside(
          "parallelism.virtual_stages",
          layers ? fmt::format("the model's layers over {} stages of {} layers each", pp, *layers)
                 : "distributed.pipeline.pp_schedule is none that railwright has");
    }
  }

  void sharding(std::int64_t pp) {
    const std::string strategy =
        core::lower_case(values_.text("distributed.strategy")
                             .value_or(values_.text("distributed._target_").value_or("fsdp2")));
    if (contains(strategy, "ddp")) {
      findings_.know("software.zero_stage", 0, "distributed.strategy");
      return;
    }
    if (contains(strategy, "megatron")) {
      const auto stage = values_.whole("distributed.zero_dp_strategy", 0, 3);
      findings_.say(
          stage.has_value(), "software.zero_stage", stage.value_or(3),
          stage ? "distributed.zero_dp_strategy" : "no zero_dp_strategy: Automodel's default");
      return;
    }
    if (!contains(strategy, "fsdp") && !contains(strategy, "hsdp")) {
      findings_.outside("software.zero_stage",
                        fmt::format("distributed.strategy '{}'", shown(strategy)));
      return;
    }
    findings_.know("software.zero_stage", 3, "distributed: FSDP2");
    const auto reshards = part_.yes("distributed.reshard_after_forward");
    findings_.say(reshards.has_value(), "software.reshard_after_forward",
                  reshards.value_or(pp == 1),
                  reshards ? "distributed.reshard_after_forward"
                           : "Automodel gathers layers again unless there are stages");
    if (const auto copies = ranks("distributed.dp_replicate_size"); copies.value_or(1) > 1) {
      findings_.outside("parallelism.zero_group",
                        fmt::format("{} copies: the ranks over them", *copies));
    }
    if (const auto size = ranks("distributed.dp_size"); size.value_or(1) > 1) {
      findings_.not_expressed(fmt::format(
          "distributed.dp_size {}: the accelerators over those of tp, pp and cp", *size));
    }
  }

  /// Returns railwright's word for one of PyTorch's; "" for others.
  static std::string_view number_format(std::string_view word) {
    if (word.starts_with("torch.")) word.remove_prefix(std::string_view("torch.").size());
    if (word == "bf16" || word == "bfloat16") return "bf16";
    if (word == "fp16" || word == "float16" || word == "half") return "fp16";
    return word == "fp32" || word == "float32" || word == "float" ? "fp32" : "";
  }

  void add_precision(const std::optional<std::string>& type) {
    const std::string_view word = number_format(type.value_or("bf16"));
    if (word.empty()) {
      findings_.outside("software.precision", "distributed.mp_policy.param_dtype " + shown(*type));
      return;
    }
    findings_.say(
        type.has_value(), "software.precision", std::string(word),
        type ? "distributed.mp_policy.param_dtype" : "no mp_policy: Automodel computes in bf16");
  }

  void formats() {
    const bool is_fp8 = part_.yes("fp8.enabled").value_or(false);
    const auto type = part_.lower("distributed.mp_policy.param_dtype");
    const bool is_partly = values_.has("model.backend.te_fp8.recipe") ||
                           contains(values_.text("model.backend.experts").value_or(""), "fp8");
    if (is_fp8) {
      findings_.know("software.precision", std::string("fp8"), "fp8.enabled");
    } else if (is_partly) {
      findings_.outside("software.precision", "model.backend: fp8 in a part of the products");
    } else {
      add_precision(type);
    }
    const auto reduced = part_.lower("distributed.mp_policy.reduce_dtype");
    const std::string_view word = number_format(reduced.value_or("float32"));
    if (word.empty()) {
      findings_.outside("software.gradient_reduce_bytes",
                        "distributed.mp_policy.reduce_dtype " + shown(*reduced));
    } else {
      findings_.say(reduced.has_value(), "software.gradient_reduce_bytes", word == "fp32" ? 4 : 2,
                    reduced ? "distributed.mp_policy.reduce_dtype"
                            : "no mp_policy: Automodel reduces in fp32");
    }
    const auto held = part_.lower("model.torch_dtype");
    if (held && contains(*held, "bf")) {
      findings_.not_expressed(
          "model.torch_dtype: weights and the optimizer's state are in bf16 too");
    }
  }

  void stack() {
    const std::string how = part_.key_of(
        {"distributed.activation_checkpointing", "parallelizer.activation_checkpointing"});
    const auto word = part_.lower(how);
    const auto is_on = word == "full" ? std::optional(true) : part_.yes(how);
    const bool is_open = !how.empty() && !is_on && word != "none" && word != "null";
    if (word == "selective") {
      findings_.outside("software.recompute",
                        "activation_checkpointing: selective, by a list of PyTorch's operations");
    } else if (is_open && !part_.is_outside(how)) {
      findings_.outside("software.recompute", how + " is neither full nor selective, on nor off");
    } else if (!part_.is_outside(how)) {
      findings_.say(is_on.has_value(), "software.recompute",
                    std::string(is_on.value_or(false) ? "full" : "none"),
                    is_on ? how : "no activation_checkpointing: Automodel's default");
    }
    const bool compiled = part_.yes("compile.enabled").value_or(false) ||
                          part_.yes("distributed.enable_compile").value_or(false);
    findings_.say(compiled, "software.elementwise", std::string(compiled ? "fused" : "eager"),
                  compiled ? "compiled" : "no compile: Automodel's default");
    const auto kernel = part_.lower(
        part_.key_of({"model.backend.attn", "model.attn_implementation", "model.config.attn"}));
    if (kernel == "eager") {
      findings_.know("software.attention", std::string("unfused"), "eager attention");
    } else {
      findings_.assume("software.attention", std::string("fused"),
                       kernel ? fmt::format("attention by {}", shown(*kernel))
                              : "PyTorch's scaled_dot_product_attention");
    }
    const std::string optimizer = core::lower_case(values_.text("optimizer._target_").value_or(""));
    if (contains(optimizer, "adam")) {
      findings_.know("software.optimizer", std::string("adam"), "optimizer._target_");
      moments(optimizer);
    } else {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(optimizer)));
    }
  }

  /// Reads how many bytes each moment of Adam has.
  void moments(std::string_view optimizer) {
    const auto first = part_.lower("optimizer.exp_avg_dtype");
    const auto second = part_.lower("optimizer.exp_avg_sq_dtype");
    if (contains(optimizer, "8bit")) {
      findings_.know("software.moment_bytes", 1, "optimizer._target_");
    } else if (contains(optimizer, "4bit") || first != second) {
      findings_.outside("software.moment_bytes", "optimizer: moments of 4 bits, or of two formats");
    } else if (first && number_format(*first) != "fp32") {
      findings_.know("software.moment_bytes", 2, "optimizer.exp_avg_dtype");
    }
  }

  /// Returns how many accelerators SkyPilot's "H100:8" asks for on a node.
  std::optional<std::int64_t> sky_accelerators() {
    const std::string text = values_.text("skypilot.accelerators").value_or("");
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return {};
    const double number = core::number_of(std::string_view(text).substr(colon + 1));
    const bool is_count = number >= 1.0 && number <= 1024.0 && number == std::floor(number);
    return is_count ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
  }

  void cluster() {
    const std::string nodes =
        part_.key_of({"benchmark.num_nodes", "slurm.nodes", "skypilot.num_nodes"});
    if (!nodes.empty()) part_.whole(nodes, "cluster.nodes", 65536);
    if (const auto tasks = values_.whole("slurm.ntasks_per_node", 1, 1024)) {
      findings_.assume("cluster.node.num_accelerators", *tasks,
                       "slurm.ntasks_per_node: a rank on each accelerator");
    } else if (const auto offered = sky_accelerators()) {
      findings_.assume("cluster.node.num_accelerators", *offered,
                       "skypilot.accelerators: a rank on each");
    } else {
      findings_.unknown("cluster.node.num_accelerators", "the command tells it: --nproc-per-node");
    }
  }

  TrainingPart& part_;
  TreeValues& values_;
  Findings& findings_;
};

}  // namespace

bool is_automodel(std::string_view head) {
  return !is_json_object(head) && contains(head, "nemo_automodel.") &&
         (has_line(head, "step_scheduler:") || has_line(head, "recipe:"));
}

Imported import_automodel(std::string_view text, const std::string& file, const core::Node& known) {
  core::Node document = parse_foreign_yaml(text, file);
  std::vector<UnsetOption> unset = take_out_templates(document);
  Findings findings(file);
  TrainingPart part(document, std::move(unset), known, "NeMo Automodel", findings);
  if (part.key_of({"step_scheduler.global_batch_size", "step_scheduler.local_batch_size",
                   "distributed.tp_size", "model._target_"})
          .empty()) {
    findings.problem_in_file("no recipe of NeMo Automodel",
                             "step_scheduler, distributed and model are looked for");
    findings.throw_if_any();
  }
  AutomodelReading(part).all();
  return findings.take();
}

}  // namespace railwright::importers
