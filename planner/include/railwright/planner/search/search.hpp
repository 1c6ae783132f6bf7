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
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

/// One configuration that was tried, with its order and variant.
struct SearchEntry {
  std::vector<std::string> settings;  ///< that make it of the scenario, as for `--set`
  std::string variant;                ///< empty: none
  std::string rank_order;             ///< of the dimensions over the accelerators
  simulation::Configuration configuration;
  int dp = 1;
  simulation::Estimate estimate;
  std::optional<core::Duration> simulated;  ///< step time by events and flows
  /// What the objective counts, of the estimated step: seconds, joules of the building or USD.
  double value_per_sample = 0.0;

  /// Simulated where it was, else estimated.
  [[nodiscard]] core::Duration step_time() const { return simulated.value_or(estimate.step_time); }
  [[nodiscard]] double samples_per_s() const;
};

/// What became of the points of a space.
struct SearchCounts {
  std::int64_t points = 0;     ///< combinations of the dimensions' values
  std::int64_t legal = 0;      ///< whose numbers divide
  std::int64_t fitting = 0;    ///< in an accelerator's memory
  std::int64_t estimated = 0;  ///< the others cannot be among the best: computation alone says so
  std::int64_t transfers = 0;  ///< sets of transfers that these needed
};

struct SearchResult {
  std::string name;
  simulation::Objective objective = simulation::Objective::kThroughput;
  int num_accelerators = 0;
  core::DataSize memory_capacity;
  std::optional<simulation::Basis> basis;
  double step_time_low =
      1.0;  ///< times any step time: a tenth of sites is faster, see Installation
  double step_time_high = 1.0;  ///< a tenth is slower
  SearchCounts counts;
  std::vector<SearchEntry> best;   ///< the best first; empty where nothing fits
  std::vector<SearchEntry> front;  ///< no other is as fast with as little memory; the fastest first
  std::optional<SearchEntry> own;  ///< the scenario as it stands, where it fits
  /// Where nothing fits: what needs least memory.
  std::optional<SearchEntry> min_memory;
  /// Where all that fit are slower than SearchOptions allow: what no step of theirs is below, over
  /// its samples.
  std::optional<core::Duration> min_time_per_sample;

  [[nodiscard]] bool feasible() const { return !best.empty(); }
};

struct SearchOptions {
  int num_best = 10;
  int num_simulated = 3;  ///< of the best, simulated by events, and ordered anew by their times
  bool front = false;
  /// Over the samples of a step: slower ones are not looked for.
  std::optional<core::Duration> max_time_per_sample;
  int num_threads = 0;  ///< 0: as many as there are cores
  /// Told now and then what is being done, and how much of how much.
  ProgressFunction progress;
};

/// Tries every point of the scenario's `search`. Those that do not fit cost a look at the memory of
/// their stages; those whose computation alone takes longer than the best found need no transfers.
/// The result is that of estimating every point, for any number of threads. Throws ConfigError.
SearchResult search(const core::Node& tree, const core::Catalogue& catalogue,
                    const SearchOptions& options = {});

}  // namespace railwright::planner
