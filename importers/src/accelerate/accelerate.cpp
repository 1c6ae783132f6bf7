// SPDX-License-Identifier: Apache-2.0
#include "accelerate.hpp"

#include <fmt/format.h>

#include <array>

#include "../common/fsdp_part.hpp"
#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"

namespace railwright::importers {

namespace {

/// Beginnings of keys without an effect on time or memory.
constexpr auto kAccelerateIgnored =
    std::to_array<std::string_view>({"compute_environment",
                                     "debug",
                                     "downcast_bf16",
                                     "machine_rank",
                                     "main_",
                                     "rdzv",
                                     "same_network",
                                     "tpu_",
                                     "use_cpu",
                                     "gpu_ids",
                                     "enable_cpu_affinity",
                                     "commands",
                                     "command_file",
                                     "deepspeed_config.zero3_",
                                     "deepspeed_config.deepspeed_multinode",
                                     "deepspeed_config.gradient_clipping",
                                     "deepspeed_config.deepspeed_hostfile",
                                     "dynamo_config.dynamo_mode",
                                     "num_cpu",
                                     "ipex_config",
                                     "sagemaker",
                                     "deepspeed_config.deepspeed_moe_layer",
                                     "megatron_lm_config.megatron_lm_gradient",
                                     "mpirun_config"});

class AccelerateReading {
 public:
  explicit AccelerateReading(TrainingPart& part) : part_(part), findings_(part.findings()) {}

  void all() {
    if (part_.yes("use_cpu").value_or(false) && !part_.values().has("fsdp_config")) {
      findings_.problem(part_.values().find("use_cpu")->where, "use_cpu",
                        "training on processors alone");
      return;
    }
    add_launcher(part_, core::Node{}, "");
    precision();
    distributed();
    if (part_.values().has("parallelism_config")) degrees("parallelism_config.parallelism_config_");
    if (const auto backend = part_.lower("dynamo_config.dynamo_backend");
        backend && *backend != "no") {
      findings_.know("software.elementwise", std::string("fused"), "dynamo_config.dynamo_backend");
    }
    part_.rest(kAccelerateIgnored);
  }

 private:
  void precision() {
    const auto word = part_.lower("mixed_precision");
    if (!word) {
      if (!part_.is_outside("mixed_precision")) {
        findings_.unknown("software.precision", "no mixed_precision");
      }
    } else if (*word == "bf16" || *word == "fp16" || *word == "fp8") {
      findings_.know("software.precision", *word, "mixed_precision");
    } else if (*word == "no" || *word == "false") {
      findings_.unknown("software.precision",
                        "mixed_precision no: the trainer's arguments, or the model's own");
    } else {
      findings_.problem(part_.values().find("mixed_precision")->where, "mixed_precision",
                        fmt::format("expected no, bf16, fp16 or fp8, got '{}'", shown(*word)));
    }
  }

  void distributed() {
    const auto type = part_.lower("distributed_type");
    if (!type) {
      findings_.unknown("software.zero_stage", "no distributed_type");
    } else if (*type == "fsdp") {
      fsdp();
    } else if (*type == "deepspeed") {
      deepspeed();
    } else if (*type == "multi_gpu" || *type == "no" || *type == "multi_npu" ||
               *type == "multi_xpu") {
      add_ddp(part_, fmt::format("distributed_type {}: replicas", *type));
    } else if (*type == "megatron_lm") {
      degrees("megatron_lm_config.megatron_lm_");
      part_.flag("megatron_lm_config.megatron_lm_sequence_parallelism",
                 "parallelism.sequence_parallel", false);
      if (part_.yes("megatron_lm_config.megatron_lm_recompute_activations").value_or(false)) {
        findings_.know("software.recompute", std::string("selective"),
                       "megatron_lm_recompute_activations");
      }
      const bool sharded =
          part_.yes("megatron_lm_config.megatron_lm_use_distributed_optimizer").value_or(false);
      findings_.know("software.zero_stage", sharded ? 1 : 0,
                     "megatron_lm_use_distributed_optimizer");
    } else {
      findings_.problem(part_.values().find("distributed_type")->where, "distributed_type",
                        fmt::format("{} is not described", shown(*type)));
    }
  }

  void fsdp() {
    add_fsdp_config(part_, "fsdp_config");
    if (findings_.value_of("software.zero_stage") == nullptr) {
      add_fsdp_strategy("full_shard", "fsdp_config, whose default is", findings_);
      findings_.assume("software.zero_stage", 3, "FSDP shards all unless told");
    }
  }

  void deepspeed() {
    if (part_.values().has("deepspeed_config.deepspeed_config_file")) {
      findings_.outside("software.zero_stage",
                        fmt::format("in {}: import it too",
                                    shown(part_.values()
                                              .text("deepspeed_config.deepspeed_config_file")
                                              .value_or("DeepSpeed's JSON"))));
      return;
    }
    if (const auto stage = part_.values().whole("deepspeed_config.zero_stage", 0, 3)) {
      add_zero_stage(*stage, "deepspeed_config.zero_stage", true, findings_);
    } else {
      // accelerate/utils/dataclasses.py: DeepSpeedPlugin takes stage 2
      findings_.assume("software.zero_stage", 2, "no zero_stage: accelerate's default");
    }
    for (const char* state : {"optimizer", "param"}) {
      const std::string key = fmt::format("deepspeed_config.offload_{}_device", state);
      const auto device = part_.lower(key);
      if (!device || *device == "none") continue;
      findings_.not_expressed(
          fmt::format("{} {}: name a tier of the catalogue in software.offload", key, *device));
    }
    if (const auto steps =
            part_.values().whole("deepspeed_config.gradient_accumulation_steps", 1)) {
      findings_.not_expressed(
          fmt::format("deepspeed_config.gradient_accumulation_steps {}: the trainer's argument "
                      "stands in workload.global_batch",
                      *steps));
    }
  }

  void degrees(const std::string& prefix) {
    for (const auto& [theirs, ours] :
         {std::pair{"tp", "tp"}, std::pair{"pp", "pp"}, std::pair{"cp", "cp"}}) {
      const std::string key =
          part_.key_of({prefix + theirs + "_degree", prefix + theirs + "_size"});
      if (!key.empty()) part_.degree(key, fmt::format("parallelism.{}", ours));
    }
    if (const auto replicas = part_.values().whole(prefix + "dp_replicate_size", 1, 65536);
        replicas.value_or(1) > 1) {
      if (const auto shards = part_.values().whole(prefix + "dp_shard_size", 1, 65536)) {
        findings_.know("parallelism.zero_group", *shards, prefix + "dp_shard_size");
      }
    }
  }

  TrainingPart& part_;
  Findings& findings_;
};

}  // namespace

bool is_accelerate(std::string_view head) {
  return !is_json_object(head) && has_line(head, "distributed_type:") &&
         (has_line(head, "num_processes:") || has_line(head, "mixed_precision:") ||
          has_line(head, "fsdp_config:") || has_line(head, "deepspeed_config:"));
}

Imported import_accelerate(std::string_view text, const std::string& file,
                           const core::Node& known) {
  core::Node document = parse_foreign_yaml(text, file);
  std::vector<UnsetOption> unset = take_out_templates(document);
  Findings findings(file);
  TrainingPart part(document, std::move(unset), known, "accelerate", findings);
  if (!part.values().has("distributed_type") && !part.is_outside("distributed_type")) {
    findings.problem_in_file("no configuration of accelerate", "distributed_type is looked for");
    findings.throw_if_any();
  }
  AccelerateReading(part).all();
  return findings.take();
}

}  // namespace railwright::importers
