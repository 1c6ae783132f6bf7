// SPDX-License-Identifier: Apache-2.0
// What a cluster costs over the years, and a job of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/hardware/node.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/cost/prices.hpp"

namespace railwright::models {

/// Pieces that are bought. `kind` is that of their prices ("nodes", "cables", ...), `name` that
/// of the catalogue, or what they connect where no product is known.
struct Purchase {
  std::string_view kind;
  std::string name;
  int count = 0;
};

/// The parts of a cluster and its spare nodes; accelerators are in their nodes.
std::vector<Purchase> purchases(const core::PartsList& parts, const core::ComputeNode& node,
                                int num_spares);

struct PricedPurchase {
  Purchase purchase;
  core::Money each;
};

/// All that is paid, each year's as much less as `discount_rate` says. Where `unpriced` is not
/// empty, sums are without it.
struct Ownership {
  std::vector<PricedPurchase> priced;
  std::vector<Purchase> unpriced;  ///< electricity too, of kind and name "electricity"
  core::Money capital;
  core::Money electricity;
  core::Money maintenance;
  core::Money staff;

  [[nodiscard]] core::Money total() const { return capital + electricity + maintenance + staff; }
};

/// `mean_power` is the building's over all the time.
///   yearly costs over N years count (1 - (1 + r)^-N) / r times, N times where r is 0
Ownership cost_of_ownership(const Prices& prices, const std::vector<Purchase>& purchases,
                            core::Power mean_power);

/// What a job of `time` on the whole cluster has to earn, so that all jobs together, which fill
/// `utilization` of the years, pay `whole`: whole / years * time / utilization, with years counted
/// as above.
core::Money share_of_ownership(const Prices& prices, core::Money whole, core::Duration time);

}  // namespace railwright::models
