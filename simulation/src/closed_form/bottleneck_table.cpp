// SPDX-License-Identifier: Apache-2.0
#include "bottleneck_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "railwright/core/sim/plain_vector.hpp"

namespace railwright::simulation {

namespace {

/// Rounds a positive number to 44 bits, so that coefficients summed in different orders give
/// identical links. A carry out of the fraction raises the exponent, as it should.
double rounded(double value) {
  constexpr int kDropped = std::numeric_limits<double>::digits - 44;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDropped - 1);
  const std::uint64_t up = std::bit_cast<std::uint64_t>(value) + kHalf;
  return std::bit_cast<double>(up >> kDropped << kDropped);
}

}  // namespace

bool LinkRows::covers(std::span<const Use> most, std::span<const Use> least) {
  auto at = most.begin();
  return std::ranges::all_of(least, [&](const Use& use) {
    while (at != most.end() && at->kind < use.kind) ++at;
    return at != most.end() && at->kind == use.kind && at->seconds >= use.seconds;
  });
}

std::vector<double> LinkRows::fair_rates(std::span<const std::size_t> kinds,
                                         std::span<const double> ceilings) const {
  struct Load {
    double fixed = 0.0;
    double open = 0.0;
  };
  constexpr double kSame = 1.0 + 1e-9;
  std::vector<double> rates;
  for (const std::size_t kind : kinds) rates.push_back(ceilings[kind]);
  std::vector<bool> is_fixed(kinds.size(), false);
  const auto find = [&](std::uint32_t kind) {
    return static_cast<std::size_t>(std::ranges::find(kinds, kind) - kinds.begin());
  };
  const auto load_of = [&](std::span<const Use> uses) {
    Load load;
    for (const Use& use : uses) {
      const std::size_t i = find(use.kind);
      if (i == kinds.size()) continue;
      if (is_fixed[i]) {
        load.fixed += use.seconds * rates[i];
      } else {
        load.open += use.seconds;
      }
    }
    return load;
  };
  for (;;) {
    double level = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (!is_fixed[i]) level = std::min(level, rates[i]);
    }
    for (std::size_t i = 0; i < size(); ++i) {
      const Load load = load_of(row(i));
      if (load.open > 0.0) level = std::min(level, std::max(0.0, 1.0 - load.fixed) / load.open);
    }
    if (std::isinf(level)) return rates;
    std::vector<bool> reached = is_fixed;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (rates[i] <= level * kSame) reached[i] = true;
    }
    for (std::size_t i = 0; i < size(); ++i) {
      const Load load = load_of(row(i));
      if (load.open * level * kSame < 1.0 - load.fixed) continue;
      for (const Use& use : row(i)) {
        const std::size_t k = find(use.kind);
        if (k < kinds.size()) reached[k] = true;
      }
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (reached[i] && !is_fixed[i]) rates[i] = std::min(rates[i], level);
    }
    is_fixed = reached;
  }
}

void LinkRows::prune() {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto covers_it = [&](std::size_t other) { return covers(row(other), row(i)); };
    if (std::ranges::any_of(kept, covers_it)) continue;
    std::erase_if(kept, [&](std::size_t other) { return covers(row(i), row(other)); });
    kept.push_back(i);
  }
  LinkRows pruned;
  pruned.first_.push_back(0);
  for (const std::size_t i : kept) {
    const auto uses = row(i);
    pruned.uses_.insert(pruned.uses_.end(), uses.begin(), uses.end());
    pruned.first_.push_back(static_cast<std::uint32_t>(pruned.uses_.size()));
  }
  *this = std::move(pruned);
}

bool LinkRows::share(std::size_t kind, std::size_t other) const {
  const auto carries = [](std::span<const Use> uses, std::size_t k) {
    return std::ranges::any_of(uses, [k](const Use& use) { return use.kind == k; });
  };
  for (std::size_t i = 0; i < size(); ++i) {
    if (carries(row(i), kind) && carries(row(i), other)) return true;
  }
  return false;
}

void LinkRowsBuilder::add(const models::CollectiveFlow& flow) {
  if (!flow.route.empty()) ceiling_ = std::min(ceiling_, flow.ceiling);
  for (const core::LinkUse& use : flow.route) {
    if (use.coefficient == 0.0) continue;
    double& sum = coefficient_[static_cast<std::size_t>(use.link)];
    if (sum == 0.0) touched_.push_back(static_cast<std::uint32_t>(use.link));
    sum += use.coefficient;
  }
}

void LinkRowsBuilder::end_kind(std::size_t kind) {
  for (const std::uint32_t link : touched_) {
    const double seconds = std::exchange(coefficient_[link], 0.0) / capacity_[link];
    cells_.push_back(
        {link, {.kind = static_cast<std::uint32_t>(kind), .seconds = rounded(seconds)}});
  }
  touched_.clear();
  ceilings_.resize(kind, std::numeric_limits<double>::infinity());
  ceilings_.push_back(std::exchange(ceiling_, std::numeric_limits<double>::infinity()));
}

/// The links that have a cell, in their order: a stage uses a few of all.
class LinkRowsBuilder::UsedLinks {
 public:
  UsedLinks(std::span<const Cell> cells, std::size_t num_links) {
    constexpr std::size_t kBits = 64;
    std::vector<std::uint64_t> used(num_links / kBits + 1);
    for (const Cell& cell : cells) {
      used[cell.link / kBits] |= std::uint64_t{1} << (cell.link % kBits);
    }
    place_.resize(num_links);
    for (std::size_t word = 0; word < used.size(); ++word) {
      for (std::uint64_t rest = used[word]; rest != 0; rest &= rest - 1) {
        place_[kBits * word + static_cast<std::size_t>(std::countr_zero(rest))] = size_++;
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns how many of them come before one of them.
  [[nodiscard]] std::size_t place(std::uint32_t link) const { return place_[link]; }

 private:
  core::PlainVector<std::uint32_t> place_;  ///< of used links
  std::uint32_t size_ = 0;
};

LinkRows LinkRowsBuilder::build() const {
  const UsedLinks used(cells_, capacity_.size());
  std::vector<std::uint32_t> next(used.size() + 1, 0);
  for (const Cell& cell : cells_) ++next[used.place(cell.link) + 1];
  for (std::size_t link = 1; link < next.size(); ++link) next[link] += next[link - 1];
  const std::vector<std::uint32_t> first = next;
  std::vector<LinkRows::Use> by_link(cells_.size());
  for (const Cell& cell : cells_) by_link[next[used.place(cell.link)]++] = cell.use;

  using Row = std::span<const LinkRows::Use>;
  const auto before = [](const Row& a, const Row& b) {
    return std::ranges::lexicographical_compare(
        a, b, [](const LinkRows::Use& x, const LinkRows::Use& y) {
          return x.kind != y.kind ? x.kind < y.kind : x.seconds < y.seconds;
        });
  };
  std::set<Row, decltype(before)> met(before);
  LinkRows rows;
  rows.first_.push_back(0);
  Row last;
  for (std::size_t link = 0; link < used.size(); ++link) {
    const Row uses(by_link.data() + first[link], by_link.data() + first[link + 1]);
    // Most links carry what their neighbour does.
    if (uses.empty() || std::ranges::equal(uses, last)) continue;
    last = uses;
    if (!met.insert(uses).second) continue;
    rows.uses_.insert(rows.uses_.end(), uses.begin(), uses.end());
    rows.first_.push_back(static_cast<std::uint32_t>(rows.uses_.size()));
  }
  return rows;
}

}  // namespace railwright::simulation
