// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/money/exchange.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

core::Money sum_of(const std::vector<PricedPurchase>& pieces) {
  core::Money sum;
  for (const PricedPurchase& one : pieces) {
    sum += one.each * static_cast<double>(one.purchase.count);
  }
  return sum;
}

int num_in(const std::vector<PricedPurchase>& pieces, const Purchase& wanted) {
  for (const PricedPurchase& one : pieces) {
    if (one.purchase.kind == wanted.kind && one.purchase.name == wanted.name) {
      return one.purchase.count;
    }
  }
  return 0;
}

/// Returns the pieces that `of` has more of than `than`.
std::vector<PricedPurchase> surplus(const Ownership& of, const Ownership& than) {
  std::vector<PricedPurchase> more;
  for (PricedPurchase one : of.priced) {
    one.purchase.count -= num_in(than.priced, one.purchase);
    if (one.purchase.count > 0) more.push_back(one);
  }
  return more;
}

/// Adds names of pieces without a price of which `of` has another number than `than`.
void add_unpriced(const Ownership& of, const Ownership& than, std::vector<std::string>& names) {
  for (const Purchase& one : of.unpriced) {
    const bool is_same = std::ranges::any_of(than.unpriced, [&](const Purchase& other) {
      return one.kind == other.kind && one.name == other.name && one.count == other.count;
    });
    const bool is_known = std::ranges::find(names, one.name) != names.end();
    if (!is_same && !is_known && one.kind != "electricity") names.push_back(one.name);
  }
}

}  // namespace

core::Money Exchange::price() const { return sum_of(bought); }

core::Money Exchange::left_over_new() const { return sum_of(left_over); }

Exchange exchange(const Ownership& from, const Ownership& to) {
  Exchange made{.bought = surplus(to, from), .left_over = surplus(from, to), .unpriced = {}};
  add_unpriced(from, to, made.unpriced);
  add_unpriced(to, from, made.unpriced);
  return made;
}

}  // namespace railwright::models
