// SPDX-License-Identifier: Apache-2.0
// Finds the single change to a service that raises what an accelerator answers most.
#pragma once

#include <optional>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::planner {

/// A setting, as for `--set`, and a service with it.
struct NextServiceChange {
  std::string setting;
  double accelerator_tokens_per_s = 0.0;
  double gain = 0.0;  ///< share of the unchanged service, both with full batches
};

struct ServiceChangesTried {
  int num_tried = 0;                      ///< legal changes that keep the wanted latencies
  std::optional<NextServiceChange> best;  ///< nothing where none gains kMinSaving
};

/// Tries changes of one key that keep model, number formats, latencies and nodes: the division,
/// prompts apart, tokens of an iteration, the largest batch, twice the NICs. Both sides are
/// services with full batches, without `inference.load`. Throws ConfigError.
ServiceChangesTried next_service_change(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::planner
