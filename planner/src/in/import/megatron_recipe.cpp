// SPDX-License-Identifier: Apache-2.0
#include "megatron_recipe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "megatron_model.hpp"
#include "tree_values.hpp"

namespace railwright::planner {

namespace {

class Recipe {
 public:
  Recipe(const core::Node& arguments, bool is_complete, Findings& findings)
      : arguments_(arguments, findings), is_complete_(is_complete), findings_(findings) {}

  void all() {
    const auto tp = degree("tensor_model_parallel_size", "tp");
    const auto pp = degree("pipeline_model_parallel_size", "pp");
    degree("context_parallel_size", "cp");
    degree("expert_model_parallel_size", "ep");
    if (const auto etp = arguments_.whole("expert_tensor_parallel_size", 1, 65536)) {
      findings_.know("parallelism.etp", *etp, "expert_tensor_parallel_size");
    }
    const auto layers = add_megatron_model(arguments_, tp.value_or(1), findings_);
    pipeline(layers, pp.value_or(1));
    flag("sequence_parallel", "parallelism.sequence_parallel", false);
    flag("account_for_embedding_in_pipeline_split", "parallelism.embedding_as_layer", false);
    flag("account_for_loss_in_pipeline_split", "parallelism.loss_as_layer", false);
    batches();
    precision();
    sharding();
    overlaps();
    recompute();
    kernels();
    cluster();
    rest();
  }

 private:
  /// Where `is_known`, follows from the file.
  template <class T>
  void say(bool is_known, const std::string& path, const T& value, const std::string& origin) {
    if (is_known) {
      findings_.know(path, value, origin);
    } else {
      findings_.assume(path, value, origin);
    }
  }

  bool flag(const std::string& name, const std::string& path, bool otherwise) {
    const auto value = arguments_.truth(name);
    say(value.has_value(), path, value.value_or(otherwise),
        value ? name : fmt::format("no {}: Megatron's default", name));
    return value.value_or(otherwise);
  }

  std::optional<std::int64_t> degree(const std::string& name, const std::string& key) {
    const auto value = arguments_.whole(name, 1, 65536);
    if (arguments_.has(name) && !value) return {};
    say(value.has_value(), fmt::format("parallelism.{}", key), value.value_or(1),
        value ? name : fmt::format("no {}: Megatron's default", name));
    return value.value_or(1);
  }

