// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "front_end_switches.hpp"
#include "goal_limits.hpp"
#include "nodes_setting.hpp"
#include "plain_configuration.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/planner/size/racks.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/training/simulate_known.hpp"
#include "railwright/workloads/training/spares.hpp"
#include "trials.hpp"

namespace railwright::planner {

namespace {

using core::to_text;

/// Keeps the last of several settings of one key, which is the one that takes effect.
std::vector<std::string> last_of_each(const std::vector<std::string>& settings) {
  std::vector<std::string> kept;
  for (const std::string& setting : settings) {
    const std::string path = setting.substr(0, setting.find('=') + 1);
    std::erase_if(kept, [&](const std::string& before) { return before.starts_with(path); });
    kept.push_back(setting);
  }
  return kept;
}

std::string too_much(std::string_view what, const std::string& needed, const std::string& most) {
  return fmt::format("{} {}, limit {}", what, needed, most);
}

core::Money price_of_nodes(const models::Ownership& cost) {
  core::Money sum;
  for (const models::PricedPurchase& one : cost.priced) {
    if (one.purchase.kind == "nodes") sum += one.each * one.purchase.count;
  }
  return sum;
}

/// Whether the storage that the targets need is known before any events: checkpoints by the clock
/// alone need the same for all step times.
bool needs_are_known(const simulation::Scenario& scenario) {
  return scenario.cluster.storage && scenario.run.targets && scenario.checkpoint.interval &&
         !scenario.run.step_time;
}

simulation::RunJob job_of(const simulation::CheckedScenario& checked, core::Duration step_time) {
  return {.checked = &checked,
          .step_time = step_time,
          .start = {},
          .first_node = 0,
          .link_bytes = {},
          .degraded_link_speed = 1.0};
}

}  // namespace

bool Trials::may_need_less_storage(const simulation::ScenarioSource& source,
                                   const SearchEntry& entry, const Trial& than) const {
  const int fewer = than.cluster->num_storage_nodes - 1;
  if (fewer < min_storage_nodes()) return false;
  const simulation::CheckedScenario checked = source_of(source, entry).checked_without_basis();
  if (!needs_are_known(checked.scenario)) return true;
  return simulation::holds_targets(job_of(checked, entry.estimate.step_time),
                                   *checked.scenario.run.targets, fewer);
}

std::string Trials::give_switches(simulation::ScenarioSource& source) {
  const FrontEndSwitches switches = front_end_switches(source);
  source = source.with(switches.changes);
  return switches.missing;
}

std::string Trials::no_number_holds(const simulation::StorageNeed& need) const {
  return fmt::format("no number of {} holds the target of {}, limited by the {}",
                     scenario_.cluster.storage->node.name, need.target, need.limit);
}

/// Returns what no number of storage nodes holds, before any events, or "".
std::string Trials::unheld_target(const simulation::CheckedScenario& checked,
                                  core::Duration step_time) const {
  const simulation::Scenario& scenario = checked.scenario;
  if (!needs_are_known(scenario)) return {};
  const simulation::RunJob job = job_of(checked, step_time);
  const auto need = simulation::unheld_need(job, *scenario.run.targets);
  return need ? no_number_holds(*need) : std::string();
}

void Trials::give_storage(simulation::ScenarioSource& source, simulation::SimulationResult& result,
                          std::string& why_not) const {
  constexpr int kMaxRounds = 4;
  int count = 0;
  for (const simulation::StorageNeed& need : result.run.needs) {
    count = std::max(count, need.num_nodes);
    if (need.num_nodes > 0) continue;
    why_not = no_number_holds(need);
    return;
  }
  for (int round = 0; round < kMaxRounds && count > 0; ++round) {
    const simulation::Change more{
        fmt::format("cluster.storage.count={}", count),
        [count](simulation::Scenario& s) { s.cluster.storage->count = count; }};
    source = source.with(std::span(&more, 1));
    why_not = give_switches(source);
    if (!why_not.empty()) return;
    result = simulation::simulate(source.checked(), known_steps_);
    if (result.feasible() || result.run.storage.max_used <= result.run.storage.usable) return;
    count = static_cast<int>(
        std::ceil(count * (result.run.storage.max_used / result.run.storage.usable)));
    count = std::min(count, scenario_.cluster.storage->node.max_nodes.value);
  }
}

void Trials::give_spares(simulation::ScenarioSource& source,
                         simulation::SimulationResult& result) const {
  // The file's own number of nodes does not limit the spares of this one.
  const int spares =
      simulation::spares_for(source.checked_without_basis().scenario, result.run.job());
  if (spares <= scenario_.run.num_spares) return;
  const simulation::Change more{fmt::format("run.num_spares={}", spares),
                                [spares](simulation::Scenario& s) { s.run.num_spares = spares; }};
  source = source.with(std::span(&more, 1));
  result = simulation::simulate(source.checked(), known_steps_);
}

/// Completes the cluster for this configuration: steps, storage nodes, spares and racks.
Trial Trials::with(const simulation::ScenarioSource& base, const SearchEntry& entry) const {
  Trial trial;
  simulation::ScenarioSource source = source_of(base, entry);
  std::int64_t steps = steps_of(goals_, source.fields().workload);
  if (time_) {
    steps = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(*time_ / entry.estimate.step_time / time_ratio_));
  }
  const simulation::Change as_long{fmt::format("workload.steps={}", steps),
                                   [steps](simulation::Scenario& s) { s.workload.steps = steps; }};
  source = source.with(std::span(&as_long, 1));
  trial.why_not = unheld_target(source.checked_without_basis(), entry.estimate.step_time);
  if (!trial.why_not.empty()) return trial;
  simulation::SimulationResult result = simulation::simulate(source.checked(), known_steps_);
  give_storage(source, result, trial.why_not);
  if (trial.why_not.empty() && result.feasible()) give_spares(source, result);
  if (trial.why_not.empty() && !result.feasible()) trial.why_not = result.infeasible.front().what;
  if (!trial.why_not.empty()) return trial;
  const simulation::Scenario scenario = source.checked_without_basis().scenario;
  const int num_nodes = scenario.cluster.num_nodes;
  const TimeSpread spread(result);
  SizedCluster cluster{.option = option_.name,
                       .settings = option_.settings,
                       .num_nodes = num_nodes,
                       .num_spares = scenario.run.num_spares,
                       .configuration = entry,
                       .result = std::move(result),
                       .racks = {},
                       .training_time = spread.below(goals_.confidence),
                       .deadline_probability = spread.probability_of(goals_.deadline)};
  const auto add = [&](const std::string& setting) { cluster.settings.push_back(setting); };
  add(nodes_setting(num_nodes));
  for (const std::string& setting : plain_configuration(scenario_)) add(setting);
  for (const std::string& setting : entry.settings) add(setting);
  add(fmt::format("workload.global_batch={}", scenario.workload.global_batch));
  add(fmt::format("workload.steps={}", steps));
  if (const auto& storage = scenario.cluster.storage) {
    cluster.num_storage_nodes = storage->count;
    add(fmt::format("cluster.storage.count={}", storage->count));
    add(fmt::format("cluster.storage.num_switches={}", storage->num_switches));
  }
  if (cluster.num_spares > 0) add(fmt::format("run.num_spares={}", cluster.num_spares));
  cluster.settings = last_of_each(cluster.settings);
  cluster.tokens = static_cast<double>(cluster.result.tokens_per_step) * static_cast<double>(steps);
  cluster.racks = racks_for(scenario, cluster.result, goals_.rack);
  trial.cluster = std::move(cluster);
  judge(scenario, trial);
  return trial;
}

