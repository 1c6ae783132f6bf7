// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/device_checks.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using Problems = std::vector<core::Problem>;

/// Whether the scenario overrides `key` in a catalogue entry at `path`, and does not define an
/// entry of its own.
bool changes(const core::Node& tree, std::initializer_list<std::string_view> path,
             std::string_view key) {
  const core::Node* node = &tree;
  for (const std::string_view part : path) {
    node = node->is_mapping() ? node->find(part) : nullptr;
    if (node == nullptr) return false;
  }
  if (!node->is_mapping() || node->find(key) == nullptr) return false;
  return node->find("model") != nullptr || node->find("name") == nullptr;
}

/// Reports native attention that a scenario asks for on a device without it. A profile that names
/// it stands for the best kernels of a device.
void add_attention_problem(const core::Node& tree, const Scenario& scenario, Problems& problems) {
  const core::Accelerator& accelerator = scenario.cluster.node.accelerator;
  if (scenario.software.attention.value != models::AttentionKernel::kFusedNative ||
      accelerator.native_attention_efficiency || !changes(tree, {"software"}, "attention")) {
    return;
  }
  problems.push_back(
      {"software.attention",
       fmt::format("fused_native needs cluster.node.accelerator.native_attention_efficiency, "
                   "which {} does not give: use fused, or give that number",
                   accelerator.name)});
}

void add_rate_problem(const Scenario& scenario, Problems& problems) {
  const core::Accelerator& accelerator = scenario.cluster.node.accelerator;
  const double of_site = scenario.installation.compute_efficiency.value;
  const double of_stack = scenario.software.compute_efficiency.value;
  const double share = of_site / fastest_site(scenario);
  constexpr double kRounding = 1e-4;
  if (share <= 1.0 + kRounding) return;
  const bool is_site = of_site > 1.0;
  problems.push_back(
      {is_site ? "installation.compute_efficiency" : "software.compute_efficiency",
       fmt::format("products would run at {:.3g} times the peak of {}: at most {:.4g}", share,
                   accelerator.name, (is_site ? of_site : of_stack) / share)});
}

/// Reports an algorithm that no device of the cluster can run: the library would silently replace
/// it.
Problems algorithm_problems(const std::string& key, const core::ComputeNode& compute_node,
                            const models::CollectiveTuning& library) {
  const models::CollectiveAlgorithm named = library.all_reduce_algorithm.value;
  const bool is_nvls = named->adds_in_scale_up;
  const auto refused = [&](const std::string& why) {
    return Problems{{key, fmt::format("{} {}", core::to_string(named), why)}};
  };
  if (!named->is_of_all_reduce) return refused("is no algorithm of an all-reduce");
  if (is_nvls && library.generation()->nvls_efficiency.value == 0.0) {
    return refused(fmt::format("needs scale-up switches that add, which {} has none of in {}",
                               compute_node.accelerator.name, library.name));
  }
  if (is_nvls && compute_node.scale_up != core::ScaleUp::kSwitch) {
    return refused("needs scale-up switches, and the nodes have none");
  }
  return {};
}

void add_activation_problem(const Scenario& scenario, Problems& problems) {
  if (!scenario.software.fp8_activation_input.value) return;
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  if (model != nullptr && model->gated_ffn) return;
  problems.push_back({"software.fp8_activation_input",
                      "is known for gated feed-forward blocks alone: leave it out"});
}

/// Reports one of two keys that say nothing without the other.
void add_kernel_problem(const Scenario& scenario, Problems& problems) {
  const core::AttentionKernels& attention = scenario.cluster.node.accelerator.kernels->attention;
  if (attention.flash_2.has_value() == attention.flash_2_efficiency.has_value()) return;
  problems.push_back({"cluster.node.accelerator.kernels.attention",
                      fmt::format("flash_2 and flash_2_efficiency go together, got {} alone",
                                  attention.flash_2 ? "flash_2" : "flash_2_efficiency")});
}

void add_dispatcher_problem(const Scenario& scenario, Problems& problems) {
  const models::SoftwareProfile& software = scenario.software;
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  if (software.expert_dispatcher.value != models::ExpertDispatcher::kDeepEp) return;
  if (model == nullptr || !model->experts) return;
  const core::Accelerator& accelerator = scenario.cluster.node.accelerator;
  if (accelerator.kernels->expert_exchange) return;
  problems.push_back(
      {"software.expert_dispatcher", fmt::format("deepep is not known on {}, whose kernels have no "
                                                 "expert_exchange; all_to_all is",
                                                 accelerator.name)});
}

}  // namespace

