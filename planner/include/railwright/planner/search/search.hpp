// SPDX-License-Identifier: Apache-2.0
// `search`: the best parallelism and batch settings of a job on a given cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/simulation/scenario/search_space.hpp"

namespace railwright::planner {

/// A configuration that was tried, with its rank order and variant.
struct SearchEntry {
  std::vector<std::string> settings;  ///< changes to the scenario, as for `--set`
  std::string variant;                ///< empty: none
  std::string rank_order;             ///< order of the dimensions over the accelerators
  simulation::Configuration configuration;
  int dp = 1;
  simulation::Estimate estimate;
  std::optional<core::Duration> simulated;  ///< step time by events and flows
  /// The objective for the estimated step: seconds, joules of the building or USD.
  double value_per_sample = 0.0;

  /// The simulated step time if there is one, else the estimate.
  [[nodiscard]] core::Duration step_time() const { return simulated.value_or(estimate.step_time); }
  [[nodiscard]] double samples_per_s() const;
};

/// Number of points of a search space that passed each stage.
struct SearchCounts {
  std::int64_t points = 0;     ///< combinations of the dimensions' values
  std::int64_t legal = 0;      ///< points whose numbers divide
  std::int64_t fitting = 0;    ///< points that fit into an accelerator's memory
  std::int64_t estimated = 0;  ///< the others were pruned by a lower bound on step time
  std::int64_t transfers = 0;  ///< sets of transfers computed for the estimates
};

struct SearchResult {
  std::string name;
  simulation::Objective objective = simulation::Objective::kThroughput;
  int num_accelerators = 0;
  core::DataSize memory_capacity;
  std::optional<simulation::Basis> basis;
  double step_time_low =
      1.0;  ///< factor on any step time; a tenth of sites is below, see Installation
  double step_time_high = 1.0;  ///< a tenth of sites is above
  SearchCounts counts;
  std::vector<SearchEntry> best;   ///< the best first; empty where nothing fits
  std::vector<SearchEntry> front;  ///< Pareto front of step time and memory, fastest first
  std::optional<SearchEntry> own;  ///< the unchanged scenario, if it fits
  /// Configuration that needs the least memory, if nothing fits.
  std::optional<SearchEntry> min_memory;
  /// Lower bound on step time per sample, if all that fit are slower than SearchOptions allow.
  std::optional<core::Duration> min_time_per_sample;

  [[nodiscard]] bool feasible() const { return !best.empty(); }
};

struct SearchOptions {
  int num_best = 10;
  int num_simulated = 3;  ///< of the best, simulated by events; for throughput sorted by these
                          ///< times
  bool front = false;
  /// Step time per sample; configurations with a lower bound above it are skipped.
  std::optional<core::Duration> max_time_per_sample;
  int num_threads = 0;  ///< 0: as many as there are cores
  /// Called now and then with what is being done, and how much of how much.
  ProgressFunction progress;
};

/// Tries every point of the scenario's `search`. A point that does not fit costs a look at the
/// memory of its stages; one whose computation alone takes longer than the best found is pruned
/// without its transfers. The result is that of estimating every point, for any number of threads.
/// Throws ConfigError.
SearchResult search(const core::Node& tree, const core::Catalogue& catalogue,
                    const SearchOptions& options = {});

}  // namespace railwright::planner
