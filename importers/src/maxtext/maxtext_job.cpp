// SPDX-License-Identifier: Apache-2.0
#include "maxtext_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../common/looks_like.hpp"
#include "../common/shape_part.hpp"

namespace railwright::importers {

namespace {

/// Beginnings of keys without an effect on time or memory.
constexpr auto kMaxtextIgnored = std::to_array<std::string_view>({"base_config",
                                                                  "run_name",
                                                                  "base_output",
                                                                  "dataset",
                                                                  "tokenizer",
                                                                  "enable_goodput",
                                                                  "profiler",
                                                                  "metrics",
                                                                  "gcs_",
                                                                  "enable_checkpoint",
                                                                  "async_checkpoint",
                                                                  "checkpoint_",
                                                                  "hf_",
                                                                  "grain_",
                                                                  "eval_",
                                                                  "learning_rate",
                                                                  "warmup",
                                                                  "adam_",
                                                                  "data_",
                                                                  "hardware",
                                                                  "logits_dot",
                                                                  "log",
                                                                  "init_weights",
                                                                  "use_iota",
                                                                  "xla_",
                                                                  "dump_",
                                                                  "reuse_example",
                                                                  "save_",
                                                                  "load_",
                                                                  "tensorboard",
                                                                  "enable_tensorboard",
                                                                  "upload_",
                                                                  "jax_",
                                                                  "skip_first",
                                                                  "monitor",
                                                                  "report_",
                                                                  "sharding_toler",
                                                                  "max_segments",
                                                                  "steps_",
                                                                  "rope_",
                                                                  "normalization_layer",
                                                                  "compile_",
                                                                  "stack_",
                                                                  "collect_",
                                                                  "enable_dropout",
                                                                  "dropout_rate",
                                                                  "allow_split",
                                                                  "sa_",
                                                                  "mgpu",
                                                                  "container",
                                                                  "cosine_",
                                                                  "enable_emergency",
                                                                  "use_vertex",
                                                                  "per_device_batch_size_",
                                                                  "train_",
                                                                  "reuse",
                                                                  "colocated",
                                                                  "profile",
                                                                  "num_slices",
                                                                  "seed",
                                                                  "gradient_clipping",
                                                                  "z_loss",
                                                                  "vocab_relative",
                                                                  "max_norm",
                                                                  "decode_",
                                                                  "generate",
                                                                  "chips",
                                                                  "trainable",
                                                                  "sink_level",
                                                                  "file_sink",
                                                                  "stderr_sink",
                                                                  "enable_data",
                                                                  "goodput",
                                                                  "add_bos",
                                                                  "add_eos",
                                                                  "prefill",
                                                                  "global_parameter",
                                                                  "nnodes",
                                                                  "enable_diloco",
                                                                  "internal_",
                                                                  "PROJECT",
                                                                  "ZONE",
                                                                  "RUN_",
                                                                  "OUTPUT",
                                                                  "DATASET",
                                                                  "BUCKET",
                                                                  "MODEL",
                                                                  "PLATFORM",
                                                                  "EXECUTABLE",
                                                                  "XLA",
                                                                  "LIBTPU",
                                                                  "NCCL",
                                                                  "CUDA",
                                                                  "TF_",
                                                                  "JAX",
                                                                  "LD_",
                                                                  "PYTHON",
                                                                  "M_",
                                                                  "DEVICE",
                                                                  "NETWORK",
                                                                  "QUANT",
                                                                  "NUM_",
                                                                  "BATCH",
                                                                  "base_yml"});

/// Names of an axis, whose degrees multiply.
using Axes = std::initializer_list<std::string_view>;

class MaxtextJob {
 public:
  explicit MaxtextJob(TrainingPart& part)
      : part_(part), values_(part.values()), findings_(part.findings()) {}

