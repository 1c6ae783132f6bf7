// SPDX-License-Identifier: Apache-2.0
// `search` for a service: divisions of the model and batches, by tokens per accelerator and user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::planner {

/// A division of the model with one batch size.
struct ServingEntry {
  std::vector<std::string> settings;  ///< changes to the scenario, as for `--set`
  int tp = 1;
  bool attention_dp = false;
  int ep = 1;
  int prefill_tp = 0;                  ///< of replicas for prompts; 0: each does both
  int pp = 1;                          ///< stages of the layers
  int max_tokens = 0;                  ///< of an iteration of the engine
  simulation::InferenceResult result;  ///< with full batches, or of the load if that was simulated
  bool meets_latencies = true;

  /// Output tokens/s that one user sees.
  [[nodiscard]] double user_tokens_per_s() const {
    return 1.0 / result.time_per_output_token().base();
  }
};

struct ServingSearchResult {
  std::string name;
  bool has_rate = false;  ///< a load is wanted, for which nodes are counted
  int num_divisions = 0;
  std::int64_t num_points = 0;     ///< divisions with batches that fit into memory
  std::int64_t num_in_time = 0;    ///< points within the wanted latencies
  std::vector<ServingEntry> best;  ///< within the latencies, best first
  /// Pareto front of tokens/s for a user and for an accelerator, fastest user first. Ignores the
  /// wanted latencies, except the time to the first token where prompts are apart.
  std::vector<ServingEntry> front;
  /// If prompts are apart in the best, the best within the latencies where each replica does both,
  /// if there is one.
  std::optional<ServingEntry> aggregated;
  std::string why_none;  ///< reason that nothing fits within the latencies

  /// Whether the cluster carries the load with the best entry.
  [[nodiscard]] bool feasible() const { return !best.empty() && best.front().result.feasible(); }
};

/// Tries all divisions, tokens of an iteration and batches that the scenario's `search` allows,
/// each division with replicas that do both and with each replica for prompts. The best need the
/// fewest nodes and accelerators for the wanted load, or give the most tokens per accelerator if no
/// load is wanted. With `inference.disaggregated` prompts are apart in all of the best. With
/// `inference.load` the best are simulated request by request. Throws ConfigError and
/// core::Interrupted.
ServingSearchResult search_service(const core::Node& tree, const core::Catalogue& catalogue,
                                   const SearchOptions& options = {});

}  // namespace railwright::planner
