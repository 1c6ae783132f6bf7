// SPDX-License-Identifier: Apache-2.0
// Parts of an answer that have no price yet.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/planner/size/size.hpp"

namespace railwright::planner {

struct MissingPrices {
  std::string name;  ///< of the scenario
  /// Pieces without a price, each once; of several clusters that meet the goals the most.
  std::vector<models::Purchase> pieces;
  bool has_prices = false;  ///< the scenario has `prices`, which lack these
};

/// Whether `size` answers the scenario: a training job with goals.
bool is_sized(const core::Node& tree);

/// Answers the scenario, by `size` if it has goals, else as it is, and lists what has no price.
/// Throws ConfigError if nothing fits, and for kinds of scenario without a cost.
MissingPrices missing_prices(core::Node tree, const core::Catalogue& catalogue,
                             const SizeOptions& options = {});

}  // namespace railwright::planner
