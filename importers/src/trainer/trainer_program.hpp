// SPDX-License-Identifier: Apache-2.0
// Programs that are built on the Hugging Face trainer, and their defaults. [@trainer_arguments]
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace railwright::importers {

struct TrainerProgram {
  std::string_view name;
  std::string_view mark;               ///< in the text; "" for the last, which has none
  std::optional<bool> recomputes;      ///< unless told; nothing where releases differ
  std::optional<int> micro_batch;      ///< unless told; nothing where it must be told
  std::string_view adapter;            ///< how weights train unless told: "lora" or "full"
  std::optional<int> lora_rank;        ///< unless told
  std::string_view lora_targets;       ///< unless told
  std::optional<int> sequence_length;  ///< unless told
};

/// In the order in which marks are looked for.
inline constexpr auto kTrainerPrograms = std::to_array<TrainerProgram>({
    {"LLaMA-Factory", "llamafactory-cli", true, 8, "lora", 8, "all", 2048},
    {"LLaMA-Factory", "finetuning_type", true, 8, "lora", 8, "all", 2048},
    {"LLaMA-Factory", "cutoff_len", true, 8, "lora", 8, "all", 2048},
    {"axolotl", "base_model:", false, {}, "full", {}, "", {}},
    {"ms-swift", "swift sft", true, {}, "lora", 8, "all", {}},
    {"ms-swift", "swift pt", true, {}, "lora", 8, "all", {}},
    {"ms-swift", "swift rlhf", true, {}, "lora", 8, "all", {}},
    {"ms-swift", "swift/cli", true, {}, "lora", 8, "all", {}},
    {"TRL", "trl ", {}, 8, "full", 16, "", {}},
    {"TRL", "use_peft", {}, 8, "full", 16, "", {}},
    {"TRL", "dataset_mixture", {}, 8, "full", 16, "", {}},
    {"TRL", "dataset_mixer", {}, 8, "full", 16, "", {}},
    {"the Hugging Face trainer", "", false, 8, "full", {}, "", {}},
});

}  // namespace railwright::importers
