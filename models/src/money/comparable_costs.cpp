// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/money/comparable_costs.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

int num_unpriced(const Ownership& cost, const Purchase& purchase) {
  const auto same = std::ranges::find_if(cost.unpriced, [&](const Purchase& one) {
    return one.kind == purchase.kind && one.name == purchase.name;
  });
  return same == cost.unpriced.end() ? 0 : same->count;
}

bool has_same_purchases(const Ownership& cost, const Ownership& other) {
  const auto is_same = [](const Purchase& a, const Purchase& b) {
    return a.kind == b.kind && a.name == b.name && a.count == b.count;
  };
  return std::ranges::equal(cost.unpriced, other.unpriced, is_same) &&
         std::ranges::equal(cost.priced, other.priced, is_same, &PricedPurchase::purchase,
                            &PricedPurchase::purchase);
}

}  // namespace

std::vector<std::string> unpriced_that_decide(std::span<const Ownership* const> costs,
                                              CostBasis basis) {
  const bool is_one_cluster = std::ranges::all_of(
      costs, [&](const Ownership* cost) { return has_same_purchases(*cost, *costs.front()); });
  if (is_one_cluster) return {};
  const auto decides = [&](const Purchase& purchase) {
    if (purchase.kind == "electricity") return false;  // the prices leave it out of every cost
    return basis == CostBasis::kWork || !std::ranges::all_of(costs, [&](const Ownership* cost) {
             return num_unpriced(*cost, purchase) == purchase.count;
           });
  };
  std::vector<std::string> names;
  for (const Ownership* cost : costs) {
    for (const Purchase& one : cost->unpriced) {
      const bool is_known = std::ranges::find(names, one.name) != names.end();
      if (!is_known && decides(one)) names.push_back(one.name);
    }
  }
  return names;
}

}  // namespace railwright::models