  void pipeline(std::optional<std::int64_t> layers, std::int64_t pp) {
    const auto of_chunk = arguments_.whole("num_layers_per_virtual_pipeline_stage", 1, 10'000);
    const auto chunks = arguments_.whole("num_virtual_stages_per_pipeline_rank", 1, 10'000);
    virtual_ = 1;
    if (chunks) {
      virtual_ = *chunks;
      findings_.know("parallelism.virtual_stages", *chunks, "num_virtual_stages_per_pipeline_rank");
    } else if (of_chunk && layers) {
      if (*layers % (pp * *of_chunk) != 0) {
        findings_.problem(arguments_.find("num_layers_per_virtual_pipeline_stage")->where,
                          "num_layers_per_virtual_pipeline_stage",
                          fmt::format("{} stages of chunks of {} layers do not divide {} layers",
                                      pp, *of_chunk, *layers));
        return;
      }
      virtual_ = *layers / (pp * *of_chunk);
      findings_.know(
          "parallelism.virtual_stages", virtual_,
          fmt::format("{} layers over {} stages in chunks of {}", *layers, pp, *of_chunk));
    } else if (of_chunk) {
      findings_.unknown("parallelism.virtual_stages", "chunks of layers, but no num_layers");
    } else {
      findings_.assume("parallelism.virtual_stages", 1, "no virtual stages: Megatron's default");
    }
    for (const char* name :
         {"decoder_first_pipeline_num_layers", "decoder_last_pipeline_num_layers",
          "pipeline_model_parallel_layout"}) {
      if (arguments_.has(name)) {
        findings_.not_expressed(std::string(name) +
                                ": write it as parallelism.layers_per_chunk; alike here");
      }
    }
  }

  void batches() {
    const auto known = [&](const std::string& name, const std::string& path, std::int64_t most) {
      const auto value = arguments_.whole(name, 1, most);
      if (value) {
        findings_.know(path, *value, name);
      } else {
        findings_.unknown(path, fmt::format("no {}", name));
      }
      return value;
    };
    known("seq_length", "workload.sequence_length", 100'000'000);
    known("micro_batch_size", "workload.micro_batch", 1'000'000);
    const auto global = arguments_.whole("global_batch_size", 1, 1'000'000'000);
    if (global) {
      findings_.know("workload.global_batch", *global, "global_batch_size");
    } else {
      findings_.unknown("workload.global_batch",
                        "no global_batch_size: micro_batch_size times data-parallel ranks");
    }
    if (arguments_.has("rampup_batch_size")) {
      findings_.not_expressed("rampup_batch_size: every step has the global batch");
    }
    const auto samples = arguments_.whole("train_samples", 1);
    if (const auto steps = arguments_.whole("train_iters", 1)) {
      findings_.know("workload.steps", *steps, "train_iters");
    } else if (samples && global) {
      findings_.know("workload.steps", (*samples + *global - 1) / *global,
                     "train_samples over global_batch_size");
    } else {
      findings_.unknown("workload.steps",
                        "no train_iters and no train_samples with a global batch");
    }
  }

  void precision() {
    const bool bf16 = arguments_.truth("bf16").value_or(false);
    const bool fp16 = arguments_.truth("fp16").value_or(false);
    const bool fp8 = has_value("fp8") || has_value("fp8_format") || has_value("fp8_e4m3") ||
                     has_value("fp8_hybrid");
    arguments_.ignore({"fp8", "fp8_format", "fp8_recipe", "fp8_amax_history_len",
                       "fp8_amax_compute_algo", "fp8_margin", "fp8_interval"});
    if (bf16 && fp16) {
      findings_.problem(arguments_.find("fp16")->where, "fp16", "bf16 and fp16 cannot both be on");
    }
    element_bytes_ = bf16 || fp16 ? 2 : 4;
    say(bf16 || fp16 || fp8, "software.precision",
        std::string(fp8    ? "fp8"
                    : bf16 ? "bf16"
                    : fp16 ? "fp16"
                           : "fp32"),
        fp8            ? "fp8 and its format"
        : bf16 || fp16 ? "bf16 or fp16"
                       : "neither bf16 nor fp16; PyTorch may still use tf32");
    // bf16 sets accumulate_allreduce_grads_in_fp32 by itself.
    const bool in_fp32 = arguments_.truth("accumulate_allreduce_grads_in_fp32").value_or(bf16);
    const bool in_bf16 = arguments_.truth("grad_reduce_in_bf16").value_or(false);
    reduce_bytes_ = in_bf16 || (fp16 && !in_fp32) ? 2 : 4;
    say(in_bf16 || arguments_.has("accumulate_allreduce_grads_in_fp32"),
        "software.gradient_reduce_bytes", reduce_bytes_,
        in_bf16   ? "grad_reduce_in_bf16"
        : in_fp32 ? "gradients are accumulated and reduced in fp32"
                  : "gradients are reduced in the precision of the model");
    const bool narrow = arguments_.truth("fp8_param_gather").value_or(false);
    say(narrow, "software.parameter_gather_bytes", narrow ? 1 : element_bytes_,
        narrow ? "fp8_param_gather" : "parameters are gathered in the precision of the model");
  }

  [[nodiscard]] bool has_value(std::string_view name) {
    const core::Node* node = arguments_.find(name);
    return node != nullptr && node->text != "false" && node->text != "False";
  }

  void sharding() {
    const auto strategy = arguments_.text("data_parallel_sharding_strategy");
    const bool fsdp = arguments_.truth("use_custom_fsdp").value_or(false) ||
                      arguments_.truth("use_megatron_fsdp").value_or(false);
    if (arguments_.truth("use_torch_fsdp2").value_or(false)) {
      findings_.know("software.zero_stage", 3, "use_torch_fsdp2");
      zero_stage_ = 3;
    } else if (fsdp && strategy && *strategy != "no_shard") {
      zero_stage_ = *strategy == "optim" ? 1 : *strategy == "optim_grads" ? 2 : 3;
      findings_.know("software.zero_stage", zero_stage_, "data_parallel_sharding_strategy");
    } else {
      const auto distributed = arguments_.truth("use_distributed_optimizer");
      zero_stage_ = distributed.value_or(false) ? 1 : 0;
      say(distributed.has_value(), "software.zero_stage", zero_stage_,
          distributed ? "use_distributed_optimizer"
                      : "no use_distributed_optimizer: Megatron's default");
    }
    const auto instances = arguments_.whole("num_distributed_optimizer_instances", 1, 65536);
    if (instances.value_or(1) > 1) {
      findings_.not_expressed(fmt::format(
          "num_distributed_optimizer_instances {}: parallelism.zero_group is the data-parallel "
          "ranks over it",
          *instances));
    }
  }

  void overlaps() {
    const bool reduce = flag("overlap_grad_reduce", "software.overlap_gradient_reduce", false);
    flag("overlap_param_gather", "software.overlap_parameter_gather", false);
    flag("tp_comm_overlap", "software.overlap_tensor_parallel", false);
    const auto pairs = arguments_.truth("overlap_p2p_communication");
    const bool off =
        arguments_.truth("no_overlap_p2p_communication").value_or(false) || !pairs.value_or(true);
    findings_.assume("software.overlap_pipeline", virtual_ > 1 && !off,
                     off ? "sends and receives are waited for"
                     : virtual_ > 1
                         ? "interleaved stages send along with computation unless told not "
                           "to"
                         : "without virtual stages sends and receives are waited for");
    if (const auto elements = arguments_.number("ddp_bucket_size", 1.0, 1e15)) {
      findings_.know(
          "software.bucket", core::DataSize::from_base(std::max(1e6, *elements * reduce_bytes_)),
          fmt::format("ddp_bucket_size, {:g} elements of {} bytes", *elements, reduce_bytes_));
    } else if (reduce) {
      findings_.assume("software.bucket", core::DataSize::from_base(40e6 * reduce_bytes_),
                       fmt::format("no ddp_bucket_size: Megatron's default of 4e7 elements of {} "
                                   "bytes, more of more than 40 replicas",
                                   reduce_bytes_));
    } else {
      findings_.assume("software.bucket", core::DataSize::from_base(1e9),
                       "one bucket where nothing overlaps, cut so that it is a sensible message");
    }
  }

  void recompute() {
    const bool short_form = arguments_.truth("recompute_activations").value_or(false);
    const auto granularity = arguments_.text("recompute_granularity");
    const auto method = arguments_.text("recompute_method");
    const auto layers = arguments_.whole("recompute_num_layers", 1, 10'000);
    if (granularity && *granularity == "full") {
      findings_.know("software.recompute", std::string("full"), "recompute_granularity");
      if (method && *method == "block" && layers) {
        findings_.know("software.recompute_layers", *layers, "recompute_method block");
      } else if (layers.value_or(1) > 1) {
        findings_.not_expressed(
            "recompute_method uniform of several layers: taken as each layer by itself");
      }
    } else if (short_form || (granularity && *granularity == "selective")) {
      findings_.know("software.recompute", std::string("selective"),
                     short_form ? "recompute_activations" : "recompute_granularity");
      if (arguments_.has("recompute_modules")) {
        findings_.not_expressed("recompute_modules: taken as attention alone");
      }
    } else if (granularity) {
      findings_.problem(arguments_.find("recompute_granularity")->where, "recompute_granularity",
                        fmt::format("expected full or selective, got '{}'", shown(*granularity)));
    } else {
      say(is_complete_, "software.recompute", std::string("none"), "no recompute_granularity");
    }
  }

  void kernels() {
    const auto backend = arguments_.text("attention_backend");
    const bool flash = arguments_.truth("use_flash_attn").value_or(false);
    const auto implementation = arguments_.text("transformer_impl");
    const std::string path = "software.attention";
    if (backend && (*backend == "unfused" || *backend == "local")) {
      findings_.know(path, std::string("unfused"), "attention_backend");
    } else if (backend && *backend == "fused") {
      findings_.assume(path, std::string("fused_native"),
                       "attention_backend fused: cuDNN's, written for the device");
    } else if (flash || (backend && *backend == "flash")) {
      findings_.know(path, std::string("fused"), flash ? "use_flash_attn" : "attention_backend");
    } else if (implementation && *implementation == "local") {
      findings_.know(path, std::string("unfused"),
                     "transformer_impl local without flash attention");
    } else {
      findings_.unknown(path, "Transformer Engine chooses by device and shape");
    }
    const double dropout = std::max(arguments_.number("attention_dropout", 0.0, 1.0).value_or(0.1),
                                    arguments_.number("hidden_dropout", 0.0, 1.0).value_or(0.1));
    say(arguments_.has("attention_dropout") && arguments_.has("hidden_dropout"), "software.dropout",
        dropout > 0.0, "attention_dropout and hidden_dropout, 0.1 unless told");
    if (arguments_.has("cross_entropy_loss_fusion")) {
      flag("cross_entropy_loss_fusion", "software.fused_loss", false);
    }
    const auto optimizer = arguments_.text("optimizer");
    if (optimizer && *optimizer != "adam" && *optimizer != "sgd") {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*optimizer)));
    } else {
      say(optimizer.has_value(), "software.optimizer",
          std::string(optimizer && *optimizer == "sgd" ? "sgd_momentum" : "adam"),
          optimizer ? "optimizer" : "no optimizer: Megatron's default");
    }
    if (arguments_.truth("optimizer_cpu_offload").value_or(false)) {
      findings_.not_expressed("optimizer_cpu_offload: software.offload.optimizer names a tier");
    }
  }

  /// What torchrun is told.
  void cluster() {
    if (const auto nodes = arguments_.whole("nnodes", 1, 65536)) {
      findings_.know("cluster.nodes", *nodes, "nnodes");
    }
    const char* name = arguments_.has("nproc_per_node") ? "nproc_per_node" : "num_gpus_per_node";
    if (const auto ranks = arguments_.whole(name, 1, 1024)) {
      findings_.assume("cluster.node.num_accelerators", *ranks,
                       fmt::format("{}: a rank on each accelerator", name));
    }
    if (const auto world = arguments_.whole("world_size", 1, 100'000'000)) {
      findings_.unknown("cluster.nodes",
                        fmt::format("world_size {}: so many accelerators", *world));
    }
    if (const auto steps = arguments_.whole("save_interval", 1)) {
      findings_.know("checkpoint.interval_steps", *steps, "save_interval");
    }
  }

  void rest() {
    findings_.unknown("software",
                      "which release it is: name a profile of the catalogue beneath, such as "
                      "megatron-core-0.12");
    if (is_complete_) return;
    arguments_.ignore({"lr",
                       "min_lr",
                       "lr_decay_style",
                       "lr_decay_iters",
                       "lr_decay_samples",
                       "lr_warmup_iters",
                       "lr_warmup_samples",
                       "lr_warmup_fraction",
                       "lr_warmup_init",
                       "weight_decay",
                       "clip_grad",
                       "adam_beta1",
                       "adam_beta2",
                       "adam_eps",
                       "init_method_std",
                       "norm_epsilon",
                       "seed",
                       "data_path",
                       "data_cache_path",
                       "data_impl",
                       "vocab_file",
                       "merge_file",
                       "tokenizer_model",
                       "split",
                       "num_workers",
                       "dataloader_type",
                       "mock_data",
                       "no_mmap_bin_files",
                       "log_interval",
                       "log_throughput",
                       "log_progress",
                       "log_params_norm",
                       "log_num_zeros_in_grad",
                       "log_timers_to_tensorboard",
                       "log_memory_to_tensorboard",
                       "log_validation_ppl_to_tensorboard",
                       "log_batch_size_to_tensorboard",
                       "log_world_size_to_tensorboard",
                       "timing_log_level",
                       "tensorboard_dir",
                       "tensorboard_log_interval",
                       "tensorboard_queue_size",
                       "wandb_project",
                       "wandb_exp_name",
                       "wandb_save_dir",
                       "profile",
                       "profile_step_start",
                       "profile_step_end",
                       "save",
                       "load",
                       "no_load_optim",
                       "no_load_rng",
                       "no_save_optim",
                       "no_save_rng",
                       "exit_on_missing_checkpoint",
                       "eval_iters",
                       "eval_interval",
                       "exit_interval",
                       "exit_duration_in_mins",
                       "exit_signal_handler",
                       "distributed_backend",
                       "distributed_timeout_minutes",
                       "use_mcore_models",
                       "use_legacy_models",
                       "auto_detect_ckpt_format",
                       "ckpt_format",
                       "async_save",
                       "use_dist_ckpt",
                       "dist_ckpt_format",
                       "node_rank",
                       "master_addr",
                       "master_port",
                       "rdzv_id",
                       "rdzv_endpoint",
                       "rdzv_backend",
                       "rdzv_conf",
                       "local_rank",
                       "tee",
                       "log_dir",
                       "max_restarts",
                       "initial_loss_scale",
                       "min_loss_scale",
                       "loss_scale",
                       "loss_scale_window",
                       "hysteresis",
                       "attention_softmax_in_fp32",
                       "rotary_base",
                       "rotary_percent",
                       "use_rope_scaling",
                       "rope_scaling_factor",
                       "no_rope_fusion",
                       "manual_gc",
                       "manual_gc_interval",
                       "override_opt_param_scheduler",
                       "use_checkpoint_opt_param_scheduler",
                       "start_weight_decay",
                       "end_weight_decay",
                       "weight_decay_incr_style",
                       "finetune",
                       "job_name",
                       "apply_layernorm_1p",
                       "sft",
                       "no_bias_swiglu_fusion",
                       "no_masked_softmax_fusion",
                       "moe_aux_loss_coeff",
                       "moe_z_loss_coeff",
                       "moe_router_load_balancing_type",
                       "moe_router_score_function",
                       "moe_router_enable_expert_bias",
                       "moe_router_bias_update_rate",
                       "moe_router_dtype",
                       "no_create_attention_mask_in_dataloader",
                       "transformer_impl"});
    for (const std::string& name : arguments_.unasked()) {
      findings_.not_expressed(shown(name) + ": passed over");
    }
  }

  TreeValues arguments_;
  bool is_complete_;
  Findings& findings_;
  std::int64_t virtual_ = 1;
  int element_bytes_ = 2;
  int reduce_bytes_ = 4;
  int zero_stage_ = 0;
};

}  // namespace

void add_megatron_recipe(const core::Node& arguments, bool is_complete, Findings& findings) {
  Recipe(arguments, is_complete, findings).all();
}

}  // namespace railwright::planner
