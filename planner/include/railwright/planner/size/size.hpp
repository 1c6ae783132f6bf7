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
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Racks of a cluster. Those of nodes hold as many as their units and power allow; all else
/// stands in racks of its own.
struct Racks {
  int nodes_per_rack = 0;  ///< 0: one node alone is too much for a rack
  int of_nodes = 0;
  int of_others = 0;
  core::Power largest;  ///< of the fullest rack, all nodes computing

  [[nodiscard]] int count() const { return of_nodes + of_others; }
};

/// A cluster, the job on it, and what that comes to.
struct SizedCluster {
  std::string option;                 ///< "xe9680-h100, 8 NICs"
  std::vector<std::string> settings;  ///< that make it of the scenario, as for `--set`
  int num_nodes = 0;
  int num_spares = 0;
  int num_storage_nodes = 0;
  SearchEntry configuration;
  simulation::SimulationResult result;
  Racks racks;
  core::Duration training_time;  ///< at the confidence that the goals ask for
  double deadline_probability = 0.0;

  [[nodiscard]] core::Power power() const { return result.power->peak_power(); }
};

/// What one step down misses.
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

/// Parts with which no cluster meets the goals.
struct Missed {
  std::string option;
  std::string why;  ///< which goal, and by how much
};

struct SizingResult {
  std::string name;
  core::Duration deadline;
  double confidence = 0.0;   ///< asked for
  bool has_cost = false;     ///< else the cheapest is the one of fewest nodes
  std::vector<Sized> sized;  ///< the smallest of each option, in the order of the options
  std::vector<Missed> missed;
  /// Of `sized`; nothing where that is empty.
  std::optional<std::size_t> cheapest;
  std::optional<std::size_t> min_power;
  /// The largest within the limits, or what trains faster.
  std::optional<SizedCluster> fastest;

  [[nodiscard]] bool feasible() const { return !sized.empty(); }
};

struct SizeOptions {
  int num_threads = 0;  ///< 0: as many as there are cores
  /// Told now and then what is being tried.
  ProgressFunction progress;
};

/// Of each combination of the parts that the scenario's `goals` allow the fewest nodes, the best
/// configuration on them, the fewest storage nodes and the spares with which its job meets them.
/// The configuration comes from `search`, the times from simulation. Throws ConfigError.
SizingResult size(const core::Node& tree, const core::Catalogue& catalogue,
                  const SizeOptions& options = {});

/// Of the cheapest cluster; nothing where none meets the goals.
std::vector<simulation::Output> outputs(const SizingResult& result);

}  // namespace railwright::planner
