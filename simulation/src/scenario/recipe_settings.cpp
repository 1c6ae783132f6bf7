// SPDX-License-Identifier: Apache-2.0
#include "recipe_settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "railwright/simulation/scenario/recipe_keys.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

/// Parts of a step that settings act on.
struct Uses {
  bool transformer = false;
  bool experts = false;
  bool data_parallel = false;
  bool shards = false;  ///< optimizer states or more are divided over replicas
  bool tensor_parallel = false;
  bool context_parallel = false;
  bool expert_parallel = false;
  bool pipeline = false;
  bool accumulation = false;  ///< of gradients over micro-batches
  bool fp8 = false;
};

Uses uses_of(const Scenario& scenario, const models::Layout& layout) {
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  const bool replicas = layout.dp > 1;
  return {.transformer = model != nullptr,
          .experts = model != nullptr && model->experts.has_value(),
          .data_parallel = replicas,
          .shards = replicas && scenario.software.zero_stage.value > 0,
          .tensor_parallel = layout.tp > 1,
          .context_parallel = layout.cp > 1,
          .expert_parallel = layout.ep > 1,
          .pipeline = layout.pp > 1,
          .accumulation = layout.num_microbatches > 1,
          .fp8 = scenario.software.precision.value == core::Precision::kFp8};
}

/// A setting that published recipes choose differently, and what it acts on.
struct RecipeKey {
  std::string_view key;
  bool Uses::* acts_on;
};

constexpr auto kRecipeKeys = std::to_array<RecipeKey>({
    {"attention", &Uses::transformer},
    {"elementwise", &Uses::transformer},
    {"fused_loss", &Uses::transformer},
    {"recompute", &Uses::transformer},
    {"cuda_graphs", &Uses::transformer},
    {"dropout", &Uses::transformer},
    {"fp8_scaling", &Uses::fp8},
    {"gradient_accumulation_fusion", &Uses::accumulation},
    {"overlap_pipeline", &Uses::pipeline},
    {"zero_stage", &Uses::data_parallel},
    {"bucket", &Uses::data_parallel},
    {"gradient_reduce_bytes", &Uses::data_parallel},
    {"overlap_gradient_reduce", &Uses::data_parallel},
    {"overlap_parameter_gather", &Uses::shards},
    {"overlap_tensor_parallel", &Uses::tensor_parallel},
    {"context_exchange", &Uses::context_parallel},
    {"overlap_context_parallel", &Uses::context_parallel},
    {"expert_dispatcher", &Uses::expert_parallel},
    {"overlap_expert_parallel", &Uses::expert_parallel},
    {"expert_kernels", &Uses::experts},
    {"fused_permutation", &Uses::experts},
});

static_assert(std::ranges::all_of(kRecipeKeys, [](const RecipeKey& one) {
  return std::ranges::find(kKeysOfRecipe, one.key) != kKeysOfRecipe.end();
}));

}  // namespace

RecipeSettings recipe_settings(const core::Node& tree, const Scenario& scenario,
                               const models::Layout& layout) {
  const core::Node* const software = tree.find("software");
  const bool has_keys = software != nullptr && software->is_mapping();
  const bool names_a_profile = !has_keys || software->find("model") != nullptr;
  const Uses uses = uses_of(scenario, layout);
  RecipeSettings settings;
  for (const RecipeKey& one : kRecipeKeys) {
    if (!(uses.*one.acts_on)) continue;
    const bool is_stated = !names_a_profile || (has_keys && software->find(one.key) != nullptr);
    (is_stated ? settings.stated : settings.assumed).emplace_back(one.key);
  }
  return settings;
}

}  // namespace railwright::simulation
