// SPDX-License-Identifier: Apache-2.0
// Clusters of one option by number of nodes, each the best that is found, checked against the
// goals.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../search/search_part.hpp"
#include "attempts.hpp"
#include "options.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/known_steps.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"

namespace railwright::planner {

struct Trial {
  /// Nothing if none can be built or holds the job, or if computation alone is too late.
  std::optional<SizedCluster> cluster;
  std::string why_not;    ///< the missed goal, and by how much; empty if none
  double shortage = 0.0;  ///< training time over deadline if it is late; else 0
  bool lacks_memory = false;
  bool lacks_division = false;   ///< nothing divides layers, heads and batch
  bool lacks_ports = false;      ///< more than can be plugged in
  bool is_too_large = false;     ///< too much power, too many racks or over budget
  bool stays_too_large = false;  ///< so are all clusters of more nodes

  [[nodiscard]] bool meets() const { return why_not.empty(); }
  [[nodiscard]] bool is_late() const { return shortage > 0.0; }
};

class Trials {
 public:
  /// All arguments but the tree must outlive the trials, which add what they take to `counts`.
  Trials(const core::Node& tree, const core::Catalogue& catalogue, const SizeOption& option,
         const SizeOptions& options, SizeCounts& counts);

  /// Returns the trial, from a cache after the first call.
  const Trial& at(int num_nodes);
  /// Whether it is known that no configuration meets the goals: computation takes too long, or the
  /// estimate by more than it can be off. Makes no trial.
  bool surely_misses(int num_nodes);
  /// Makes the trial again: of all configurations that meet the goals, that which takes the fewest
  /// storage nodes.
  void take_fewest_storage_nodes(int num_nodes);
  /// Makes the trial again with as many steps as fill the time there is, if the most tokens are
  /// sought.
  void fill_time(int num_nodes);
  /// Tells an answer for the time until there is one by events: the first of a few numbers of nodes
  /// whose steps keep the deadline by estimate.
  void tell_by_estimate();
  /// Makes progress count trials, `most` under the name `what`, in place of nodes.
  void count_trials(std::string what, int most) { counted_ = {std::move(what), 0, most}; }
  /// Returns the most nodes below `too_many` that can be plugged in; 0 if none can.
  [[nodiscard]] int most_nodes_of_fabric(int too_many) const;
  /// Says what the cluster with one storage node less misses.
  [[nodiscard]] std::string with_less_storage(const SizedCluster& cluster) const;
  /// Returns a lower bound: fewer nodes are late even at the accelerator's highest peak rate.
  [[nodiscard]] double min_nodes() const { return min_nodes_; }
  [[nodiscard]] const std::map<int, Trial>& known() const { return trials_; }
  [[nodiscard]] const SizeOption& option() const { return option_; }
  [[nodiscard]] const simulation::Scenario& scenario() const { return scenario_; }

 private:
  struct Counted {
    std::string what;
    int done = 0;
    int most = 0;
  };

  enum class Wanted : std::uint8_t { kFirst, kFewestStorageNodes };

  /// Clusters that trials of the same nodes share, by the number of storage nodes.
  struct Shared {
    simulation::BuiltByCount for_needs;  ///< with the switches of the fewest storage nodes
    simulation::BuiltByCount for_runs;
    std::optional<topologies::BuiltCluster> for_steps;
  };

