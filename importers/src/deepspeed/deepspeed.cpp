// SPDX-License-Identifier: Apache-2.0
// Imports DeepSpeed's JSON, with the defaults of its documentation. [@deepspeed_config]
#include "deepspeed.hpp"

#include <fmt/format.h>

#include "../common/looks_like.hpp"
#include "../common/tree_values.hpp"
#include "deepspeed_zero.hpp"

namespace railwright::importers {

namespace {

class DeepSpeedReading {
 public:
  DeepSpeedReading(const core::Node& document, const std::string& file, const core::Node& known)
      : findings_(file), config_(document, findings_), known_(known) {}

  Imported all() {
    check_sections();
    precision();
    add_deepspeed_zero(config_, known_, {element_bytes_, is_open_}, findings_);
    batches();
    optimizer();
    rest();
    return findings_.take();
  }

 private:
  /// Reports sections that are no objects: DeepSpeed looks up keys in them and would fail.
  void check_sections() {
    for (const std::string_view key :
         {"bf16", "bfloat16", "fp16", "optimizer", "scheduler", "activation_checkpointing"}) {
      const core::Node* section = config_.find(key);
      if (section == nullptr || section->is_mapping()) continue;
      findings_.problem(section->where, std::string(key),
                        fmt::format("expected an object, such as {{\"enabled\": true}}, got {}",
                                    section->is_scalar() ? "'" + shown(section->text) + "'"
                                                         : std::string("a list")));
    }
  }

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

  /// train_batch_size = micro-batch * accumulation * data-parallel ranks.
  void batches() {
    const auto global = config_.whole("train_batch_size", 1, 1'000'000'000);
    const auto micro = config_.whole("train_micro_batch_size_per_gpu", 1, 100'000);
    const auto accumulation = config_.whole("gradient_accumulation_steps", 1, 100'000);
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
    const auto nodes = known_number(known_, "cluster.nodes");
    const auto accelerators = known_number(known_, "cluster.node.num_accelerators");
    std::int64_t shards = 1;
    for (const char* key : {"parallelism.tp", "parallelism.pp", "parallelism.cp"}) {
      shards *= known_number(known_, key).value_or(1);
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
    for (const std::string_view key :
         {"compression_training", "sparse_attention", "curriculum_learning", "data_efficiency",
          "elasticity", "pipeline", "autotuning", "hybrid_engine"}) {
      if (!config_.has(key)) continue;
      findings_.not_expressed(fmt::format("{}: passed over", key));
      config_.ignore({key});
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
};

}  // namespace

bool is_deepspeed(std::string_view head) {
  return is_json_object(head) &&
         (contains(head, "\"zero_optimization\"") || contains(head, "\"train_batch_size\"") ||
          contains(head, "\"train_micro_batch_size_per_gpu\""));
}

Imported import_deepspeed(std::string_view text, const std::string& file, const core::Node& known) {
  const core::Node document = parse_json(text, file);
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
  return DeepSpeedReading(document, file, known).all();
}

}  // namespace railwright::importers
