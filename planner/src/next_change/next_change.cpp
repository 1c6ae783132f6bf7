// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/simulation/training/fit_checks.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

using models::Recompute;

/// Changes whose step is simulated by events at the most.
constexpr std::size_t kMaxSimulated = 3;

constexpr std::string_view kNicCount = "cluster.node.nics.count";

/// A legal change that fits into memory.
struct Tried {
  std::string setting;
  simulation::CheckedScenario checked;
  std::optional<topologies::BuiltCluster> built;  ///< of another cluster than the scenario's
  core::Duration estimate;
};

void add_factors(const char* key, int value, std::vector<std::string>& settings) {
  settings.push_back(fmt::format("{}={}", key, 2 * value));
  if (value % 2 == 0) settings.push_back(fmt::format("{}={}", key, value / 2));
}

void add_switches(const models::SoftwareProfile& software, std::vector<std::string>& settings) {
  const auto add = [&](const char* key, const core::Sourced<bool>& is_on) {
    if (!is_on.value) settings.push_back(fmt::format("software.{}=true", key));
  };
  add("overlap_gradient_reduce", software.overlap_gradient_reduce);
  add("overlap_parameter_gather", software.overlap_parameter_gather);
  add("overlap_pipeline", software.overlap_pipeline);
  add("overlap_tensor_parallel", software.overlap_tensor_parallel);
  for (const Recompute recompute : {Recompute::kNone, Recompute::kSelective}) {
    if (recompute >= software.recompute.value) continue;
    settings.push_back(fmt::format("software.recompute={}", core::to_string(recompute)));
  }
}

bool fits(const simulation::CheckedScenario& checked) {
  const simulation::Scenario& scenario = checked.scenario;
  std::vector<simulation::Infeasibility> reasons;
  simulation::check_memory(
      models::largest_memory_use(scenario.workload, checked.layout, scenario.software),
      scenario.cluster.node.accelerator.memory.value, reasons);
  simulation::check_tiers(
      models::node_tier_uses(scenario.workload, checked.layout, scenario.software,
                             scenario.cluster.node.num_accelerators.value),
      reasons);
  return reasons.empty();
}

/// Whether the switches have the ports, and the fabric what the library needs.
bool can_be_built(const simulation::CheckedScenario& checked,
                  const topologies::BuiltCluster& built) {
  return built.parts.shortfalls.empty() &&
         models::missing_reduction(built.fabric, checked.scenario.software.collectives).empty();
}

/// Nothing of a change that is not legal or does not fit.
std::optional<Tried> try_change(core::Node tree, std::string setting,
                                const core::Catalogue& catalogue,
                                const topologies::BuiltCluster& own) {
  Tried tried{.setting = std::move(setting), .checked = {}, .built = {}, .estimate = {}};
  try {
    core::set_path(tree, tried.setting);
    tried.checked = simulation::read_scenario(tree, catalogue);
  } catch (const core::ConfigError&) {
    return {};
  }
  if (!fits(tried.checked)) return {};
  if (tried.setting.starts_with(kNicCount)) {
    tried.built = tried.checked.topology->build(tried.checked.scenario.cluster);
  }
  const topologies::BuiltCluster& built = tried.built ? *tried.built : own;
  if (!can_be_built(tried.checked, built)) return {};
  tried.estimate = estimate_step(step_costs(tried.checked, built.fabric)).total();
  return tried;
}

NextChange as_change(const Tried& tried, core::Duration step_time, core::Duration now) {
  return {.setting = tried.setting, .step_time = step_time, .saving = 1.0 - step_time / now};
}

}  // namespace

std::vector<std::string> single_changes(const simulation::Scenario& scenario) {
  const models::Parallelism& parallelism = scenario.parallelism;
  std::vector<std::string> settings;
  add_factors("workload.micro_batch", scenario.workload.micro_batch, settings);
  add_factors("parallelism.tp", parallelism.tp, settings);
  add_factors("parallelism.cp", parallelism.cp, settings);
  add_factors("parallelism.ep", parallelism.ep, settings);
  add_factors("parallelism.pp", parallelism.pp, settings);
  add_factors("parallelism.virtual_stages", parallelism.virtual_stages, settings);
  settings.push_back(
      fmt::format("parallelism.sequence_parallel={}", !parallelism.sequence_parallel));
  for (int stage = 0; stage <= 3; ++stage) {
    if (stage == scenario.software.zero_stage.value) continue;
    settings.push_back(fmt::format("software.zero_stage={}", stage));
  }
  add_switches(scenario.software, settings);
  const int num_nics = 2 * scenario.cluster.node.nics.count;
  if (num_nics > 0 && num_nics <= scenario.cluster.node.num_accelerators.value) {
    settings.push_back(fmt::format("{}={}", kNicCount, num_nics));
  }
  return settings;
}

ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result) {
  ChangesTried changes{.method = result.method, .best = {}};
  const simulation::CheckedScenario checked = simulation::read_scenario(tree, catalogue);
  if (!result.feasible() || checked.scenario.run.step_time) return changes;
  const topologies::BuiltCluster built = checked.topology->build(checked.scenario.cluster);
  const std::vector<std::string> settings = single_changes(checked.scenario);
  std::vector<std::optional<Tried>> all(settings.size());
  core::parallel_for(settings.size(), [&](std::size_t i) {
    all[i] = try_change(tree, settings[i], catalogue, built);
  });

  const core::Duration now = estimate_step(step_costs(checked, built.fabric)).total();
  std::vector<Tried> faster;
  for (std::optional<Tried>& one : all) {
    if (!one) continue;
    ++changes.num_tried;
    if (one->estimate < now) faster.push_back(std::move(*one));
  }
  std::ranges::stable_sort(faster, {}, &Tried::estimate);
  if (faster.empty()) return changes;
  if (changes.method == simulation::Method::kEstimate) {
    changes.best = as_change(faster.front(), faster.front().estimate, now);
  } else {
    const std::size_t num_simulated = std::min(faster.size(), kMaxSimulated);
    for (const Tried& one : std::span(faster).first(num_simulated)) {
      const core::Fabric& fabric = one.built ? one.built->fabric : built.fabric;
      const core::Duration time = simulate_step(step_costs(one.checked, fabric)).step_time;
      if (!changes.best || time < changes.best->step_time) {
        changes.best = as_change(one, time, result.step_time);
      }
    }
  }
  if (changes.best->saving < kMinSaving) changes.best.reset();
  return changes;
}

}  // namespace railwright::planner
