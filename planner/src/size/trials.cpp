// SPDX-License-Identifier: Apache-2.0
#include "trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "../search/recipe_space.hpp"
#include "fabric_room.hpp"
#include "goal_limits.hpp"
#include "nodes_setting.hpp"
#include "plain_configuration.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/planner/so_far.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/simulation/step/least_simulated_time.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/simulate_known.hpp"
#include "sought.hpp"

namespace railwright::planner {

namespace {

using core::to_text;

/// Largest part by which events are faster than the closed form, but for crowded links.
constexpr double kMaxGain = 0.045;

/// Whatever the objective, the fastest configurations keep the deadline soonest.
simulation::ScenarioSource for_throughput(const simulation::ScenarioSource& source) {
  const simulation::Change fastest{"search.objective=throughput", [](simulation::Scenario& s) {
                                     if (!s.search) s.search.emplace();
                                     s.search->objective = simulation::Objective::kThroughput;
                                   }};
  return source.with(std::span(&fastest, 1));
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

/// Returns whether a trial is the better one: first comes one that meets the goals, then one that
/// is too large but in time, then the least late.
bool is_better(const Trial& trial, const Trial& than) {
  const auto rank = [](const Trial& one) {
    if (one.meets()) return 3;
    if (!one.cluster) return 0;
    return one.is_late() ? 1 : 2;
  };
  if (rank(trial) != rank(than)) return rank(trial) > rank(than);
  if (!trial.cluster) return false;
  if (trial.is_late()) return trial.shortage < than.shortage;
  return trial.cluster->num_storage_nodes < than.cluster->num_storage_nodes;
}

}  // namespace

Trials::Trials(const core::Node& tree, const core::Catalogue& catalogue, const SizeOption& option,
               const SizeOptions& options, SizeCounts& counts)
    : catalogue_(catalogue), option_(option), options_(options), counts_(counts) {
  const core::Node with_parts = simulation::with_settings(tree, option.settings);
  const simulation::CheckedScenario checked = simulation::read_scenario(with_parts, catalogue);
  scenario_ = checked.scenario;
  const simulation::Sought what = sought(*scenario_.goals);
  if (what == simulation::Sought::kMostTokens) time_ = time_there_is(scenario_);
  scenario_.goals->deadline = what == simulation::Sought::kSmallest
                                  ? time_there_is(scenario_).value_or(kNoDeadline)
                                  : kNoDeadline;
  goals_ = *scenario_.goals;
  base_.emplace(for_any_number(with_parts, scenario_), catalogue);
  max_time_per_sample_ = max_time_per_sample(scenario_);
  if (max_time_per_sample_) min_nodes_ = min_nodes_for(*max_time_per_sample_, checked);
}

const Trial& Trials::at(int num_nodes) {
  const auto known = trials_.find(num_nodes);
  if (known != trials_.end()) return known->second;
  tell(num_nodes);
  return trials_.emplace(num_nodes, make(num_nodes, Wanted::kFirst)).first->second;
}

void Trials::take_fewest_storage_nodes(int num_nodes) {
  Trial& trial = trials_.at(num_nodes);
  if (is_wanted(trial, Wanted::kFewestStorageNodes)) return;
  trial = make(num_nodes, Wanted::kFewestStorageNodes);
}

void Trials::fill_time(int num_nodes) {
  if (!time_) return;
  time_ratio_ = trials_.at(num_nodes).cluster->training_time / *time_;
  Trial filled = make(num_nodes, Wanted::kFirst);
  time_ratio_ = 1.0;
  if (filled.meets()) trials_.at(num_nodes) = std::move(filled);
}

void Trials::tell(int num_nodes) {
  if (!options_.progress) return;
  if (counted_) {
    options_.progress(counted_->what, counted_->done++, counted_->most);
  } else {
    options_.progress(option_.name, num_nodes, goals_.parts.max_nodes);
  }
}

void Trials::tell_by_estimate() {
  if (!max_time_per_sample_) return;
  const int most = goals_.parts.max_nodes;
  // Eight numbers for each doubling, which divide powers of two.
  const auto step_at = [](int n) {
    return std::max(1, static_cast<int>(std::bit_floor(static_cast<unsigned>(n)) / 8));
  };
  const int least = std::max(1, static_cast<int>(std::min(min_nodes_, 1.0 * most)));
  for (int n = core::ceil_div(least, step_at(least)) * step_at(least); n <= most; n += step_at(n)) {
    simulation::ScenarioSource source = source_at(n);
    if (!give_switches(source).empty()) return;
    source = for_throughput(source);
    const SearchResult found =
        search_at(source, 1, {.least_works = &least_works_, .drops_by_transfers = true});
    if (!found.feasible()) continue;
    const SearchEntry& best = found.best.front();
    const core::Duration time = time_of_steps(best, best.estimate.step_time);
    if (time > goals_.deadline) continue;
    tell_so_far(options_.progress, fmt::format("{} node{}, {} of steps by estimate ({})", n,
                                               n == 1 ? "" : "s", to_text(time), option_.name));
    return;
  }
}

simulation::ScenarioSource Trials::source_at(int num_nodes) const {
  const int num_accelerators = num_nodes * scenario_.cluster.node.num_accelerators.value;
  // One sequence per accelerator is legal for any number; the search replaces it.
  const std::array<simulation::Change, 2> changes{
      nodes_change(num_nodes),
      {fmt::format("workload.global_batch={}", num_accelerators),
       [=](simulation::Scenario& s) { s.workload.global_batch = num_accelerators; }}};
  return base_->with(changes);
}

/// Whether so many nodes without storage can be plugged in. To build thousands takes longer than
/// what else is asked of most numbers: where twice as many can, so can all below.
bool Trials::can_be_plugged_in(int num_nodes) {
  if (num_nodes <= most_plugged_in_) return true;
  const auto can = [&](int n) {
    simulation::ScenarioSource source = source_at(n);
    return give_switches(source).empty();
  };
  const int ahead = std::max(num_nodes, std::min(2 * num_nodes, goals_.parts.max_nodes));
  if (ahead < least_without_ports_) {
    if (can(ahead)) {
      most_plugged_in_ = ahead;
      return true;
    }
    least_without_ports_ = ahead;
  }
  if (num_nodes >= least_without_ports_ || !can(num_nodes)) return false;
  most_plugged_in_ = num_nodes;
  return true;
}

bool Trials::surely_misses(int num_nodes) {
  if (!max_time_per_sample_ || trials_.contains(num_nodes)) return false;
  tell(num_nodes);
  simulation::ScenarioSource source = source_at(num_nodes);
  // Without storage no switches are given, and computation alone rules most numbers out.
  bool has_ports = !scenario_.cluster.storage || give_switches(source).empty();
  if (!has_ports) return false;
  source = for_throughput(source);
  SearchPart part{.least_works = &least_works_, .drops_by_transfers = true};
  if (!scenario_.cluster.storage) {
    part.may_use_fabric = [&] { return has_ports = can_be_plugged_in(num_nodes); };
  }
  const SearchResult found = search_at(source, 1, part);
  if (!has_ports) return false;
  if (!found.feasible()) return true;
  const bool is_by_time =
      !scenario_.search || scenario_.search->objective == simulation::Objective::kThroughput;
  if (!is_by_time) return false;  // others are tried before the fastest
  const SearchEntry& best = found.best.front();
  if (time_of_steps(best, least_time_of(best)) <= goals_.deadline) {
    return all_are_late(source, found);
  }
  // If links are crowded, the estimate may be off by more: events tell.
  const double error = std::min(1.0, best.estimate.error_bound);
  const auto is_late = [&](core::Duration step_time) {
    return time_of_steps(best, step_time) > goals_.deadline;
  };
  return is_late(best.estimate.step_time * (1.0 - error)) ||
         is_late(least_simulated(source, best)) || is_late(step_time_of(source, best));
}

/// Whether none of the configurations meets the goals whose estimates do not tell. `found` has the
/// first of them; a few more are asked for at a time.
bool Trials::all_are_late(const simulation::ScenarioSource& source, SearchResult found) const {
  constexpr int kMost = 1024;
  int num_best = 1;
  for (std::size_t tried = 0; num_best <= kMost;) {
    for (; tried < found.best.size(); ++tried) {
      const SearchEntry& entry = found.best[tried];
      if (time_of_steps(entry, least_time_of(entry)) > goals_.deadline) return true;
      if (!surely_misses(source, entry)) return false;
    }
    if (std::ssize(found.best) < num_best) return true;
    num_best *= 4;
    if (num_best > kMost) return false;
    found = search_at(source, num_best, {.least_works = &least_works_});
  }
  return false;
}

bool Trials::surely_misses(const simulation::ScenarioSource& source,
                           const SearchEntry& entry) const {
  const auto is_late = [&](core::Duration step_time) {
    return takes_longer(source, entry, step_time, goals_.deadline);
  };
  if (is_first_of_writers(entry) &&
      time_of_steps(entry, least_simulated(source, entry)) > goals_.deadline) {
    return true;
  }
  return is_late(least_time_of(entry)) || is_late(least_simulated(source, entry)) ||
         is_late(step_time_of(source, entry));
}

bool Trials::is_of_no_use(const simulation::ScenarioSource& source, const SearchEntry& entry,
                          const Attempts& attempts, const std::optional<Trial>& best) const {
  if (!best || goals_.deadline == kNoDeadline) return false;
  const bool is_known = attempts.overhead(entry).has_value();
  if (!is_known && !best->cluster) return false;
  const core::Duration allowed =
      is_known || !best->is_late() ? goals_.deadline : best->cluster->training_time;
  const auto is_later = [&](core::Duration step_time) {
    return (is_known && !may_keep_deadline(entry, step_time, attempts)) ||
           takes_longer(source, entry, step_time, allowed);
  };
  return is_later(least_time_of(entry)) || is_later(least_simulated(source, entry)) ||
         (is_known && is_later(step_time_of(source, entry)));
}

/// Whether nothing was asked of its writers on these nodes yet. The events of one replica take less
/// time than a run, which all configurations of the same writers share.
bool Trials::is_first_of_writers(const SearchEntry& entry) const {
  const Attempts::Writers writers = Attempts::writers_of(entry);
  if (runs_.contains(writers)) return false;
  const auto next = least_simulated_.lower_bound({writers, simulation::KnobNumbers{}});
  return next == least_simulated_.end() || std::get<Attempts::Writers>(next->first) != writers;
}

/// Returns a lower bound of the step time that events give, from those of one replica; 0 if nodes
/// are scattered, whose steps are means over several places.
core::Duration Trials::least_simulated(const simulation::ScenarioSource& source,
                                       const SearchEntry& entry) const {
  const auto [known, is_new] = least_simulated_.try_emplace(Attempts::key_of(entry));
  if (!is_new) return known->second;
  const simulation::CheckedScenario checked = source_of(source, entry).checked_without_basis();
  if (checked.scenario.cluster.placement.order != topologies::PlacementOrder::kPacked) return {};
  ++counts_.replicas;
  known->second = simulation::least_simulated_time(checked, built_for_steps(checked, entry).fabric);
  return known->second;
}

SearchOptions Trials::search_options(int num_best) const {
  std::optional<core::Duration> closed_form_limit = max_time_per_sample_;
  if (closed_form_limit) closed_form_limit = *closed_form_limit / (1.0 - kMaxGain);
  return {.num_best = num_best,
          .num_simulated = 0,
          .max_time_per_sample = closed_form_limit,
          .num_threads = options_.num_threads,
          .progress = {}};
}

/// Tries configurations, the best first, until one meets the goals. One that misses a target of
/// storage, or whose checkpoints cost too much, leaves the others to be tried.
Trial Trials::make(int num_nodes, Wanted wanted) const {
  Trial trial;
  simulation::ScenarioSource source = source_at(num_nodes);
  trial.why_not = give_switches(source);
  trial.lacks_ports = !trial.why_not.empty();
  if (trial.lacks_ports) return trial;
  Attempts attempts;
  // The very best is mostly enough; with storage targets, enough of the others to include other
  // writers of checkpoints.
  bool is_first = wanted == Wanted::kFirst;
  const int num_best = scenario_.cluster.storage && scenario_.run.targets ? 40 : 12;
  SearchResult found = best_configurations(source, attempts, is_first ? 1 : num_best);
  // The reason is what all of them lack.
  if (!found.feasible()) return without_cluster(search_at(source, 1, {}));
  std::optional<Trial> best;
  while (found.feasible() && try_all(found, source, wanted, attempts, best)) {
    if (is_wanted(*best, wanted)) break;
    if (!std::exchange(is_first, false)) source = for_throughput(source);
    found = best_configurations(source, attempts, num_best);
  }
  return std::move(*best);
}

SearchResult Trials::best_configurations(const simulation::ScenarioSource& source,
                                         const Attempts& attempts, int num_best) const {
  const SearchPart part{.may_be_best =
                            [&](std::string_view variant, std::string_view rank_order,
                                const simulation::Configuration& configuration) {
                              return attempts.is_left(variant, rank_order, configuration);
                            },
                        .least_works = &least_works_};
  return search_at(source, num_best, part);
}

SearchResult Trials::search_at(const simulation::ScenarioSource& source, int num_best,
                               SearchPart part) const {
  const int num_nodes = source.fields().cluster.num_nodes;
  if (std::exchange(evaluators_of_, num_nodes) != num_nodes) {
    evaluators_.clear();
    shared_.clear();
    least_simulated_.clear();
    runs_.clear();
  }
  part.evaluators = &evaluators_;
  return search_part(source, search_options(num_best), part);
}

bool Trials::try_all(const SearchResult& found, const simulation::ScenarioSource& source,
                     Wanted wanted, Attempts& attempts, std::optional<Trial>& best) const {
  const bool is_by_time = found.objective == simulation::Objective::kThroughput;
  bool is_slow = false;
  for (const SearchEntry& entry : found.best) {
    if (!attempts.is_left(entry)) continue;
    const core::Duration least = least_time_of(entry);
    is_slow = is_by_time && !may_keep_deadline(entry, least, {});
    if (best && best->meets() && !may_need_less_storage(source, entry, *best)) {
      attempts.close(entry);
      continue;
    }
    if (best && !may_keep_deadline(entry, least, attempts)) {
      is_by_time ? attempts.close(entry) : attempts.add(entry);
      continue;
    }
    attempts.add(entry);
    if (is_of_no_use(source, entry, attempts, best)) continue;
    Trial made = known_or_with(source, entry);
    const core::Duration steps_alone =
        made.is_late() ? time_of_steps(entry, made.cluster->result.step_time) : core::Duration();
    if (steps_alone.base() > 0.0) {
      attempts.set_overhead(entry, made.cluster->training_time / steps_alone);
    } else {
      attempts.close(entry);
    }
    if (!best || is_better(made, *best)) best = std::move(made);
    if (is_wanted(*best, wanted)) return true;
  }
  return !is_slow;
}

/// Whether no other configuration is preferred: it meets the goals, with the fewest storage nodes
/// if these are wanted, or exceeds limits that no fewer storage nodes keep.
bool Trials::is_wanted(const Trial& trial, Wanted wanted) const {
  if (!trial.meets() && !trial.is_too_large) return false;
  if (trial.meets() && wanted == Wanted::kFirst) return true;
  return trial.cluster->num_storage_nodes <= min_storage_nodes();
}

int Trials::min_storage_nodes() const {
  const auto& storage = scenario_.cluster.storage;
  return storage ? storage->node.min_nodes.value : 0;
}

core::Duration Trials::time_of_steps(const SearchEntry& entry, core::Duration step_time) const {
  if (changes_samples(scenario_)) return {};
  models::Training workload = scenario_.workload;
  workload.global_batch = entry.configuration.global_batch;
  return step_time * static_cast<double>(steps_of(goals_, workload)) * site_factor_of(scenario_);
}

/// Takes the overhead of configurations with the same writers where it is known; without it, steps
/// alone decide, but below a confidence of 0.5, where the spread of failures helps.
bool Trials::may_keep_deadline(const SearchEntry& entry, core::Duration step_time,
                               const Attempts& attempts) const {
  const std::optional<double> overhead = attempts.overhead(entry);
  if (!overhead && goals_.confidence < 0.5) return true;
  return time_of_steps(entry, step_time) * overhead.value_or(1.0) <= goals_.deadline;
}

core::Duration Trials::least_time_of(const SearchEntry& entry) {
  return entry.estimate.step_time * (1.0 - kMaxGain);
}

core::Duration Trials::step_time_of(const simulation::ScenarioSource& source,
                                    const SearchEntry& entry) const {
  const simulation::CheckedScenario checked = source_of(source, entry).checked_without_basis();
  return simulation::simulate_without_run(checked, built_for_steps(checked, entry), known_steps_)
      .step_time;
}

const topologies::BuiltCluster& Trials::built_for_steps(const simulation::CheckedScenario& checked,
                                                        const SearchEntry& entry) const {
  std::optional<topologies::BuiltCluster>& built = shared_by(entry).for_steps;
  if (!built) built = checked.topology->build(checked.scenario.cluster);
  return *built;
}

Trial Trials::without_cluster(const SearchResult& found) const {
  Trial trial;
  if (found.min_time_per_sample) {
    trial.shortage = *found.min_time_per_sample / *max_time_per_sample_;
    trial.why_not =
        fmt::format("{} at {:.0f} % confidence even without transfers, {} too late",
                    to_text(goals_.deadline * trial.shortage), 100.0 * goals_.confidence,
                    to_text(goals_.deadline * (trial.shortage - 1.0)));
    return trial;
  }
  trial.lacks_memory = found.min_memory.has_value();
  trial.lacks_division = !trial.lacks_memory;
  trial.why_not = trial.lacks_memory
                      ? fmt::format("no configuration fits: the one of least memory takes {} of {}",
                                    core::memory_text(found.min_memory->estimate.memory),
                                    core::memory_text(found.memory_capacity))
                      : std::string("no configuration divides layers, heads and batch");
  return trial;
}

int Trials::most_nodes_of_fabric(int too_many) const {
  return planner::most_nodes_of_fabric(too_many, [&](int num_nodes) {
    simulation::ScenarioSource source = source_at(num_nodes);
    return give_switches(source);
  });
}

}  // namespace railwright::planner
