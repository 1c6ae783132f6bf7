// SPDX-License-Identifier: Apache-2.0
// `search` of a service: divisions of the model and batches, by what an accelerator and a user get.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::planner {

/// One division of the model with one batch.
struct ServingEntry {
  std::vector<std::string> settings;  ///< that make it of the scenario, as for `--set`
  int tp = 1;
  bool attention_dp = false;
  int ep = 1;
  simulation::InferenceResult result;  ///< of full batches; of the load where that was simulated
  bool meets_latencies = true;

  /// Output tokens that one user sees a second.
  [[nodiscard]] double user_tokens_per_s() const {
    return 1.0 / result.cycle.time_per_output_token().base();
  }
};

struct ServingSearchResult {
  std::string name;
  bool has_rate = false;  ///< a load is wanted, which the nodes are counted for
  int num_divisions = 0;
  std::int64_t num_points = 0;     ///< divisions with batches that fit memory
  std::int64_t num_in_time = 0;    ///< of these, within the wanted latencies
  std::vector<ServingEntry> best;  ///< within the latencies, the best first
  /// No other gives both user and accelerator as many tokens; the fastest user first, whatever
  /// latency is wanted.
  std::vector<ServingEntry> front;
  std::string why_none;  ///< where nothing fits within the latencies

  /// Whether the cluster carries the load with the best.
  [[nodiscard]] bool feasible() const { return !best.empty() && best.front().result.feasible(); }
};

/// Tries all divisions and batches that `search` of the scenario allows. The best need the fewest
/// nodes and accelerators for the wanted load, or give most tokens an accelerator where none is
/// wanted. With `inference.load` the best are simulated request by request. Throws ConfigError;
/// core::Interrupted.
ServingSearchResult search_service(const core::Node& tree, const core::Catalogue& catalogue,
                                   const SearchOptions& options = {});

}  // namespace railwright::planner
