// SPDX-License-Identifier: Apache-2.0
#include "other_jobs.hpp"

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
  std::string_view what;
};

constexpr std::string_view kAnswers = "answers are generated and rewarded before a step";
constexpr std::string_view kTeacher = "a teacher's forward pass belongs to a step";
constexpr std::string_view kReference = "a reference's forward pass belongs to a step";
constexpr std::string_view kPairs = "answers are compared: more passes than those of one model";
constexpr std::string_view kImages = "an encoder of images or sound stands before the model";

constexpr auto kOtherParts = std::to_array<OtherPart>({
    {"num_generations", kAnswers},
    {"trl.num_generations", kAnswers},
    {"trl.use_vllm", kAnswers},
    {"use_vllm", kAnswers},
    {"vllm_mode", kAnswers},
    {"reward_funcs", kAnswers},
    {"num_unique_prompts_rollout", kAnswers},
    {"num_samples_per_prompt_rollout", kAnswers},
    {"vllm_num_engines", kAnswers},
    {"distill", kTeacher},
    {"beta", kPairs},
    {"dpo_beta", kPairs},
    {"pref_beta", kPairs},
    {"perform_rl_step", kAnswers},
    {"grpo_group_size", kAnswers},
    {"grpo_samples", kAnswers},
    {"ppo_epochs", kAnswers},
    {"teacher_model", kTeacher},
    {"teacher_model._component_", kTeacher},
    {"teacher_checkpointer.model_type", kTeacher},
    {"teacher_overrides.model_name", kTeacher},
    {"ref_checkpointer.model_type", kReference},
    {"ref_policy_checkpointer.model_type", kAnswers},
    {"freeze_vit", kImages},
    {"freeze_ViT", kImages},
    {"freeze_vision_tower", kImages},
    {"freeze_vision_model", kImages},
    {"freeze_sound_encoder", kImages},
    {"freeze_audio_model", kImages},
    {"vision_model_type", kImages},
    {"img_h", kImages},
    {"patch_dim", kImages},
    {"use_multimodal", kImages},
});

bool names_no_part(const core::Node& value) {
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
    if (found == nullptr || (names_no_part(*found) && !is_there_when_off(part.key))) continue;
    if (!said.insert(part.what).second) continue;
    findings.outside(part.key, part.what);
  }
}

}  // namespace railwright::importers
