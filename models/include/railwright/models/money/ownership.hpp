// SPDX-License-Identifier: Apache-2.0
// The cost of a cluster over the years, and of a job on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/hardware/node.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/money/prices.hpp"

namespace railwright::models {

/// Pieces to buy. `kind` is that of their prices ("nodes", "cables", ...). `name` is that of the
/// catalogue, or of what they connect if no product is known.
struct Purchase {
  std::string_view kind;
  std::string name;
  int count = 0;
};

/// Returns the parts of a cluster and its spare nodes; accelerators are listed beside their nodes.
std::vector<Purchase> purchases(const core::PartsList& parts, const core::ComputeNode& node,
                                int num_spares);

struct PricedPurchase {
  Purchase purchase;
  core::Money each;
};

/// All costs, later years discounted by `discount_rate`. Sums exclude what is listed in `unpriced`.
struct Ownership {
  std::vector<PricedPurchase> priced;
  std::vector<Purchase> unpriced;  ///< includes electricity, with kind and name "electricity"
  core::Money capital;
  core::Money electricity;
  core::Money maintenance;
  core::Money staff;
  core::Money software;
  core::Money labour;    ///< once, at the start
  core::Money residual;  ///< what the pieces bring at the end, which the total is less by

  [[nodiscard]] core::Money total() const {
    return capital + labour + electricity + maintenance + staff + software - residual;
  }
};

/// Computes the costs; `mean_power` is the building's mean over the whole time.
///   yearly costs over N years count (1 - (1 + r)^-N) / r times, N times where r is 0; what is left
///   at their end counts (1 + r)^-N times
Ownership cost_of_ownership(const Prices& prices, const std::vector<Purchase>& purchases,
                            core::Power mean_power);

/// Computes the money that a job of `time` on the whole cluster has to earn so that all jobs
/// together, which fill `utilization` of the years, pay `whole`: whole / years * time /
/// utilization, with years counted as above.
core::Money share_of_ownership(const Prices& prices, core::Money whole, core::Duration time);

}  // namespace railwright::models
