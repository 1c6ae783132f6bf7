// SPDX-License-Identifier: Apache-2.0
#include "other_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace railwright::importers {

namespace {

/// A part of a job, and the keys that name it.
struct OtherPart {
  std::string_view key;
  std::string_view path;
  std::string_view what;
};

constexpr std::string_view kRollouts = "post_training";
constexpr std::string_view kAnswers = "answers are generated and rewarded before a step";
constexpr std::string_view kTeacher = "a teacher's forward pass belongs to a step";
constexpr std::string_view kReference = "a reference's forward pass belongs to a step";
constexpr std::string_view kImages = "an encoder of images or sound stands before the model";

constexpr auto kOtherParts = std::to_array<OtherPart>({
    {"num_generations", kRollouts, kAnswers},
    {"trl.num_generations", kRollouts, kAnswers},
    {"trl.use_vllm", kRollouts, kAnswers},
    {"use_vllm", kRollouts, kAnswers},
    {"vllm_mode", kRollouts, kAnswers},
    {"reward_funcs", kRollouts, kAnswers},
    {"perform_rl_step", kRollouts, kAnswers},
    {"grpo_group_size", kRollouts, kAnswers},
    {"grpo_samples", kRollouts, kAnswers},
    {"ppo_epochs", kRollouts, kAnswers},
    {"teacher_model", "workload", kTeacher},
    {"teacher_model._component_", "workload", kTeacher},
    {"teacher_checkpointer.model_type", "workload", kTeacher},
    {"teacher_overrides.model_name", "workload", kTeacher},
    {"ref_checkpointer.model_type", "workload", kReference},
    {"ref_policy_checkpointer.model_type", kRollouts, kAnswers},
    {"freeze_vit", "workload.model", kImages},
    {"freeze_ViT", "workload.model", kImages},
    {"freeze_vision_tower", "workload.model", kImages},
    {"freeze_vision_model", "workload.model", kImages},
    {"freeze_sound_encoder", "workload.model", kImages},
    {"freeze_audio_model", "workload.model", kImages},
    {"vision_model_type", "workload.model", kImages},
    {"img_h", "workload.model", kImages},
    {"patch_dim", "workload.model", kImages},
    {"use_multimodal", "workload.model", kImages},
});

bool is_switched_off(const core::Node& value) {
  static constexpr auto kOff =
      std::to_array<std::string_view>({"false", "False", "0", "null", "None", ""});
  return value.is_scalar() && std::ranges::count(kOff, value.text) > 0;
}

/// Whether "false" still names the part: an encoder that is not frozen is there too.
bool is_there_when_off(std::string_view key) { return key.starts_with("freeze_"); }

}  // namespace

void note_other_jobs(TreeValues& values, Findings& findings) {
  std::set<std::string_view> said;
  for (const OtherPart& part : kOtherParts) {
    const core::Node* found = values.find(part.key);
    if (found == nullptr || (is_switched_off(*found) && !is_there_when_off(part.key))) continue;
    if (!said.insert(part.what).second) continue;
    findings.outside(part.path, fmt::format("{}: {}", part.key, part.what));
  }
}

}  // namespace railwright::importers
