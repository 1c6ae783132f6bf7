// SPDX-License-Identifier: Apache-2.0
// The divisions of a service that `search` tries.
#pragma once

#include <vector>

#include "railwright/workloads/serving/serving.hpp"

namespace railwright::planner {

/// Replicas that divide a model, with the tokens of an iteration.
struct ServingDivision {
  int tp = 1;
  int pp = 1;
  bool attention_dp = false;
  int ep = 1;
  bool states_ep = true;  ///< else `inference.ep` is left out: all accelerators of each replica
  int prefill_tp = 0;     ///< 0: each replica does both
  int max_tokens = 0;

  [[nodiscard]] bool is_apart() const { return prefill_tp > 0; }
  friend auto operator<=>(const ServingDivision&, const ServingDivision&) = default;
};

/// Whether read_inference() takes the scenario with prompts apart too, and `search` allows it.
bool may_be_apart(const simulation::CheckedInference& checked);

/// Lists divisions whose replicas do both, within `search`: those of a part of a node or of a whole
/// one, and wanted ones of several.
std::vector<ServingDivision> whole_divisions(const simulation::CheckedInference& checked);
/// Lists them with every replica for prompts that goes with each.
std::vector<ServingDivision> apart_divisions(const simulation::CheckedInference& checked);
/// Lists divisions of replicas on so many nodes: experts over all of them, or stages.
std::vector<ServingDivision> divisions_over_nodes(const simulation::CheckedInference& checked,
                                                  int nodes);

/// Tokens of an iteration that are tried, the engine's own first.
std::vector<int> tokens_of_iteration(const simulation::CheckedInference& checked);

/// Returns the scenario divided so, with all weights in device memory.
simulation::CheckedInference with_division(const simulation::CheckedInference& checked,
                                           const ServingDivision& division);
/// Returns the settings of that, as for `--set`, and of a batch.
std::vector<std::string> settings_of(const simulation::CheckedInference& checked,
                                     const ServingDivision& division, std::int64_t batch);

}  // namespace railwright::planner