  void all() {
    model();
    degrees();
    batches();
    sharding();
    precision();
    adapters();
    recompute();
    kernels();
    propose_software(findings_, "maxtext", "the configuration of MaxText");
    part_.rest(kMaxtextIgnored);
  }

 private:
  void model() {
    const auto name = values_.text("model_name");
    if (name && *name != "default") {
      part_.model("model_name");
      return;
    }
    if (part_.is_outside("model_name")) return;
    const auto number = [&](const char* key, std::int64_t most) {
      return values_.whole(key, 1, most);
    };
    const auto hidden = number("base_emb_dim", 1'000'000);
    const auto heads = number("base_num_query_heads", 1'000'000);
    const auto kv_heads = number("base_num_kv_heads", 1'000'000);
    const auto ffn = number("base_mlp_dim", 4'000'000);
    const auto layers = number("base_num_decoder_layers", 10'000);
    const auto head = number("head_dim", 1'000'000);
    const auto vocabulary = number("vocab_size", 10'000'000);
    const bool is_scaled = values_.whole("global_parameter_scale", 1, 1024).value_or(1) > 1;
    if (!hidden || !heads || !ffn || !layers || is_scaled ||
        values_.whole("num_experts", 1, 100'000).value_or(1) > 1) {
      findings_.outside("workload.model",
                        "no model_name, and not a whole dense shape with base_emb_dim, "
                        "base_num_query_heads, base_mlp_dim and base_num_decoder_layers");
      return;
    }
    TransformerShape shape;
    shape.model.hidden_size = static_cast<int>(*hidden);
    shape.model.num_heads = static_cast<int>(*heads);
    shape.model.num_kv_heads = static_cast<int>(kv_heads.value_or(*heads));
    shape.model.ffn_size = static_cast<int>(*ffn);
    shape.model.num_layers = static_cast<int>(*layers);
    shape.model.head_size = static_cast<int>(head.value_or(128));
    shape.model.vocabulary_size = static_cast<int>(vocabulary.value_or(32'000));
    shape.model.tied_embeddings = part_.yes("logits_via_embedding").value_or(false);
    const auto activations = part_.words("mlp_activations");
    shape.model.gated_ffn = activations.size() != 1;
    if (!vocabulary) shape.assumption = "a vocabulary of 32,000: MaxText's default; ";
    add_shape(shape, "MaxText", findings_);
  }

  /// Multiplies the degrees within slices and between them; nothing where one is -1: what is left.
  std::optional<std::int64_t> degree(Axes axes) {
    std::int64_t product = 1;
    bool is_open = false;
    for (const std::string_view axis : axes) {
      for (const char* reach : {"ici", "dcn"}) {
        const std::string key = fmt::format("{}_{}_parallelism", reach, axis);
        const auto value = values_.whole(key, -1, 1'000'000);
        if (part_.is_outside(key)) outside_ = true;
        if (value && (*value == -1 || *value == 0)) is_open = true;
        if (value.value_or(1) > 0) product *= value.value_or(1);
      }
    }
    if (is_open || product > 10'000'000) return {};
    return product;
  }

  void say(const char* path, std::optional<std::int64_t> value, const char* what) {
    if (outside_) return;
    if (value) {
      findings_.say(*value > 1, path, *value, fmt::format("the {} axes", what));
    } else {
      findings_.outside(path, fmt::format("the {} axes take all ranks that are left", what));
    }
  }

  void degrees() {
    const auto tp = degree({"tensor", "tensor_transpose"});
    say("parallelism.tp", tp, "tensor");
    const auto sp = degree({"tensor_sequence"});
    const auto cp = degree({"context"});
    say("parallelism.cp", cp, "context");
    const auto pp = degree({"pipeline"});
    say("parallelism.pp", pp, "pipeline");
    const auto ep = degree({"expert"});
    say("parallelism.ep", ep, "expert");
    if (degree({"sequence"}).value_or(2) > 1 || sp.value_or(2) > 1) {
      findings_.outside("parallelism.sequence_parallel",
                        "a sequence axis that is not context parallelism");
    }
    pp_ = pp.value_or(1);
    if (tp && cp && pp && !outside_) model_ranks_ = *tp * *cp * *pp;
    if (pp_ == 1) findings_.assume("parallelism.virtual_stages", 1, "no pipeline");
  }

  void batches() {
    const auto length = values_.whole("max_target_length", 1, 100'000'000);
    if (!part_.is_outside("max_target_length")) {
      findings_.say(length.has_value(), "workload.sequence_length", length.value_or(2048),
                    length ? "max_target_length" : "no max_target_length: MaxText's default");
    }
    if (const auto steps = values_.whole("steps", -1); steps.value_or(0) > 0) {
      findings_.know("workload.steps", *steps, "steps");
    } else if (!part_.is_outside("steps")) {
      findings_.unknown("workload.steps", "no steps");
    }
    const auto each = values_.number("per_device_batch_size", 1e-6, 1e6);
    const auto accumulation = values_.whole("gradient_accumulation_steps", 1, 1'000'000);
    const auto passes = values_.whole("num_pipeline_microbatches", -1, 1'000'000);
    if (!each) {
      if (!part_.is_outside("per_device_batch_size")) {
        findings_.unknown("workload.micro_batch", "no per_device_batch_size");
      }
      return;
    }
    const std::int64_t cut = pp_ == 1 ? 1 : std::max<std::int64_t>(passes.value_or(pp_), pp_);
    const double micro = *each * static_cast<double>(model_ranks_) / static_cast<double>(cut);
    if (model_ranks_ > 0 && micro >= 1.0 && micro == std::floor(micro) && micro <= 1e6) {
      findings_.know("workload.micro_batch", static_cast<std::int64_t>(micro),
                     fmt::format("per_device_batch_size {} on the {} devices of a replica", *each,
                                 model_ranks_));
    } else {
      findings_.unknown(
          "workload.micro_batch",
          fmt::format("per_device_batch_size {} times the devices of a replica", *each));
    }
    findings_.unknown("workload.global_batch",
                      fmt::format("per_device_batch_size {} times {} times the number of devices",
                                  *each, accumulation.value_or(1)));
  }

  void sharding() {
    const auto fsdp = degree({"fsdp", "fsdp_transpose"});
    const bool is_absent = part_.key_of({"ici_fsdp_parallelism", "dcn_fsdp_parallelism"}).empty();
    const std::string path = "software.zero_stage";
    if (outside_) return;
    if (is_absent) {
      findings_.assume(path, 3, "fsdp over the ranks that are left: MaxText's default");
    } else {
      findings_.know(path, fsdp.value_or(2) > 1 ? 3 : 0, "the fsdp axes");
    }
    const auto data = degree({"data"});
    if (fsdp.value_or(1) > 1 && data.value_or(2) > 1) {
      findings_.know("parallelism.zero_group", *fsdp, "the fsdp axes beside data axes");
    }
    for (const char* key : {"optimizer_memory_host_offload", "parameter_memory_host_offload"}) {
      if (part_.yes(key).value_or(false)) {
        findings_.not_expressed(
            fmt::format("{}: name a tier of the catalogue in software.offload", key));
      }
    }
  }

  void precision() {
    const std::string path = "software.precision";
    const auto quantization = part_.lower("quantization");
    const auto type = part_.lower("dtype");
    if (quantization && !quantization->empty() && *quantization != "none" &&
        *quantization != "\"\"") {
      if (contains(*quantization, "fp8")) {
        findings_.know(path, std::string("fp8"), "quantization");
      } else if (contains(*quantization, "int8")) {
        findings_.outside(path, fmt::format("quantization {} is none that training has here",
                                            shown(*quantization)));
      } else {
        findings_.outside(path, fmt::format("quantization {}", shown(*quantization)));
      }
      return;
    }
    if (part_.is_outside("quantization") || part_.is_outside("dtype")) return;
    findings_.say(type.has_value(), path,
                  std::string(type == "float32"   ? "fp32"
                              : type == "float16" ? "fp16"
                                                  : "bf16"),
                  type ? "dtype" : "bfloat16: MaxText's default");
    if (part_.lower("weight_dtype").value_or("float32") != "float32") {
      findings_.not_expressed("weight_dtype: the optimizer's state is in this format too");
    }
  }

  void adapters() {
    const auto rank = part_.values().whole("lora.lora_rank", 1, 65536);
    if (!part_.yes("lora.enable_lora").value_or(false)) return;
    if (rank) {
      findings_.know("workload.lora.rank", *rank, "lora.lora_rank");
    } else {
      findings_.outside("workload.lora.rank", "lora.enable_lora without lora.lora_rank");
    }
  }

  void recompute() {
    const std::string key = "remat_policy";
    const std::string path = "software.recompute";
    const auto policy = part_.lower(key);
    if (part_.is_outside(key)) return;
    if (!policy) {
      findings_.assume(path, std::string("full"), "no remat_policy: MaxText's default");
    } else if (*policy == "full" || *policy == "none") {
      findings_.know(path, *policy, key);
    } else if (*policy == "save_qkv_proj") {
      findings_.know(path, std::string("all_but_qkv"), key);
    } else if (*policy == "minimal" || *policy == "minimal_flash" ||
               *policy == "minimal_with_context") {
      findings_.assume(path, std::string("elementwise"),
                       fmt::format("{} {}: the results of products are kept", key, *policy));
    } else {
      findings_.outside(path,
                        fmt::format("{} {} is none that railwright has", key, shown(*policy)));
    }
  }

  void kernels() {
    const auto attention = part_.lower("attention");
    if (attention == "dot_product") {
      findings_.know("software.attention", std::string("unfused"), "attention");
    } else if (attention == "flash" || attention == "cudnn_flash_te" ||
               attention == "cudnn_flash_jax") {
      findings_.know("software.attention",
                     std::string(*attention == "flash" ? "fused" : "fused_native"), "attention");
    } else if (!part_.is_outside("attention")) {
      findings_.unknown("software.attention", "MaxText selects it by the device");
    }
    const auto optimizer = part_.lower("opt_type");
    if (optimizer && !optimizer->starts_with("adam") && *optimizer != "sgd") {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*optimizer)));
    } else {
      findings_.say(optimizer.has_value(), "software.optimizer",
                    std::string(optimizer == "sgd" ? "sgd_momentum" : "adam"),
                    optimizer ? "opt_type" : "AdamW: MaxText's default");
    }
    for (const char* key : {"megablox", "sparse_matmul", "capacity_factor", "scan_layers",
                            "num_vocab_tiling", "decoder_layer_input", "fused_qkv", "fused_mlp"}) {
      if (values_.has(key)) findings_.not_expressed(fmt::format("{}: passed over", key));
    }
  }

  TrainingPart& part_;
  TreeValues& values_;
  Findings& findings_;
  bool outside_ = false;  ///< a degree comes from outside the file
  std::int64_t pp_ = 1;
  std::int64_t model_ranks_ = 0;  ///< that share a copy of the model; 0 where it is not known
};

}  // namespace

void add_maxtext_job(TrainingPart& part) {
  if (part.key_of({"per_device_batch_size", "max_target_length", "ici_fsdp_parallelism",
                   "ici_tensor_parallelism", "base_emb_dim", "remat_policy"})
          .empty()) {
    part.findings().problem_in_file("no configuration of MaxText",
                                    "per_device_batch_size, max_target_length, "
                                    "ici_fsdp_parallelism ... are looked for");
    part.findings().throw_if_any();
  }
  MaxtextJob(part).all();
}

}  // namespace railwright::importers
