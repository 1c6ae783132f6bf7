// SPDX-License-Identifier: Apache-2.0
#include "gpt_neox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../common/looks_like.hpp"
#include "../common/shape_part.hpp"
#include "../common/training_part.hpp"
#include "../deepspeed/deepspeed_zero.hpp"
#include "railwright/core/arithmetic.hpp"

namespace railwright::importers {

namespace {

/// Beginnings of keys without an effect on time or memory.
constexpr auto kGptNeoxIgnored = std::to_array<std::string_view>({"vocab_file",
                                                                  "merge_file",
                                                                  "save",
                                                                  "load",
                                                                  "data",
                                                                  "train_data",
                                                                  "valid_data",
                                                                  "test_data",
                                                                  "tokenizer_type",
                                                                  "init_method",
                                                                  "output_layer_init",
                                                                  "output_layer_parallelism",
                                                                  "optimizer.",
                                                                  "min_lr",
                                                                  "lr_",
                                                                  "warmup",
                                                                  "split",
                                                                  "gradient_clipping",
                                                                  "weight_decay",
                                                                  "fp16.",
                                                                  "bf16.",
                                                                  "distributed_backend",
                                                                  "eval_",
                                                                  "log",
                                                                  "steps_per_print",
                                                                  "wall_clock",
                                                                  "keep_last",
                                                                  "tensorboard",
                                                                  "use_wandb",
                                                                  "wandb",
                                                                  "rotary_",
                                                                  "rms_norm_epsilon",
                                                                  "layernorm_epsilon",
                                                                  "extra_save",
                                                                  "checkpoint_factor",
                                                                  "master_port",
                                                                  "launcher",
                                                                  "hostfile",
                                                                  "num_workers",
                                                                  "seed",
                                                                  "eod_mask",
                                                                  "synchronize_each_layer",
                                                                  "partition_activations",
                                                                  "deepspeed_activation",
                                                                  "mmap_warmup",
                                                                  "finetune",
                                                                  "override_lr",
                                                                  "use_checkpoint_lr",
                                                                  "include",
                                                                  "text_gen",
                                                                  "temperature",
                                                                  "top_",
                                                                  "maximum_tokens",
                                                                  "sample_",
                                                                  "num_samples",
                                                                  "print",
                                                                  "peak_theoretical",
                                                                  "norm",
                                                                  "label_data",
                                                                  "apply_query_key",
                                                                  "no_load",
                                                                  "no_save",
                                                                  "scheduler.",
                                                                  "short_seq",
                                                                  "do_",
                                                                  "hysteresis",
                                                                  "loss_scale",
                                                                  "exit_interval",
                                                                  "comment",
                                                                  "pack_impl",
                                                                  "prescale",
                                                                  "autotuning",
                                                                  "onnx_safe",
                                                                  "use_mup",
                                                                  "dump_state",
                                                                  "flops_profiler",
                                                                  "s3_",
                                                                  "shuffle",
                                                                  "steps_",
                                                                  "use_shared_fs",
                                                                  "mup_",
                                                                  "coord_check",
                                                                  "base_shapes",
                                                                  "profile",
                                                                  "no_ssh",
                                                                  "detect_nvlink",
                                                                  "deepspeed_slurm",
                                                                  "deepspeed_mpi",
                                                                  "account",
                                                                  "comet",
                                                                  "git_hash",
                                                                  "zero_allow",
                                                                  "impl"});

/// Layers of other kinds than attention over all tokens.
constexpr auto kOtherLayers = std::to_array<std::string_view>({"mamba", "rwkv", "gmlp", "amlp"});

void hyphens_to_underscores(core::Node& node) {
  for (core::Entry& entry : node.entries) {
    if (entry.key.find("num-gpus") == std::string::npos) {
      std::ranges::replace(entry.key, '-', '_');
    }
  }
}

/// Whether a nested list holds this word.
bool holds_word(const core::Node& node, std::string_view word, int depth = 0) {
  if (node.is_scalar()) return node.text == word;
  return depth < 8 &&
         std::ranges::any_of(
             node.items, [&](const core::Node& item) { return holds_word(item, word, depth + 1); });
}

class GptNeoxReading {
 public:
  explicit GptNeoxReading(TrainingPart& part)
      : part_(part), values_(part.values()), findings_(part.findings()) {}