void tell_accelerator(const core::Accelerator& accelerator, models::CollectiveTuning& library) {
  library.runs_on = accelerator.generation.value;
}

void tell_accelerator(const core::Accelerator& accelerator, models::SoftwareProfile& software) {
  tell_accelerator(accelerator, software.collectives);
  software.fp8_any_layout = accelerator.fp8_any_layout.value;
}

Problems library_problems(const std::string& key, const core::ComputeNode& compute_node,
                          const models::CollectiveTuning& library) {
  const core::Accelerator& accelerator = compute_node.accelerator;
  if (library.generation() != nullptr) {
    return algorithm_problems(key + ".all_reduce_algorithm", compute_node, library);
  }
  std::string known;
  for (const models::AcceleratorGeneration& row : library.generations) {
    for (const core::Generation generation : row.of) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", core::to_string(generation));
    }
  }
  return {
      {key, fmt::format("{} has no numbers for {}, which is {}: it has those of {}", library.name,
                        accelerator.name, core::to_string(accelerator.generation.value), known)}};
}

double fastest_site(const Scenario& scenario) {
  const models::SoftwareProfile& software = scenario.software;
  return 1.0 / (scenario.cluster.node.accelerator.product_efficiency(software.precision.value) *
                software.compute_efficiency.value);
}

Problems idle_keys(const core::Node& tree) {
  Problems problems;
  if (changes(tree, {"cluster", "node", "accelerator"}, "power")) {
    problems.push_back(
        {"cluster.node.accelerator.power",
         "is a fact of the data sheet: use power.accelerator_cap for a limit that the driver sets, "
         "or power.node_cap to cap what nodes draw"});
  }
  if (changes(tree, {"cluster", "node"}, "front_end") &&
      changes(tree, {"cluster", "node", "front_end"}, "gpudirect")) {
    problems.push_back({"cluster.node.front_end.gpudirect",
                        "changes no prediction: files pass through host memory here; it is a key "
                        "of cluster.node.nics"});
  }
  return problems;
}

Problems device_problems(const core::Node& tree, const Scenario& scenario) {
  Problems problems = library_problems("software.collectives", scenario.cluster.node,
                                       scenario.software.collectives);
  add_attention_problem(tree, scenario, problems);
  add_rate_problem(scenario, problems);
  add_activation_problem(scenario, problems);
  add_dispatcher_problem(scenario, problems);
  add_kernel_problem(scenario, problems);
  return problems;
}

std::vector<core::Problem> software_problems(const models::SoftwareProfile& software,
                                             int zero_stage, models::Recompute recompute, int pp) {
  std::vector<core::Problem> problems;
  if (software.recompute_layers && recompute != models::Recompute::kFull) {
    problems.push_back({"software.recompute_layers", fmt::format("goes with recompute full, got {}",
                                                                 core::to_string(recompute))});
  }
  if (!software.recompute_modules.empty() && recompute != models::Recompute::kSelective) {
    problems.push_back(
        {"software.recompute_modules",
         fmt::format("goes with recompute selective, got {}", core::to_string(recompute))});
  }
  if (software.fused_loss.value && software.loss_copies.value) {
    problems.push_back({"software.fused_loss",
                        "a fused loss makes no copies: software.loss_copies must be false"});
  }
  if (software.cuts_matrices(zero_stage)) {
    problems.push_back(
        {"software.zero_stage",
         fmt::format("muon orthogonalizes whole matrices: at most 1, got {}", zero_stage)});
  }
  if (pp == 1) return problems;
  const auto refuse = [&](std::string key, const char* what) {
    problems.push_back(
        {std::move(key),
         fmt::format("{} for each micro-batch goes with pp 1, got pp {}", what, pp)});
  };
  if (zero_stage == 3 && software.reshard_after_forward.value) {
    refuse("software.zero_stage", "gathering parameters");
  }
  if (software.sync_every_microbatch.value) {
    refuse("software.sync_every_microbatch", "reducing gradients");
  }
  return problems;
}

}  // namespace railwright::simulation
