// SPDX-License-Identifier: Apache-2.0
#include "trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "../search/recipe_space.hpp"
#include "front_end_switches.hpp"
#include "nodes_setting.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/planner/size/racks.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/simulation/training/spares.hpp"
#include "railwright/simulation/training/step_facts.hpp"

namespace railwright::planner {

namespace {

using core::to_text;

/// Returns settings that make the scenario legal on any number of nodes, before the search.
std::vector<std::string> plain_configuration(const simulation::Scenario& scenario) {
  const models::Parallelism& parallelism = scenario.parallelism;
  std::vector<std::string> settings;
  const auto add = [&](const char* path, int value) {
    if (value != 1) settings.push_back(fmt::format("{}=1", path));
  };
  add("parallelism.tp", parallelism.tp);
  add("parallelism.cp", parallelism.cp);
  add("parallelism.ep", parallelism.ep);
  add("parallelism.pp", parallelism.pp);
  add("parallelism.virtual_stages", parallelism.virtual_stages);
  add("workload.micro_batch", scenario.workload.micro_batch);
  return settings;
}

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

core::Node for_any_number(const core::Node& tree, const simulation::Scenario& scenario) {
  const simulation::Goals& goals = *scenario.goals;
  std::vector<std::string> settings = plain_configuration(scenario);
  if (goals.max_global_batch) {
    settings.push_back(fmt::format("search.max_global_batch={}", *goals.max_global_batch));
  } else {
    settings.push_back(fmt::format("search.global_batch=[{}]", scenario.workload.global_batch));
  }
  if (!scenario.search) {
    for (std::string& setting : recipe_space(scenario)) settings.push_back(std::move(setting));
  }
  if (scenario.cluster.storage && !scenario.run.targets) settings.emplace_back("run.targets={}");
  return simulation::with_settings(tree, settings);
}

/// Returns the goal in tokens; 0 if the workload's steps are the goal.
double goal_tokens(const simulation::Goals& goals, const models::Training& workload) {
  if (!goals.tokens_per_parameter) return goals.tokens.value_or(0.0);
  return *goals.tokens_per_parameter * static_cast<double>(models::num_parameters(workload.model));
}

std::int64_t steps_of(const simulation::Goals& goals, const models::Training& workload) {
  const double tokens = goal_tokens(goals, workload);
  if (tokens == 0.0) return workload.steps;
  return std::llround(std::ceil(tokens / static_cast<double>(models::tokens_per_step(workload))));
}

/// Whether variants change what `is_of` says of a setting.
template <class IsOf>
bool variants_change(const simulation::Scenario& scenario, const IsOf& is_of) {
  return scenario.search &&
         std::ranges::any_of(scenario.search->variants, [&](const simulation::Variant& variant) {
           return std::ranges::any_of(variant.set, is_of);
         });
}

/// Whether variants differ in samples or sites, so that they share no limit per sample.
bool changes_samples(const simulation::Scenario& scenario) {
  return variants_change(scenario, [](const std::string& setting) {
    return setting.starts_with("workload") || setting.starts_with("installation");
  });
}

/// Returns the samples of the whole training; nullopt if they depend on the batch that is found.
std::optional<double> goal_samples(const simulation::Goals& goals,
                                   const models::Training& workload) {
  const auto batch = static_cast<double>(workload.global_batch);
  const double tokens = goal_tokens(goals, workload);
  if (tokens > 0.0) return tokens * batch / static_cast<double>(models::tokens_per_step(workload));
  if (goals.max_global_batch) return {};
  return batch * static_cast<double>(workload.steps);
}

/// Returns the longest step time per sample that keeps the deadline without checkpoints and
/// failures. Below a confidence of 0.5 there is no such limit, since their spread helps there.
std::optional<core::Duration> max_time_per_sample(const simulation::Scenario& scenario) {
  const simulation::Goals& goals = *scenario.goals;
  const std::optional<double> samples = goal_samples(goals, scenario.workload);
  if (goals.confidence < 0.5 || !samples || changes_samples(scenario)) return {};
  return goals.deadline / *samples /
         site_factor(scenario.installation.step_time_low.value,
                     scenario.installation.step_time_high.value, goals.confidence);
}

/// Returns the highest rate of products in precisions no narrower than the software's.
core::ComputeRate highest_rate(const simulation::Scenario& scenario) {
  core::ComputeRate highest;
  for (const auto& [name, precision] : core::EnumNames<core::Precision>::kNames) {
    if (core::bytes_of(precision) < core::bytes_of(scenario.software.precision.value)) continue;
    const auto rate = scenario.cluster.node.accelerator.peak_rate(precision);
    if (rate) highest = std::max(highest, *rate);
  }
  return highest;
}

/// Returns a lower bound: fewer nodes take longer than that per sample even at the highest rate.
/// Variants of anything but the layout share no bound.
double min_nodes_for(core::Duration time_per_sample, const simulation::CheckedScenario& checked) {
  const simulation::Scenario& scenario = checked.scenario;
  if (variants_change(scenario, [](const std::string& setting) {
        return !setting.starts_with("parallelism.");
      })) {
    return 1.0;
  }
  const core::Work of_step =
      simulation::step_work(scenario.workload, checked.layout, scenario.software).causal;
  const core::Duration of_sample =
      of_step / static_cast<double>(scenario.workload.global_batch) / highest_rate(scenario);
  return of_sample / time_per_sample / scenario.cluster.node.num_accelerators.value;
}

std::string too_much(std::string_view what, const std::string& needed, const std::string& most) {
  return fmt::format("{} {}, {} at most", what, needed, most);
}

}  // namespace

Trials::Trials(const core::Node& tree, const core::Catalogue& catalogue, const SizeOption& option,
               const SizeOptions& options)
    : catalogue_(catalogue), option_(option), options_(options) {
  const core::Node with_parts = simulation::with_settings(tree, option.settings);
  const simulation::CheckedScenario checked = simulation::read_scenario(with_parts, catalogue);
  scenario_ = checked.scenario;
  goals_ = *scenario_.goals;
  base_ = for_any_number(with_parts, scenario_);
  max_time_per_sample_ = max_time_per_sample(scenario_);
  if (max_time_per_sample_) min_nodes_ = min_nodes_for(*max_time_per_sample_, checked);
}

const Trial& Trials::at(int num_nodes) {
  const auto known = trials_.find(num_nodes);
  if (known != trials_.end()) return known->second;
  tell(num_nodes);
  return trials_.emplace(num_nodes, make(num_nodes)).first->second;
}

void Trials::tell(int num_nodes) {
  if (!options_.progress) return;
  if (counted_) {
    options_.progress(counted_->what, counted_->done++, counted_->most);
  } else {
    options_.progress(option_.name, num_nodes, goals_.parts.max_nodes);
  }
}

core::Node Trials::tree_at(int num_nodes) const {
  const int num_accelerators = num_nodes * scenario_.cluster.node.num_accelerators.value;
  // One sequence per accelerator is legal for any number; the search replaces it.
  return simulation::with_settings(
      base_, {nodes_setting(num_nodes), fmt::format("workload.global_batch={}", num_accelerators)});
}

std::string Trials::give_switches(core::Node& tree) const {
  const FrontEndSwitches switches = front_end_switches(tree, catalogue_);
  tree = simulation::with_settings(std::move(tree), switches.settings);
  return switches.missing;
}

void Trials::give_storage(core::Node& tree, simulation::SimulationResult& result,
                          std::string& why_not) const {
  constexpr int kMaxRounds = 4;
  int count = 0;
  for (const simulation::StorageNeed& need : result.run.needs) {
    count = std::max(count, need.num_nodes);
    if (need.num_nodes > 0) continue;
    why_not = fmt::format("no number of {} holds the target of {}, limited by the {}",
                          scenario_.cluster.storage->node.name, need.target, need.limit);
    return;
  }
  for (int round = 0; round < kMaxRounds && count > 0; ++round) {
    core::set_path(tree, fmt::format("cluster.storage.count={}", count));
    why_not = give_switches(tree);
    if (!why_not.empty()) return;
    result = simulation::simulate(simulation::read_scenario(tree, catalogue_));
    if (result.feasible() || result.run.storage.max_used <= result.run.storage.usable) return;
    count = static_cast<int>(
        std::ceil(count * (result.run.storage.max_used / result.run.storage.usable)));
    count = std::min(count, scenario_.cluster.storage->node.max_nodes.value);
  }
}

void Trials::give_spares(core::Node& tree, simulation::SimulationResult& result) const {
  // The file's own number of nodes does not limit the spares of this one.
  const simulation::Scenario scenario = simulation::read_scenario(tree, catalogue_).scenario;
  const int spares = simulation::spares_for(scenario, result.run.job());
  if (spares <= scenario_.run.num_spares) return;
  core::set_path(tree, fmt::format("run.num_spares={}", spares));
  result = simulation::simulate(simulation::read_scenario(tree, catalogue_));
}

Trial Trials::make(int num_nodes) const {
  // With storage targets, tries enough configurations to include other numbers of writers.
  const int num_tried = scenario_.cluster.storage && scenario_.run.targets ? 40 : 3;
  Trial trial;
  core::Node tree = tree_at(num_nodes);
  trial.why_not = give_switches(tree);
  if (!trial.why_not.empty()) return trial;
  const SearchResult found = search(tree, catalogue_,
                                    {.num_best = num_tried,
                                     .num_simulated = 0,
                                     .max_time_per_sample = max_time_per_sample_,
                                     .num_threads = options_.num_threads,
                                     .progress = {}});
  if (!found.feasible()) return without_cluster(found);
  std::set<int> writers;  // numbers with which a storage target is missed
  for (const SearchEntry& entry : found.best) {
    const int num_writers = entry.configuration.tp * entry.configuration.pp;
    if (writers.contains(num_writers)) continue;
    Trial made = with(tree, entry, num_nodes);
    if (made.cluster) return made;
    writers.insert(num_writers);
    if (trial.why_not.empty()) trial = std::move(made);
  }
  return trial;
}

Trial Trials::without_cluster(const SearchResult& found) const {
  Trial trial;
  if (found.min_time_per_sample) {
    trial.shortage = *found.min_time_per_sample / *max_time_per_sample_;
    trial.why_not =
        fmt::format("{} at {:.0f} % confidence by computation alone, {} too late",
                    to_text(goals_.deadline * trial.shortage), 100.0 * goals_.confidence,
                    to_text(goals_.deadline * (trial.shortage - 1.0)));
    return trial;
  }
  trial.lacks_memory = found.min_memory.has_value();
  trial.why_not =
      trial.lacks_memory
          ? fmt::format("no configuration fits: the one of least memory takes {} of {}",
                        to_text(found.min_memory->estimate.memory), to_text(found.memory_capacity))
          : std::string("no configuration divides layers, heads and batch");
  return trial;
}

/// Completes the cluster for this configuration: steps, storage nodes, spares and racks.
Trial Trials::with(core::Node tree, const SearchEntry& entry, int num_nodes) const {
  Trial trial;
  tree = simulation::with_settings(std::move(tree), entry.settings);
  const std::int64_t steps =
      steps_of(goals_, simulation::read_scenario(tree, catalogue_).scenario.workload);
  core::set_path(tree, fmt::format("workload.steps={}", steps));
  simulation::SimulationResult result =
      simulation::simulate(simulation::read_scenario(tree, catalogue_));
  give_storage(tree, result, trial.why_not);
  if (trial.why_not.empty() && result.feasible()) give_spares(tree, result);
  if (trial.why_not.empty() && !result.feasible()) trial.why_not = result.infeasible.front().what;
  if (!trial.why_not.empty()) return trial;
  const simulation::Scenario scenario = simulation::read_scenario(tree, catalogue_).scenario;
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
  const auto limit = [&](std::string why) {
    trial.is_too_large = true;
    if (trial.why_not.empty()) trial.why_not = std::move(why);
  };
  if (cluster.racks.nodes_per_rack == 0) {
    limit(fmt::format("a {} alone is too much for a rack of {} units and {}",
                      scenario.cluster.node.name, goals_.rack.units, to_text(goals_.rack.power)));
  }
  if (goals_.power && cluster.power() > *goals_.power) {
    limit(too_much("it draws", to_text(cluster.power()), to_text(*goals_.power)));
  }
  if (goals_.racks && cluster.racks.count() > *goals_.racks) {
    limit(too_much("it takes racks:", std::to_string(cluster.racks.count()),
                   std::to_string(*goals_.racks)));
  }
  if (goals_.budget && cluster.result.cost) {
    const core::Money cost = cluster.result.cost->ownership.total();
    if (cost > *goals_.budget) limit(too_much("it costs", to_text(cost), to_text(*goals_.budget)));
  }
}

std::string Trials::with_less_storage(const SizedCluster& cluster) const {
  const core::StorageNode& node = scenario_.cluster.storage->node;
  if (cluster.num_storage_nodes <= node.min_nodes.value) {
    return fmt::format("{} is the least of a {}", node.min_nodes.value, node.name);
  }
  core::Node tree = simulation::with_settings(base_, cluster.settings);
  core::set_path(tree, fmt::format("cluster.storage.count={}", cluster.num_storage_nodes - 1));
  const simulation::CheckedScenario checked = simulation::read_scenario(tree, catalogue_);
  const simulation::SimulationResult result = simulate(checked);
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
