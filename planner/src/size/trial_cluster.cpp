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
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/workloads/training/simulate_known.hpp"
#include "railwright/workloads/training/spares.hpp"
#include "sought.hpp"
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

simulation::Change spares_change(int spares) {
  return {fmt::format("run.num_spares={}", spares),
          [spares](simulation::Scenario& s) { s.run.num_spares = spares; }};
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
                                   *checked.scenario.run.targets, fewer,
                                   shared_by(entry).for_needs);
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

std::vector<simulation::StorageNeed> Trials::known_needs(const simulation::CheckedScenario& checked,
                                                         const SearchEntry& entry) const {
  if (!needs_are_known(checked.scenario)) return {};
  const simulation::RunJob job = job_of(checked, entry.estimate.step_time);
  const simulation::StorageTargets& targets = *checked.scenario.run.targets;
  simulation::BuiltByCount& built = shared_by(entry).for_needs;
  if (auto unheld = simulation::unheld_need(job, targets, built)) return {std::move(*unheld)};
  return simulation::storage_needs(job, targets, built);
}

int Trials::storage_nodes_for(const std::vector<simulation::StorageNeed>& needs,
                              std::string& why_not) const {
  int count = 0;
  for (const simulation::StorageNeed& need : needs) {
    count = std::max(count, need.num_nodes);
    if (need.num_nodes == 0 && why_not.empty()) why_not = no_number_holds(need);
  }
  return count;
}

std::string Trials::give_storage_nodes(simulation::ScenarioSource& source, int count) {
  const simulation::Change more{
      fmt::format("cluster.storage.count={}", count),
      [count](simulation::Scenario& s) { s.cluster.storage->count = count; }};
  source = source.with(std::span(&more, 1));
  return give_switches(source);
}

/// Simulates all; `needs` are those of the targets where they are known.
simulation::SimulationResult Trials::simulated(
    const simulation::ScenarioSource& source,
    const std::vector<simulation::StorageNeed>& needs) const {
  ++counts_.clusters;
  simulation::CheckedScenario checked = source.checked();
  if (needs.empty()) return simulation::simulate(checked, known_steps_);
  checked.scenario.run.targets.reset();
  simulation::SimulationResult result = simulation::simulate(checked, known_steps_);
  if (!result.run.jobs.empty() && !result.run.is_beyond_clock) result.run.needs = needs;
  return result;
}

/// Gives storage nodes until all targets are met and all that is kept fits.
void Trials::give_room(simulation::ScenarioSource& source,
                       const std::vector<simulation::StorageNeed>& needs,
                       simulation::SimulationResult& result, std::string& why_not) const {
  constexpr int kMaxRounds = 4;
  int round = 0;
  int count = 0;
  if (needs.empty()) {
    count = storage_nodes_for(result.run.needs, why_not);
  } else {
    ++round;
    count = source.fields().cluster.storage->count;
  }
  for (; round < kMaxRounds && count > 0 && why_not.empty(); ++round) {
    if (round > 0) {
      if (result.feasible() || result.run.storage.max_used <= result.run.storage.usable) return;
      count = static_cast<int>(
          std::ceil(count * (result.run.storage.max_used / result.run.storage.usable)));
      count = std::min(count, scenario_.cluster.storage->node.max_nodes.value);
    }
    why_not = give_storage_nodes(source, count);
    if (why_not.empty()) result = simulated(source, needs);
  }
}

void Trials::give_spares(simulation::ScenarioSource& source,
                         const std::vector<simulation::StorageNeed>& needs,
                         simulation::SimulationResult& result) const {
  // The file's own number of nodes does not limit the spares of this one.
  const int spares =
      simulation::spares_for(source.checked_without_basis().scenario, result.run.job());
  if (spares <= scenario_.run.num_spares) return;
  const simulation::Change more = spares_change(spares);
  source = source.with(std::span(&more, 1));
  result = simulated(source, needs);
}

simulation::Change Trials::steps_change(const simulation::ScenarioSource& source,
                                        const SearchEntry& entry) const {
  std::int64_t steps = steps_of(goals_, source.fields().workload);
  if (time_) {
    steps = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(*time_ / entry.estimate.step_time / time_ratio_));
  }
  return {fmt::format("workload.steps={}", steps),
          [steps](simulation::Scenario& s) { s.workload.steps = steps; }};
}

