// SPDX-License-Identifier: Apache-2.0
#include "fsdp_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace railwright::importers {

namespace {

struct Strategy {
  std::string_view name;
  std::string_view number;  ///< of accelerate's list
  int stage;
  bool reshards;
  bool is_hybrid;
};
constexpr auto kStrategies = std::to_array<Strategy>({{"full_shard", "1", 3, true, false},
                                                      {"shard_grad_op", "2", 3, false, false},
                                                      {"no_shard", "3", 0, false, false},
                                                      {"hybrid_shard", "4", 3, true, true},
                                                      {"hybrid_shard_zero2", "5", 3, false, true}});

}  // namespace

bool add_fsdp_strategy(std::string_view strategy, std::string_view origin, Findings& findings) {
  std::string name(strategy);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::ranges::find_if(
      kStrategies, [&](const Strategy& one) { return one.name == name || one.number == name; });
  if (found == kStrategies.end()) return false;
  findings.know("software.zero_stage", found->stage, fmt::format("{} {}", origin, found->name));
  if (found->stage == 3) {
    findings.know("software.reshard_after_forward", found->reshards,
                  fmt::format("{} {}", origin, found->name));
  }
  if (found->is_hybrid) {
    findings.unknown(
        "parallelism.zero_group",
        fmt::format("{} {}: PyTorch takes the accelerators of a node", origin, found->name));
  }
  return true;
}

void add_fsdp_config(TrainingPart& part, std::string_view path) {
  Findings& findings = part.findings();
  const auto key = [&](const char* name) {
    const std::string plain = fmt::format("{}.{}", path, name);
    const std::string long_form = fmt::format("{}.fsdp_{}", path, name);
    return part.values().has(plain) ? plain : long_form;
  };
  const std::string strategy = key("sharding_strategy");
  if (const auto text = part.values().text(strategy);
      text && !add_fsdp_strategy(*text, strategy, findings)) {
    findings.outside("software.zero_stage", fmt::format("{} {}", strategy, shown(*text)));
  }
  const std::string reshard = key("reshard_after_forward");
  if (const auto text = part.lower(reshard); text && !add_fsdp_strategy(*text, reshard, findings)) {
    if (const auto yes = part.yes(reshard)) {
      findings.know("software.zero_stage", 3, "FSDP");
      findings.know("software.reshard_after_forward", *yes, reshard);
    }
  }
  if (part.yes(key("activation_checkpointing")).value_or(false)) {
    findings.know("software.recompute", std::string("full"), key("activation_checkpointing"));
  }
  if (part.yes(key("offload_params")).value_or(false)) {
    findings.not_expressed(fmt::format(
        "{}: parameters and the optimizer's step on the host; name a tier of the catalogue in "
        "software.offload.parameters and software.offload.optimizer",
        key("offload_params")));
  }
  for (const char* name : {"forward_prefetch", "backward_prefetch", "backward_prefetch_policy"}) {
    const auto word = part.lower(key(name));
    if (word && (*word == "no_prefetch" || *word == "none")) {
      findings.not_expressed(fmt::format("{} {}: gathers wait for their layer", key(name), *word));
    }
  }
  const std::string dtype = fmt::format("{}.fsdp_mixed_precision_policy", path);
  if (part.values().has(dtype)) findings.not_expressed(dtype + ": passed over");
}

void add_ddp(TrainingPart& part, std::string_view why) {
  Findings& findings = part.findings();
  findings.assume("software.zero_stage", 0, why);
  // torch/nn/parallel/distributed.py: bucket_cap_mb = 25, in MiB
  const auto cap = part.values().number("ddp_bucket_cap_mb", 1.0, 1e6);
  findings.say(cap.has_value(), "software.bucket",
               core::DataSize::from_base(cap.value_or(25.0) * 1048576.0),
               cap ? "ddp_bucket_cap_mb" : "the buckets of PyTorch's DistributedDataParallel");
  findings.assume("software.overlap_gradient_reduce", true,
                  "PyTorch's DistributedDataParallel reduces a bucket as soon as it is full");
}

void add_zero_stage(std::int64_t stage, std::string_view origin, bool is_known,
                    Findings& findings) {
  findings.say(is_known, "software.zero_stage", stage, origin);
  findings.assume("software.overlap_gradient_reduce", stage == 3,
                  "DeepSpeed's default, on under stage 3 alone");
}

}  // namespace railwright::importers
