// SPDX-License-Identifier: Apache-2.0
// `size`: goals in, a cluster out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/planner/ranges/hangs_on.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/goals.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// Racks of a cluster. A rack of nodes holds as many as its units and power allow; other equipment
/// has racks of its own.
struct Racks {
  int nodes_per_rack = 0;  ///< 0: a single node exceeds a rack
  int of_nodes = 0;
  int of_others = 0;
  core::Power largest;  ///< power of the fullest rack with all nodes computing

  [[nodiscard]] int count() const { return of_nodes + of_others; }
};

/// A cluster, the job on it, and how it meets the goals.
struct SizedCluster {
  std::string option;                 ///< "xe9680-h100, 8 NICs"
  std::vector<std::string> settings;  ///< changes to the scenario, as for `--set`
  int num_nodes = 0;
  int num_spares = 0;
  int num_storage_nodes = 0;
  SearchEntry configuration;
  simulation::SimulationResult result;
  Racks racks;
  core::Duration training_time;        ///< at the confidence of the goals
  double deadline_probability = 0.0;   ///< 1 where there is no deadline
  double tokens = 0.0;                 ///< that it trains on; 0 for images
  std::vector<HangsOn> hangs_on = {};  ///< of the smallest clusters alone

  [[nodiscard]] core::Power power() const { return result.power->peak_power(); }
};

/// A smaller cluster and the goal that it misses.
struct StepDown {
  std::string what;    ///< "one node less"
  std::string misses;  ///< "31.2 days, 1.2 days too late"
};

/// A cluster that meets the goals, and why no smaller one does.
struct Sized {
  SizedCluster cluster;
  std::string binds;
  std::vector<StepDown> steps_down;
};

/// A combination of parts with which no cluster meets the goals.
struct Missed {
  std::string option;
  std::string why;  ///< the missed goal, and by how much
};

/// Simulations that a sizing took, by kind.
struct SizeCounts {
  int clusters = 0;  ///< simulated as a whole, again for other storage and spares too
  int replicas = 0;  ///< steps of one replica by events
  int runs = 0;      ///< with their failures and storage, of a step time that is a lower bound
};

struct SizingResult {
  std::string name;
  simulation::Sought find = simulation::Sought::kSmallest;
  core::Duration deadline;  ///< of most tokens the time there is; 0 where there is none
  double confidence = 0.0;  ///< confidence that the goals ask for
  std::optional<core::Money> budget;
  bool has_cost = false;
  bool has_failures = false;  ///< the scenario has `reliability`
  std::vector<Sized> sized;   ///< the smallest of each option, in the order of options
  std::vector<Missed> missed;
  /// Parts without a price that decide which cluster is cheapest: the costs are not comparable.
  std::vector<std::string> unpriced;
  /// The cheapest cluster if costs are comparable, else that of the fewest nodes, or the fastest if
  /// the goals seek that: an index into `sized`, nothing where it is empty, as `min_power`.
  std::optional<std::size_t> chosen;
  std::optional<std::size_t> min_power;
  /// The cluster within the limits that trains fastest of those tried.
  std::optional<SizedCluster> fastest;
  SizeCounts counts;

  [[nodiscard]] bool feasible() const { return !sized.empty(); }
  /// Whether the goals ask for the smallest cluster that keeps a deadline.
  [[nodiscard]] bool has_deadline() const { return find == simulation::Sought::kSmallest; }
  /// Whether `chosen` is the cheapest.
  [[nodiscard]] bool is_by_cost() const { return has_deadline() && has_cost && unpriced.empty(); }
};

struct SizeOptions {
  int num_threads = 0;  ///< 0: as many as there are cores
  /// Called now and then with what is being tried.
  ProgressFunction progress;
};

/// Finds, for each combination of parts that the scenario's `goals` allow, the fewest nodes that
/// meet them, or within their limits those that train soonest or on the most tokens, with the best
/// configuration, the fewest storage nodes and the spares. The configuration comes from `search`,
/// the times from simulation. Throws ConfigError.
SizingResult size(const core::Node& tree, const core::Catalogue& catalogue,
                  const SizeOptions& options = {});

/// Returns the outputs of the chosen cluster; nothing if none meets the goals.
std::vector<simulation::Output> outputs(const SizingResult& result);

}  // namespace railwright::planner