void Trials::judge(const simulation::Scenario& scenario, Trial& trial) const {
  const SizedCluster& cluster = *trial.cluster;
  if (cluster.training_time > goals_.deadline) {
    trial.shortage = cluster.training_time / goals_.deadline;
    trial.why_not =
        fmt::format("{} at {:.0f} % confidence, {} too late", to_text(cluster.training_time),
                    100.0 * goals_.confidence, to_text(cluster.training_time - goals_.deadline));
    return;
  }
  // More nodes may need less storage; what the nodes alone exceed stays exceeded.
  const bool has_least_storage = cluster.num_storage_nodes <= min_storage_nodes();
  const auto limit = [&](std::string why, bool nodes_alone) {
    trial.is_too_large = true;
    trial.stays_too_large = trial.stays_too_large || has_least_storage || nodes_alone;
    if (trial.why_not.empty()) trial.why_not = std::move(why);
  };
  if (cluster.racks.nodes_per_rack == 0) {
    limit(fmt::format("a {} alone is too much for a rack of {} units and {}",
                      scenario.cluster.node.name, goals_.rack.units, to_text(goals_.rack.power)),
          true);
  }
  if (goals_.power && cluster.power() > *goals_.power) {
    limit(too_much("it draws", to_text(cluster.power()), to_text(*goals_.power)),
          cluster.result.power->peak.nodes.total() > *goals_.power);
  }
  if (goals_.racks && cluster.racks.count() > *goals_.racks) {
    limit(too_much("it needs", fmt::format("{} racks", cluster.racks.count()),
                   std::to_string(*goals_.racks)),
          cluster.racks.of_nodes > *goals_.racks);
  }
  if (goals_.budget && cluster.result.cost) {
    const models::Ownership& cost = cluster.result.cost->ownership;
    if (cost.total() > *goals_.budget) {
      limit(too_much("it costs", to_text(cost.total()), to_text(*goals_.budget)),
            price_of_nodes(cost) > *goals_.budget);
    }
  }
}

std::string Trials::with_less_storage(const SizedCluster& cluster) const {
  const core::StorageNode& node = scenario_.cluster.storage->node;
  if (cluster.num_storage_nodes <= node.min_nodes.value) {
    return fmt::format("a {} cluster needs at least {} nodes", node.name, node.min_nodes.value);
  }
  core::Node tree = simulation::with_settings(base_->tree(), cluster.settings);
  core::set_path(tree, fmt::format("cluster.storage.count={}", cluster.num_storage_nodes - 1));
  const simulation::CheckedScenario checked = simulation::read_scenario(tree, catalogue_);
  const simulation::SimulationResult result = simulate(checked, known_steps_);
  if (!result.feasible()) return result.infeasible.front().what;
  const simulation::StorageTargets& targets = *checked.scenario.run.targets;
  const simulation::JobRun& run = result.run.job();
  const double stall =
      run.time_s[static_cast<std::size_t>(simulation::RunCause::kCheckpointStall)] /
      run.training_time_s.mean;
  return fmt::format(
      "training waits {:.2f} % for checkpoints, {:g} % at most; read back in {}, {} at most",
      100.0 * stall, 100.0 * targets.checkpoint_stall, to_text(run.restore.time),
      to_text(targets.restore));
}

}  // namespace railwright::planner