  void all(const core::Node& known) {
    add_launcher(part_, core::Node{}, "");
    degrees();
    layers();
    model();
    batches();
    precision();
    add_deepspeed_zero(values_, known, {element_bytes_, false}, findings_);
    stack();
    propose_software(findings_, "megatron-deepspeed",
                     "GPT-NeoX is built on Megatron and DeepSpeed: the nearest profile");
    part_.rest(kGptNeoxIgnored);
  }

 private:
  void degrees() {
    tp_ = part_.degree("model_parallel_size", "parallelism.tp");
    const auto stages = values_.whole("pipe_parallel_size", 0, 65536);
    if (!part_.is_outside("pipe_parallel_size")) {
      findings_.say(stages.has_value(), "parallelism.pp",
                    std::max<std::int64_t>(1, stages.value_or(1)),
                    stages ? "pipe_parallel_size" : "no pipe_parallel_size: GPT-NeoX's default");
    }
    findings_.assume("parallelism.virtual_stages", 1, "GPT-NeoX has one chunk a stage");
    findings_.assume("parallelism.cp", 1, "none in GPT-NeoX unless told");
    part_.flag("sequence_parallel", "parallelism.sequence_parallel", false);
    const std::string ep = part_.key_of({"expert_parallel_size", "moe_expert_parallel_size"});
    if (!ep.empty()) part_.degree(ep, "parallelism.ep");
  }

  /// Refuses layers of other kinds; adds the kernels of attention.
  void layers() {
    const core::Node* kinds = values_.find("attention_config");
    for (const std::string_view other : kOtherLayers) {
      if (kinds == nullptr || !holds_word(*kinds, other)) continue;
      findings_.problem(kinds->where, "attention_config",
                        fmt::format("layers of {} are not described", other));
    }
    const bool flash = kinds != nullptr && holds_word(*kinds, "flash");
    findings_.say(kinds != nullptr, "software.attention", std::string(flash ? "fused" : "unfused"),
                  kinds != nullptr ? "attention_config"
                                   : "no attention_config: products with a softmax between");
    if (kinds != nullptr && !flash && !holds_word(*kinds, "global")) {
      findings_.not_expressed("attention_config: attention is taken over the whole sequence");
    }
  }

