// SPDX-License-Identifier: Apache-2.0
// Keys of a software profile that make its recipe: what published runs of one stack set
// differently.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::simulation {

/// Keys that are tried at the values of other stacks where nobody stated them, then those that go
/// with them.
inline constexpr auto kKeysOfRecipe = std::to_array<std::string_view>({
    "attention",
    "elementwise",
    "fused_loss",
    "recompute",
    "cuda_graphs",
    "dropout",
    "fp8_scaling",
    "gradient_accumulation_fusion",
    "overlap_pipeline",
    "zero_stage",
    "bucket",
    "gradient_reduce_bytes",
    "overlap_gradient_reduce",
    "overlap_parameter_gather",
    "overlap_tensor_parallel",
    "context_exchange",
    "overlap_context_parallel",
    "expert_dispatcher",
    "overlap_expert_parallel",
    "expert_kernels",
    "fused_permutation",
    "bucket_replica_parameters",
    "context_swap_ranks",
    "parameter_gather_bytes",
    "recompute_layers",
    "recompute_modules",
    "reshard_after_forward",
    "sync_every_microbatch",
});

/// Whether a difference, "software.recompute=full", is a stated setting of the recipe.
constexpr bool is_of_recipe(std::string_view change) {
  constexpr std::string_view kSoftware = "software.";
  if (!change.starts_with(kSoftware)) return false;
  const std::string_view setting = change.substr(kSoftware.size());
  const std::string_view key = setting.substr(0, setting.find_first_of("=."));
  return std::ranges::find(kKeysOfRecipe, key) != kKeysOfRecipe.end();
}

/// Counts the differences that widen an interval: a stated recipe is known, and its effect
/// predicted, so that it is none of them.
inline int num_widening(const std::vector<std::string>& changes) {
  return static_cast<int>(std::ranges::count_if(
      changes, [](const std::string& change) { return !is_of_recipe(change); }));
}

}  // namespace railwright::simulation
