// SPDX-License-Identifier: Apache-2.0
// DeepSpeed's JSON. Defaults are those of its documentation. [@deepspeed_config]
#include <fmt/format.h>

#include <cmath>

#include "readers.hpp"
#include "tree_values.hpp"

namespace railwright::planner {

namespace {

constexpr double kDefaultBucket = 5e8;  ///< elements, runtime/zero/config.py

std::optional<std::int64_t> whole_of(const core::Node& known, std::string_view path) {
  const core::Node* node = find_path(known, path);
  core::Node empty;
  if (node == nullptr || !node->is_scalar()) return {};
  std::int64_t value = 0;
  for (const char c : node->text) {
    if (c < '0' || c > '9' || value > 1'000'000'000) return {};
    value = 10 * value + (c - '0');
  }
  return value;
}

class Reading {
 public:
  Reading(const core::Node& document, const std::string& file, const core::Node& known)
      : findings_(ImportKind::kDeepSpeed, file), config_(document, findings_), known_(known) {}

  Imported all() {
    precision();
    zero();
    batches();
    offload("offload_optimizer", "optimizer");
    offload("offload_param", "parameters");
    optimizer();
    rest();
    return findings_.take();
  }

 private:
  void precision() {
    const auto bf16 = config_.truth("bf16.enabled").value_or(false) ||
                      config_.truth("bfloat16.enabled").value_or(false);
    const bool fp16 = config_.truth("fp16.enabled").value_or(false);
    is_open_ = !bf16 && !fp16 &&
               (config_.is_auto("bf16.enabled") || config_.is_auto("bfloat16.enabled") ||
                config_.is_auto("fp16.enabled"));
    if (bf16 && fp16) {
      findings_.problem(config_.find("fp16.enabled")->where, "fp16.enabled",
                        "fp16 and bf16 cannot both be enabled");
    }
    if (is_open_) {
      findings_.unknown("software.precision",
                        "bf16 or fp16 is \"auto\": the trainer's arguments say");
    } else if (bf16 || fp16) {
      findings_.know("software.precision", std::string(bf16 ? "bf16" : "fp16"),
                     bf16 ? "bf16.enabled" : "fp16.enabled");
    } else {
      findings_.assume("software.precision", std::string("fp32"),
                       "neither bf16 nor fp16 is enabled; PyTorch may still use tf32");
    }
    element_bytes_ = bf16 || fp16 || is_open_ ? 2 : 4;
    config_.ignore({"fp16", "bf16", "bfloat16"});  // loss scaling
    if (config_.has("amp") || config_.has("torch_autocast")) {
      findings_.not_expressed("amp: automatic mixed precision beside fp16 and bf16");
      config_.ignore({"amp", "torch_autocast"});
    }
  }

  void zero() {
    if (!config_.has("zero_optimization")) {
      stage_ = 0;
      findings_.assume("software.zero_stage", 0, "no zero_optimization: DeepSpeed's default");
    } else if (const auto stage = config_.whole("zero_optimization.stage", 0, 3)) {
      stage_ = static_cast<int>(*stage);
      findings_.know("software.zero_stage", stage_, "zero_optimization.stage");
    } else if (!config_.has("zero_optimization.stage")) {
      findings_.assume("software.zero_stage", 0, "no zero_optimization.stage: DeepSpeed's default");
    } else if (config_.is_auto("zero_optimization.stage")) {
      findings_.unknown("software.zero_stage", "\"auto\"");
    }
    reduce_bytes();
    bucket();
    gather();
    overlap();
    if (const auto group = config_.whole("zero_optimization.mics_shard_size", -1, 1'000'000);
        group && *group > 0) {
      findings_.know("parallelism.zero_group", *group, "zero_optimization.mics_shard_size");
    }
    if (config_.whole("zero_optimization.zero_hpz_partition_size", 0).value_or(1) > 1) {
      findings_.not_expressed(
          "zero_optimization.zero_hpz_partition_size: a second copy of the weights within each "
          "group, from which the backward pass gathers");
    }
    for (const char* key : {"stage3_prefetch_bucket_size", "stage3_param_persistence_threshold",
                            "stage3_max_live_parameters", "stage3_max_reuse_distance",
                            "sub_group_size", "allgather_bucket_size"}) {
      const std::string path = std::string("zero_optimization.") + key;
      if (config_.has(path)) {
        findings_.not_expressed(path +
                                ": how far ahead and in what pieces parameters are gathered");
      }
    }
    if (const auto scatter = config_.truth("zero_optimization.reduce_scatter");
        scatter && !*scatter) {
      findings_.not_expressed(
          "zero_optimization.reduce_scatter false: gradients are all-reduced, twice the bytes");
    }
    config_.ignore(
        {"zero_optimization.contiguous_gradients", "zero_optimization.round_robin_gradients",
         "zero_optimization.gather_16bit_weights_on_model_save",
         "zero_optimization.stage3_gather_16bit_weights_on_model_save",
         "zero_optimization.stage3_gather_fp16_weights_on_model_save",
         "zero_optimization.load_from_fp32_weights", "zero_optimization.ignore_unused_parameters",
         "zero_optimization.elastic_checkpoint", "zero_optimization.allgather_partitions"});
  }

  void reduce_bytes() {
    const auto type = config_.text("communication_data_type");
    if (type) {
      const int bytes = *type == "fp32" || *type == "float32" ? 4 : 2;
      findings_.know("software.gradient_reduce_bytes", bytes, "communication_data_type");
      reduce_bytes_ = bytes;
    } else {
      reduce_bytes_ = element_bytes_;
      findings_.assume("software.gradient_reduce_bytes", element_bytes_,
                       is_open_ ? "precision is \"auto\", taken as one of 16 bits"
                                : "gradients go in the precision of the model");
    }
    if (config_.truth("zero_optimization.zero_quantized_gradients").value_or(false)) {
      findings_.not_expressed(
          "zero_optimization.zero_quantized_gradients: gradients go in 4 bits by all-to-all");
    }
  }

  void bucket() {
    constexpr std::string_view kKey = "zero_optimization.reduce_bucket_size";
    const auto say = [&](double elements, const std::string& why, bool is_known) {
      // Below that, railwright's collectives are latency alone.
      const auto size = core::DataSize::from_base(std::max(1e6, elements * reduce_bytes_));
      const std::string origin = fmt::format("{} of {} bytes", why, reduce_bytes_);
      if (is_known) {
        findings_.know("software.bucket", size, origin);
      } else {
        findings_.assume("software.bucket", size, origin);
      }
    };
    if (config_.is_auto(kKey)) {
      const auto width = whole_of(known_, "workload.model.hidden_size");
      if (width) {
        say(static_cast<double>(*width) * static_cast<double>(*width),
            fmt::format("reduce_bucket_size \"auto\": the Hugging Face trainer takes hidden_size "
                        "squared, {} elements",
                        *width * *width),
            false);
      } else {
        findings_.unknown("software.bucket",
                          "reduce_bucket_size is \"auto\", which the Hugging Face trainer makes "
                          "hidden_size squared: import the model's config.json too");
      }
      return;
    }
    if (const auto elements = config_.number(kKey, 1.0, 1e15)) {
      say(*elements, fmt::format("reduce_bucket_size, {:g} elements", *elements),
          config_.has("communication_data_type"));
    } else if (!config_.has(kKey) && stage_ > 0) {
      say(kDefaultBucket, "no reduce_bucket_size: DeepSpeed's default of 5e8 elements", false);
    }
  }

  void gather() {
    if (stage_ == 0) return;
    if (config_.truth("zero_optimization.zero_quantized_weights").value_or(false)) {
      findings_.know("software.parameter_gather_bytes", 1,
                     "zero_optimization.zero_quantized_weights");
      return;
    }
    findings_.assume("software.parameter_gather_bytes", element_bytes_,
                     "parameters are gathered in the precision of the model");
  }

  void overlap() {
    const auto overlap = config_.truth("zero_optimization.overlap_comm");
    if (overlap) {
      findings_.know("software.overlap_gradient_reduce", *overlap,
                     "zero_optimization.overlap_comm");
    } else {
      findings_.assume("software.overlap_gradient_reduce", stage_ == 3,
                       "no overlap_comm: DeepSpeed's default, on under stage 3 alone");
    }
    if (stage_ == 3) {
      const bool ahead =
          config_.number("zero_optimization.stage3_prefetch_bucket_size", 0.0, 1e15).value_or(1.0) >
          0.0;
      findings_.assume("software.overlap_parameter_gather", ahead,
                       "stage 3 gathers parameters ahead of their layer");
    } else if (stage_ > 0) {
      findings_.assume("software.overlap_parameter_gather", false,
                       "stages 1 and 2 gather parameters in the optimizer's step");
    }
  }

  /// train_batch_size = micro-batch * accumulation * data-parallel ranks.
  void batches() {
    const auto global = config_.whole("train_batch_size", 1, 1'000'000'000);
    const auto micro = config_.whole("train_micro_batch_size_per_gpu", 1, 1'000'000);
    const auto accumulation = config_.whole("gradient_accumulation_steps", 1, 1'000'000);
    if (micro) {
      findings_.know("workload.micro_batch", *micro, "train_micro_batch_size_per_gpu");
    } else {
      findings_.unknown("workload.micro_batch", config_.has("train_micro_batch_size_per_gpu")
                                                    ? "train_micro_batch_size_per_gpu is \"auto\""
                                                    : "no train_micro_batch_size_per_gpu");
    }
    if (global) {
      findings_.know("workload.global_batch", *global, "train_batch_size");
      const std::int64_t step = micro.value_or(1) * accumulation.value_or(1);
      if (*global % step != 0) {
        findings_.problem(config_.find("train_batch_size")->where, "train_batch_size",
                          fmt::format("{} sequences are no multiple of micro-batch times "
                                      "accumulation, {}",
                                      *global, step));
      }
    } else if (micro && accumulation) {
      global_of_ranks(*micro, *accumulation);
    } else {
      findings_.unknown("workload.global_batch",
                        config_.has("train_batch_size")
                            ? "train_batch_size is \"auto\": micro-batch times accumulation times "
                              "data-parallel ranks"
                            : "no train_batch_size");
    }
  }

  void global_of_ranks(std::int64_t micro, std::int64_t accumulation) {
    const auto nodes = whole_of(known_, "cluster.nodes");
    const auto accelerators = whole_of(known_, "cluster.node.num_accelerators");
    std::int64_t shards = 1;
    for (const char* key : {"parallelism.tp", "parallelism.pp", "parallelism.cp"}) {
      shards *= whole_of(known_, key).value_or(1);
    }
    if (nodes && accelerators && *nodes * *accelerators % shards == 0) {
      const std::int64_t ranks = *nodes * *accelerators / shards;
      findings_.assume("workload.global_batch", micro * accumulation * ranks,
                       fmt::format("micro-batch {} times accumulation {} times {} data-parallel "
                                   "ranks of the cluster imported with it",
                                   micro, accumulation, ranks));
      return;
    }
    findings_.unknown(
        "workload.global_batch",
        fmt::format("{} times the number of data-parallel ranks", micro * accumulation));
  }

  void offload(const std::string& theirs, const std::string& ours) {
    const std::string path = fmt::format("zero_optimization.{}", theirs);
    const std::string key = fmt::format("software.offload.{}.", ours);
    const auto device = config_.text(path + ".device");
    config_.ignore({path});
    if (!device || *device == "none") return;
    const bool memory = *device == "cpu";
    if (!memory && *device != "nvme") {
      findings_.problem(config_.find(path + ".device")->where, path + ".device",
                        fmt::format("expected cpu, nvme or none, got '{}'", shown(*device)));
      return;
    }
    findings_.know(key + "medium", std::string(memory ? "memory" : "drives"),
                   path + ".device " + *device);
    findings_.unknown(key + "read_rate",
                      "how fast a node's accelerators read there; name a tier of the catalogue, "
                      "such as dgx-a100-memory or dgx-h100-nvme, beneath or with --set");
    if (memory) return;
    if (const auto block = config_.number("aio.block_size", 1.0, 1e12)) {
      findings_.know(key + "request", core::DataSize::from_base(*block), "aio.block_size");
    }
    const auto depth = config_.whole("aio.queue_depth", 1, 100'000);
    if (depth) {
      findings_.know(key + "num_requests",
                     *depth * config_.whole("aio.thread_count", 1, 1000).value_or(1),
                     "aio.queue_depth and thread_count");
    }
  }

  void optimizer() {
    auto type = config_.text("optimizer.type");
    config_.ignore({"optimizer", "scheduler"});
    if (!type) return;
    for (char& c : *type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (*type == "adam" || *type == "adamw") {
      findings_.know("software.optimizer", std::string("adam"), "optimizer.type");
    } else if (*type == "onebitadam" || *type == "zerooneadam" || *type == "onebitlamb") {
      findings_.not_expressed(
          fmt::format("optimizer.type {}: gradients compressed to one bit", *type));
    } else {
      findings_.unknown("software.optimizer",
                        fmt::format("'{}' is none that railwright has", shown(*type)));
    }
  }

  void rest() {
    if (config_.has("activation_checkpointing")) {
      findings_.unknown("software.recompute",
                        "activation_checkpointing says how, the training script whether");
    } else {
      findings_.unknown("software.recompute", "the training script says");
    }
    findings_.unknown("workload.sequence_length", "not in DeepSpeed's JSON");
    findings_.unknown("workload.steps", "not in DeepSpeed's JSON");
    for (const char* key :
         {"compression_training", "sparse_attention", "curriculum_learning", "data_efficiency",
          "elasticity", "pipeline", "autotuning", "hybrid_engine"}) {
      if (config_.has(key)) findings_.not_expressed(std::string(key) + ": passed over");
    }
    config_.ignore({"activation_checkpointing",
                    "aio",
                    "gradient_clipping",
                    "steps_per_print",
                    "wall_clock_breakdown",
                    "dump_state",
                    "prescale_gradients",
                    "gradient_predivide_factor",
                    "zero_allow_untested_optimizer",
                    "zero_force_ds_cpu_optimizer",
                    "tensorboard",
                    "wandb",
                    "csv_monitor",
                    "flops_profiler",
                    "comms_logger",
                    "checkpoint",
                    "data_types",
                    "comment",
                    "memory_breakdown",
                    "disable_allgather",
                    "sparse_gradients"});
    for (const std::string& path : config_.unasked()) {
      findings_.not_expressed(shown(path) + ": passed over");
    }
  }

  Findings findings_;
  TreeValues config_;
  const core::Node& known_;
  bool is_open_ = false;  ///< the precision is "auto"
  int element_bytes_ = 2;
  int reduce_bytes_ = 2;
  int stage_ = 0;
};

}  // namespace

Imported import_deepspeed(std::string_view text, const std::string& file, const core::Node& known) {
  const core::Node document = parse_foreign(text, file);
  if (document.find("zero_optimization") == nullptr &&
      document.find("train_batch_size") == nullptr &&
      document.find("train_micro_batch_size_per_gpu") == nullptr &&
      document.find("fp16") == nullptr && document.find("bf16") == nullptr) {
    throw core::ConfigError({{{file},
                              "",
                              "no configuration of DeepSpeed",
                              "none of zero_optimization, train_batch_size, "
                              "train_micro_batch_size_per_gpu, fp16, bf16 is there"}});
  }
  return Reading(document, file, known).all();
}

}  // namespace railwright::planner