  void model() {
    const auto layers = values_.whole("num_layers", 1, 10'000);
    const auto hidden = values_.whole("hidden_size", 1, 1'000'000);
    const auto heads = values_.whole("num_attention_heads", 1, 1'000'000);
    TransformerShape shape;
    models::Transformer& model = shape.model;
    const auto kv_heads = values_.whole("num_kv_heads", 1, 1'000'000);
    model.tied_embeddings = !part_.yes("no_weight_tying").value_or(false);
    const auto position = part_.lower("pos_emb").value_or("learned");
    const auto longest = values_.whole("max_position_embeddings", 1, 100'000'000);
    if (position == "learned" && longest) model.positions = static_cast<int>(*longest);
    const bool in_attention = part_.yes("use_bias_in_attn_linear").value_or(true);
    const bool in_norms = part_.yes("use_bias_in_norms").value_or(true);
    const bool in_mlp = part_.yes("use_bias_in_mlp").value_or(true);
    model.biases = in_attention;
    if (in_attention != in_norms || in_attention != in_mlp) {
      findings_.not_expressed(
          "use_bias_in_attn_linear, use_bias_in_mlp, use_bias_in_norms: biases of some kinds, "
          "taken as those of attention");
    }
    if (part_.yes("gpt_j_residual").value_or(false)) {
      findings_.not_expressed(
          "gpt_j_residual: attention and feed-forward block side by side are taken one behind the "
          "other");
    }
    if (!layers || !hidden || !heads) {
      if (!part_.is_outside("num_layers") && !part_.is_outside("hidden_size")) {
        findings_.outside("workload.model",
                          "no num_layers, hidden_size and num_attention_heads in "
                          "this file");
      }
      return;
    }
    model.num_layers = static_cast<int>(*layers);
    model.hidden_size = static_cast<int>(*hidden);
    model.num_heads = static_cast<int>(*heads);
    model.num_kv_heads = static_cast<int>(kv_heads.value_or(*heads));
    feed_forward(shape, *hidden);
    experts(model);
    vocabulary(shape);
    add_shape(shape, "GPT-NeoX", findings_);
  }

  /// Takes widths as megatron/model/transformer.py does.
  void feed_forward(TransformerShape& shape, std::int64_t hidden) {
    const auto width = values_.whole("intermediate_size", 1, 4'000'000);
    const auto activation = part_.lower("activation").value_or("gelu");
    const std::int64_t multiple = values_.whole("mlp_multiple_of", 1, 1'000'000).value_or(1);
    const bool is_llama = part_.lower("mlp_type") == "llama";
    shape.model.gated_ffn = is_llama || activation.ends_with("glu");
    std::int64_t ffn = width.value_or(4 * hidden);
    if (is_llama && !width) {
      ffn = 4 * hidden * 2 / 3;
    } else if (shape.model.gated_ffn && !is_llama) {
      ffn = ffn * 2 / 3 / 2;
      if (width) {
        findings_.not_expressed(fmt::format(
            "intermediate_size {}: a gated block of GPT-NeoX takes a third, {}, in each "
            "of three matrices",
            *width, core::ceil_div(ffn, multiple) * multiple));
      }
    }
    shape.model.ffn_size = static_cast<int>(core::ceil_div(ffn, multiple) * multiple);
  }

  void experts(models::Transformer& model) {
    const auto count = values_.whole("moe_num_experts", 1, 100'000);
    const auto top_k = values_.whole("moe_top_k", 1, 100'000);
    const auto every = values_.whole("moe_expert_interval", 1, 10'000);
    if (count.value_or(1) <= 1) return;
    model.experts = models::Experts{.count = static_cast<int>(*count),
                                    .top_k = static_cast<int>(top_k.value_or(1)),
                                    .ffn_size = model.ffn_size};
    model.experts->every = static_cast<int>(every.value_or(1));
  }

  void vocabulary(TransformerShape& shape) {
    const auto tokenizer = part_.lower("tokenizer_type").value_or("");
    const auto file = values_.text("vocab_file").value_or("");
    std::int64_t size = values_.whole("padded_vocab_size", 1, 10'000'000).value_or(0);
    const std::int64_t multiple =
        values_.whole("make_vocab_size_divisible_by", 1, 1'000'000).value_or(128) * tp_.value_or(1);
    if (size == 0) {
      if (file.find("20B_tokenizer") != std::string::npos) {
        size = 50277;
      } else if (tokenizer == "gpt2bpetokenizer" || file.find("gpt2-vocab") != std::string::npos) {
        size = 50257;
      } else {
        shape.has_vocabulary = false;
        return;
      }
      shape.assumption +=
          fmt::format("the tokenizer's {} tokens padded to a multiple of {}; ", size, multiple);
      size = core::ceil_div(size, multiple) * multiple;
    }
    shape.model.vocabulary_size = static_cast<int>(std::min<std::int64_t>(size, 10'000'000));
  }

  void batches() {
    part_.whole("seq_length", "workload.sequence_length", 100'000'000);
    const auto micro =
        part_.whole("train_micro_batch_size_per_gpu", "workload.micro_batch", 1'000'000);
    const auto steps = values_.whole("gradient_accumulation_steps", 1, 1'000'000);
    if (const auto global = values_.whole("train_batch_size", 1)) {
      findings_.know("workload.global_batch", *global, "train_batch_size");
    } else if (micro && !part_.is_outside("gradient_accumulation_steps")) {
      part_.batch_of_ranks(*micro, steps.value_or(1));
    } else {
      findings_.unknown("workload.global_batch", "no train_batch_size");
    }
    part_.whole("train_iters", "workload.steps");
    const std::string every = part_.key_of({"checkpoint_factor", "save_interval"});
    if (every.empty()) return;
    if (const auto interval = values_.number(every, 1.0, 1e9)) {
      findings_.know("checkpoint.interval_steps", static_cast<std::int64_t>(*interval), every);
    }
  }

  void precision() {
    const auto word = part_.lower("precision");
    const bool bf16 = part_.yes("bf16.enabled").value_or(false) || word == "bfloat16" ||
                      part_.lower("fp16.type") == "bfloat16";
    const bool fp16 = part_.yes("fp16.enabled").value_or(false) || word == "fp16";
    const bool fp8 = values_.has("te_fp8_format");
    element_bytes_ = bf16 || fp16 ? 2 : 4;
    findings_.say(bf16 || fp16 || fp8 || word == "fp32", "software.precision",
                  std::string(fp8    ? "fp8"
                              : bf16 ? "bf16"
                              : fp16 ? "fp16"
                                     : "fp32"),
                  fp8            ? "te_fp8_format"
                  : bf16 || fp16 ? "bf16 or fp16 is enabled"
                                 : "neither fp16 nor bf16 is enabled");
    if (part_.yes("zero_optimization.cpu_offload").value_or(false)) {
      findings_.not_expressed(
          "zero_optimization.cpu_offload: software.offload.optimizer names a "
          "tier");
    }
  }

  void stack() {
    if (part_.yes("fp32_allreduce").value_or(false)) {
      findings_.know("software.gradient_reduce_bytes", 4, "fp32_allreduce");
    }
    const auto full = part_.yes("checkpoint_activations");
    if (!part_.is_outside("checkpoint_activations")) {
      findings_.say(
          full.has_value(), "software.recompute",
          std::string(full.value_or(false) ? "full" : "none"),
          full ? "checkpoint_activations" : "no checkpoint_activations: GPT-NeoX's default");
    }
    if (values_.whole("checkpoint_num_layers", 1, 10'000).value_or(1) > 1) {
      findings_.not_expressed("checkpoint_num_layers: taken as each layer by itself");
    }
    const double dropout = std::max(values_.number("attention_dropout", 0.0, 1.0).value_or(0.0),
                                    values_.number("hidden_dropout", 0.0, 1.0).value_or(0.0));
    findings_.know("software.dropout", dropout > 0.0, "attention_dropout and hidden_dropout");
    const auto type = part_.lower("optimizer.type");
    if (type && !type->ends_with("adam") && !type->ends_with("adamw")) {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*type)));
    } else {
      findings_.say(type.has_value(), "software.optimizer", std::string("adam"),
                    type ? "optimizer.type" : "Adam unless told");
    }
    const auto objective = part_.lower("train_impl");
    if (objective && *objective != "normal") {
      findings_.outside(
          "workload",
          fmt::format("train_impl {}: more passes than those of one model", shown(*objective)));
    }
  }

  TrainingPart& part_;
  TreeValues& values_;
  Findings& findings_;
  std::optional<std::int64_t> tp_;
  int element_bytes_ = 2;
};

}  // namespace

bool is_gpt_neox(std::string_view head) {
  const auto has = [&](std::string_view with_underscore, std::string_view with_hyphen) {
    return contains(head, with_underscore) || contains(head, with_hyphen);
  };
  if (contains(head, "--")) return false;
  return has("\"pipe_parallel_size\":", "\"pipe-parallel-size\":") ||
         (has("model_parallel_size", "model-parallel-size") &&
          has("checkpoint_activations", "checkpoint-activations")) ||
         (has("checkpoint_activations", "checkpoint-activations") &&
          contains(head, "train_micro_batch_size_per_gpu")) ||
         (contains(head, "\"gpt_j_residual\"") && contains(head, "\"num_layers\"")) ||
         (contains(head, "pipe_parallel_size:") && contains(head, "train_iters"));
}

Imported import_gpt_neox(std::string_view text, const std::string& file, const core::Node& known) {
  core::Node document = parse_foreign_yaml(text, file);
  hyphens_to_underscores(document);
  std::vector<UnsetOption> unset = take_out_templates(document);
  Findings findings(file);
  TrainingPart part(document, std::move(unset), known, "GPT-NeoX", findings);
  if (part.key_of({"num_layers", "hidden_size", "pipe_parallel_size", "model_parallel_size",
                   "train_micro_batch_size_per_gpu"})
          .empty()) {
    findings.problem_in_file("no configuration of GPT-NeoX",
                             "num_layers, pipe_parallel_size, model_parallel_size ... are looked "
                             "for");
    findings.throw_if_any();
  }
  GptNeoxReading(part).all(known);
  return findings.take();
}

}  // namespace railwright::importers
