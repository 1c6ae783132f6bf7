// SPDX-License-Identifier: Apache-2.0
// Whether costs can be compared, although some of their parts have no price.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "railwright/models/money/ownership.hpp"

namespace railwright::models {

/// Sums by which costs are compared.
enum class CostBasis : std::uint8_t {
  kOwnership,  ///< of clusters: a part without a price that all have as many of cancels out
  kWork,       ///< of a run, a sample or a token: the share of each part counts
};

/// Returns the names of purchases without a price that decide which cost is lower, so that the
/// costs are not comparable; empty if they are. Costs of the same purchases always are, and prices
/// without electricity leave it out of every cost.
std::vector<std::string> unpriced_that_decide(std::span<const Ownership* const> costs,
                                              CostBasis basis);

}  // namespace railwright::models