  void tell(int num_nodes);
  [[nodiscard]] bool can_be_plugged_in(int num_nodes);
  [[nodiscard]] Trial make(int num_nodes, Wanted wanted) const;
  [[nodiscard]] bool all_are_late(const simulation::ScenarioSource& source,
                                  SearchResult found) const;
  /// Whether the configuration is late or holds no target of storage, which is known of it without
  /// a whole simulation.
  [[nodiscard]] bool surely_misses(const simulation::ScenarioSource& source,
                                   const SearchEntry& entry) const;
  /// Whether a whole simulation is of no use: it would be later than allowed, or than the best.
  [[nodiscard]] bool is_of_no_use(const simulation::ScenarioSource& source,
                                  const SearchEntry& entry, const Attempts& attempts,
                                  const std::optional<Trial>& best) const;
  [[nodiscard]] bool is_first_of_writers(const SearchEntry& entry) const;
  [[nodiscard]] core::Duration least_simulated(const simulation::ScenarioSource& source,
                                               const SearchEntry& entry) const;
  /// Whether the training takes longer than that, at the confidence of the goals, if a step takes
  /// no less than `step_time`: the steps alone do, or a run of them does with its failures and
  /// storage, where no step decides on the latter.
  [[nodiscard]] bool takes_longer(const simulation::ScenarioSource& source,
                                  const SearchEntry& entry, core::Duration step_time,
                                  core::Duration than) const;
  /// Returns the training time, at the confidence of the goals, of a run of such steps, which are
  /// not simulated; infinity where no storage holds its targets.
  [[nodiscard]] core::Duration time_of_run(const simulation::ScenarioSource& source,
                                           const SearchEntry& entry,
                                           core::Duration step_time) const;
  [[nodiscard]] SearchResult best_configurations(const simulation::ScenarioSource& source,
                                                 const Attempts& attempts, int num_best) const;
  /// Tries these in their order. Returns whether slower ones may keep the deadline, or whether one
  /// of these does.
  bool try_all(const SearchResult& found, const simulation::ScenarioSource& source, Wanted wanted,
               Attempts& attempts, std::optional<Trial>& best) const;
  /// Whether the configuration may hold the targets on fewer storage nodes than the trial.
  [[nodiscard]] bool may_need_less_storage(const simulation::ScenarioSource& source,
                                           const SearchEntry& entry, const Trial& than) const;
  [[nodiscard]] bool is_wanted(const Trial& trial, Wanted wanted) const;
  [[nodiscard]] int min_storage_nodes() const;
  /// Returns the training time of these steps alone, at the confidence of the goals; 0 if variants
  /// change it.
  [[nodiscard]] core::Duration time_of_steps(const SearchEntry& entry,
                                             core::Duration step_time) const;
  [[nodiscard]] bool may_keep_deadline(const SearchEntry& entry, core::Duration step_time,
                                       const Attempts& attempts) const;
  /// Lower bound of the step time that events give for an estimate, unless links are crowded.
  [[nodiscard]] static core::Duration least_time_of(const SearchEntry& entry);
  [[nodiscard]] const topologies::BuiltCluster& built_for_steps(
      const simulation::CheckedScenario& checked, const SearchEntry& entry) const;
  [[nodiscard]] core::Duration step_time_of(const simulation::ScenarioSource& source,
                                            const SearchEntry& entry) const;
  [[nodiscard]] Trial without_cluster(const SearchResult& found) const;
  [[nodiscard]] Trial with(const simulation::ScenarioSource& base, const SearchEntry& entry) const;
  /// Returns the trial of these nodes that is known if it is of this configuration, else with().
  [[nodiscard]] Trial known_or_with(const simulation::ScenarioSource& base,
                                    const SearchEntry& entry) const;
  [[nodiscard]] simulation::Change steps_change(const simulation::ScenarioSource& source,
                                                const SearchEntry& entry) const;
  [[nodiscard]] Shared& shared_by(const SearchEntry& entry) const { return shared_[entry.variant]; }
  [[nodiscard]] SearchOptions search_options(int num_best) const;
  /// Searches configurations of the source's nodes, with the tables of the last search on as many.
  [[nodiscard]] SearchResult search_at(const simulation::ScenarioSource& source, int num_best,
                                       SearchPart part) const;
  [[nodiscard]] simulation::ScenarioSource source_at(int num_nodes) const;
  /// Adds front-end switches until all can be plugged in; returns what is missing still, or "".
  [[nodiscard]] static std::string give_switches(simulation::ScenarioSource& source);
  [[nodiscard]] std::string no_number_holds(const simulation::StorageNeed& need) const;
  /// Returns what each target needs where no step decides on that, else nothing.
  [[nodiscard]] std::vector<simulation::StorageNeed> known_needs(
      const simulation::CheckedScenario& checked, const SearchEntry& entry) const;
  /// Gives so many storage nodes, with their switches. Returns what is missing, or "".
  [[nodiscard]] static std::string give_storage_nodes(simulation::ScenarioSource& source,
                                                      int count);
  /// Returns the storage nodes that meet all targets; says which one none meets.
  [[nodiscard]] int storage_nodes_for(const std::vector<simulation::StorageNeed>& needs,
                                      std::string& why_not) const;
  [[nodiscard]] simulation::SimulationResult simulated(
      const simulation::ScenarioSource& source,
      const std::vector<simulation::StorageNeed>& needs) const;
  void give_room(simulation::ScenarioSource& source,
                 const std::vector<simulation::StorageNeed>& needs,
                 simulation::SimulationResult& result, std::string& why_not) const;
  void give_spares(simulation::ScenarioSource& source,
                   const std::vector<simulation::StorageNeed>& needs,
                   simulation::SimulationResult& result) const;
  void judge(const simulation::Scenario& scenario, Trial& trial) const;

  const core::Catalogue& catalogue_;
  const SizeOption& option_;
  const SizeOptions& options_;
  SizeCounts& counts_;
  simulation::Scenario scenario_;
  std::optional<simulation::ScenarioSource> base_;  ///< legal on any number of nodes
  simulation::Goals goals_;
  std::optional<core::Duration> time_;  ///< that is to be filled, where the most tokens are sought
  double time_ratio_ = 1.0;             ///< of a run over its steps alone, where it is known
  std::optional<core::Duration> max_time_per_sample_;  ///< longest that keeps the deadline
  double min_nodes_ = 1.0;
  int most_plugged_in_ = 0;  ///< nodes known to have ports, and the fewest known to have none
  int least_without_ports_ = std::numeric_limits<int>::max();
  std::map<int, Trial> trials_;
  mutable LeastWorks least_works_;
  mutable int evaluators_of_ = 0;  ///< nodes of `evaluators_` and of what is shared
  mutable std::vector<ConfigurationEvaluator> evaluators_;
  mutable std::map<std::string, Shared> shared_;  ///< by variant, of the same nodes
  mutable std::map<Attempts::Key, core::Duration> least_simulated_;  ///< of the same nodes
  /// A run that is known of some steps.
  struct KnownRun {
    core::Duration of_steps;  ///< alone
    core::Duration of_all;
  };
  mutable std::map<Attempts::Writers, KnownRun> runs_;  ///< by writers, of the same nodes
  mutable simulation::KnownSteps known_steps_;          ///< of trials with other storage and spares
  std::optional<Counted> counted_;
};

}  // namespace railwright::planner