bool Trials::takes_longer(const simulation::ScenarioSource& base, const SearchEntry& entry,
                          core::Duration step_time, core::Duration than) const {
  // Failures come at other moments of steps of another length: so much less may be lost.
  constexpr double kByChance = 0.002;
  const core::Duration alone = time_of_steps(entry, step_time);
  if (alone > than) return true;
  const simulation::Scenario& given = base.fields();
  const bool has_run = given.cluster.storage || given.reliability;
  const bool is_known = !given.cluster.storage || needs_are_known(given);
  if (!has_run || !is_known || changes_samples(scenario_)) return false;
  // Longer steps of the same writers add at least themselves.
  const auto [place, is_new] = runs_.try_emplace(Attempts::writers_of(entry));
  KnownRun& run = place->second;
  if (is_new || run.of_steps > alone) run = {alone, time_of_run(base, entry, step_time)};
  return run.of_all * (1.0 - kByChance) + (alone - run.of_steps) > than;
}

core::Duration Trials::time_of_run(const simulation::ScenarioSource& base, const SearchEntry& entry,
                                   core::Duration step_time) const {
  ++counts_.runs;
  simulation::ScenarioSource source = source_of(base, entry);
  const simulation::Change as_long = steps_change(source, entry);
  source = source.with(std::span(&as_long, 1));
  simulation::CheckedScenario checked = source.checked();
  if (checked.scenario.cluster.storage) {
    std::string why_not;
    const int count = storage_nodes_for(known_needs(checked, entry), why_not);
    if (why_not.empty() && count > 0) why_not = give_storage_nodes(source, count);
    if (!why_not.empty()) return core::Duration::infinity();
    checked = source.checked();
  }
  checked.scenario.run.targets.reset();
  checked.scenario.run.optimize_interval = false;
  const auto& storage = checked.scenario.cluster.storage;
  const topologies::BuiltCluster& built =
      storage ? shared_by(entry).for_runs.with(storage->count, *checked.topology,
                                               checked.scenario.cluster)
              : built_for_steps(checked, entry);
  const auto run = [&] {
    const simulation::RunJob job =
        job_of(checked, checked.scenario.run.step_time.value_or(step_time));
    return simulation::simulate_run(std::span(&job, 1), built.fabric, checked.scenario.run,
                                    {.num_threads = options_.num_threads});
  };
  simulation::RunResult result = run();
  if (result.is_beyond_clock) return result.job().training_time();
  const int spares = simulation::spares_for(checked.scenario, result.job());
  if (spares > scenario_.run.num_spares) {
    checked.scenario.run.num_spares = spares;
    result = run();
  }
  const simulation::Scenario& scenario = checked.scenario;
  const TimeSpread spread(result.job(), scenario.installation.step_time_low.value,
                          scenario.installation.step_time_high.value);
  return spread.below(goals_.confidence);
}

Trial Trials::known_or_with(const simulation::ScenarioSource& base,
                            const SearchEntry& entry) const {
  const auto known = trials_.find(base.fields().cluster.num_nodes);
  const bool has_other_steps = time_ratio_ != 1.0;
  if (!has_other_steps && known != trials_.end() && known->second.cluster &&
      Attempts::key_of(known->second.cluster->configuration) == Attempts::key_of(entry)) {
    return known->second;
  }
  return with(base, entry);
}

/// Completes the cluster for this configuration: steps, storage nodes, spares and racks.
Trial Trials::with(const simulation::ScenarioSource& base, const SearchEntry& entry) const {
  Trial trial;
  simulation::ScenarioSource source = source_of(base, entry);
  const simulation::Change as_long = steps_change(source, entry);
  source = source.with(std::span(&as_long, 1));
  const auto needs = known_needs(source.checked_without_basis(), entry);
  const int num_known = storage_nodes_for(needs, trial.why_not);
  if (trial.why_not.empty() && num_known > 0) {
    trial.why_not = give_storage_nodes(source, num_known);
  }
  if (!trial.why_not.empty()) return trial;
  simulation::SimulationResult result = simulated(source, needs);
  give_room(source, needs, result, trial.why_not);
  if (trial.why_not.empty() && result.feasible()) give_spares(source, needs, result);
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
  add(as_long.setting);
  if (const auto& storage = scenario.cluster.storage) {
    cluster.num_storage_nodes = storage->count;
    add(fmt::format("cluster.storage.count={}", storage->count));
    add(fmt::format("cluster.storage.num_switches={}", storage->num_switches));
  }
  if (cluster.num_spares > 0) add(fmt::format("run.num_spares={}", cluster.num_spares));
  cluster.settings = last_of_each(cluster.settings);
  cluster.tokens = static_cast<double>(cluster.result.tokens_per_step) *
                   static_cast<double>(scenario.workload.steps);
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
