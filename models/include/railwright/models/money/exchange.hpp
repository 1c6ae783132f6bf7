// SPDX-License-Identifier: Apache-2.0
// Pieces to buy to make one cluster of another, and those that are left over.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/money/ownership.hpp"

namespace railwright::models {

/// Pieces that a cluster needs beyond those of another one, and those that it has no use for.
struct Exchange {
  std::vector<PricedPurchase> bought;
  std::vector<PricedPurchase> left_over;  ///< at the price of new ones
  std::vector<std::string> unpriced;      ///< names of pieces without a price, bought or left over

  [[nodiscard]] core::Money price() const;          ///< of what is bought
  [[nodiscard]] core::Money left_over_new() const;  ///< what the rest costs when it is new
};

/// Computes the exchange between the pieces of two clusters with the same prices; neither takes
/// labour nor what used pieces bring into account, which nobody knows but the user.
Exchange exchange(const Ownership& from, const Ownership& to);

}  // namespace railwright::models
