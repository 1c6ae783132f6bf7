// SPDX-License-Identifier: Apache-2.0
// Clusters of one option by number of nodes, each the best that is found, checked against the
// goals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "../search/search_part.hpp"
#include "attempts.hpp"
#include "options.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/known_steps.hpp"

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
  Trials(const core::Node& tree, const core::Catalogue& catalogue, const SizeOption& option,
         const SizeOptions& options);

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

  void tell(int num_nodes);
  [[nodiscard]] Trial make(int num_nodes, Wanted wanted) const;
  [[nodiscard]] bool all_are_late(const simulation::ScenarioSource& source) const;
  [[nodiscard]] bool meets_by_events(const simulation::ScenarioSource& source,
                                     const SearchEntry& entry) const;
  [[nodiscard]] core::Duration least_simulated(const simulation::ScenarioSource& source,
                                               const SearchEntry& entry) const;
  [[nodiscard]] SearchResult best_configurations(const simulation::ScenarioSource& source,
                                                 const Attempts& attempts) const;
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
  [[nodiscard]] core::Duration step_time_of(const simulation::ScenarioSource& source,
                                            const SearchEntry& entry) const;
  [[nodiscard]] Trial without_cluster(const SearchResult& found) const;
  [[nodiscard]] Trial with(const simulation::ScenarioSource& base, const SearchEntry& entry) const;
  [[nodiscard]] SearchOptions search_options(int num_best) const;
  /// Searches configurations of the source's nodes, with the tables of the last search on as many.
  [[nodiscard]] SearchResult search_at(const simulation::ScenarioSource& source, int num_best,
                                       SearchPart part) const;
  [[nodiscard]] simulation::ScenarioSource source_at(int num_nodes) const;
  /// Adds front-end switches until all can be plugged in; returns what is missing still, or "".
  [[nodiscard]] static std::string give_switches(simulation::ScenarioSource& source);
  [[nodiscard]] std::string no_number_holds(const simulation::StorageNeed& need) const;
  [[nodiscard]] std::string unheld_target(const simulation::CheckedScenario& checked,
                                          core::Duration step_time) const;
  void give_storage(simulation::ScenarioSource& source, simulation::SimulationResult& result,
                    std::string& why_not) const;
  void give_spares(simulation::ScenarioSource& source, simulation::SimulationResult& result) const;
  void judge(const simulation::Scenario& scenario, Trial& trial) const;

  const core::Catalogue& catalogue_;
  const SizeOption& option_;
  const SizeOptions& options_;
  simulation::Scenario scenario_;
  std::optional<simulation::ScenarioSource> base_;  ///< legal on any number of nodes
  simulation::Goals goals_;
  std::optional<core::Duration> time_;  ///< that is to be filled, where the most tokens are sought
  double time_ratio_ = 1.0;             ///< of a run over its steps alone, where it is known
  std::optional<core::Duration> max_time_per_sample_;  ///< longest that keeps the deadline
  double min_nodes_ = 1.0;
  std::map<int, Trial> trials_;
  mutable LeastWorks least_works_;
  mutable int evaluators_of_ = 0;  ///< nodes of `evaluators_`
  mutable std::vector<ConfigurationEvaluator> evaluators_;
  mutable simulation::KnownSteps known_steps_;  ///< of trials with other storage and spares
  std::optional<Counted> counted_;
};

}  // namespace railwright::planner
