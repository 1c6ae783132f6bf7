// SPDX-License-Identifier: Apache-2.0
#include "change_trials.hpp"

#include <algorithm>
#include <span>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/fit_checks.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedScenario;
using simulation::Scenario;

bool fits(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
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

/// Whether the switches have enough ports, and the fabric what the collective library needs.
bool can_be_built(const CheckedScenario& checked, const topologies::BuiltCluster& built) {
  return built.parts.shortfalls.empty() &&
         models::missing_reduction(built.fabric, checked.scenario.software.collectives).empty();
}

/// Leaves out what happens by chance or is only reported, so that one run is enough.
CheckedScenario calm(CheckedScenario checked) {
  checked.scenario.reliability.reset();
  checked.scenario.run.incidents.clear();
  checked.scenario.run.targets.reset();
  checked.scenario.run.optimize_interval = false;
  return checked;
}

/// Whether nothing but steps takes a time that a change can touch.
bool has_steps_alone(const Scenario& scenario) {
  const simulation::CheckpointPlan& plan = scenario.checkpoint;
  const bool writes = plan.interval_steps > 0 || plan.interval || plan.at_end;
  return !writes && !scenario.cluster.storage;
}

core::Duration training_time(const CheckedScenario& checked, const core::Fabric& fabric) {
  const core::Duration step = estimate_step(step_costs(checked, fabric)).total();
  if (has_steps_alone(checked.scenario)) {
    return step * static_cast<double>(checked.scenario.workload.steps);
  }
  const CheckedScenario alone = calm(checked);
  const simulation::RunJob job{
      .checked = &alone, .step_time = step, .start = {}, .first_node = 0, .link_bytes = {}};
  return simulate_run(std::span(&job, 1), fabric, alone.scenario.run, {.num_threads = 1})
      .job()
      .training_time();
}

}  // namespace

ChangeTrials::ChangeTrials(const core::Node& tree, const core::Catalogue& catalogue)
    : source_(simulation::training_source(tree, catalogue)),
      own_(source_.checked_without_basis()),
      built_(own_.topology->build(own_.scenario.cluster)) {}

/// Whether a change needs another fabric: it changes only the NICs of a cluster.
bool ChangeTrials::has_other_cluster(const Scenario& scenario) const {
  return scenario.cluster.node.nics.count != own_.scenario.cluster.node.nics.count;
}

/// Returns the training time with a change; nothing if it does not divide or fit, which is checked
/// first because it is fast, or if another rule forbids it.
std::optional<core::Duration> ChangeTrials::estimate(const simulation::Change& change) const {
  CheckedScenario changed{.scenario = own_.scenario, .layout = {}, .topology = own_.topology};
  change.apply(changed.scenario);
  const Scenario& scenario = changed.scenario;
  const auto problems = models::make_layout(scenario.workload, scenario.parallelism,
                                            scenario.num_accelerators(), changed.layout);
  if (!problems.empty() || !fits(changed)) return {};
  try {
    const CheckedScenario checked = source_.with(std::span(&change, 1)).checked_without_basis();
    const auto time_on = [&](const topologies::BuiltCluster& built) {
      return fits(checked) && can_be_built(checked, built)
                 ? std::optional(training_time(checked, built.fabric))
                 : std::nullopt;
    };
    return has_other_cluster(checked.scenario)
               ? time_on(checked.topology->build(checked.scenario.cluster))
               : time_on(built_);
  } catch (const core::ConfigError&) {
    return {};
  } catch (const core::SimulationError&) {
    return {};
  }
}

RankedChanges ChangeTrials::ranked(const std::vector<simulation::Change>& changes,
                                   const ProgressFunction& progress) const {
  std::vector<std::optional<core::Duration>> times(changes.size());
  PiecesDone tried(progress, "changes", changes.size());
  core::parallel_for(changes.size(), [&](std::size_t i) {
    times[i] = estimate(changes[i]);
    tried.one_more();
  });
  RankedChanges ranked{.now = training_time(own_, built_.fabric), .faster = {}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!times[i]) continue;
    ++ranked.num_tried;
    if (*times[i] < ranked.now) ranked.faster.push_back({changes[i].setting, *times[i]});
  }
  std::ranges::stable_sort(ranked.faster, {}, &RankedChange::training_time);
  return ranked;
}

}  // namespace railwright::planner
