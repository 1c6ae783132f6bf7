// SPDX-License-Identifier: Apache-2.0
// Time of the busiest link for any amounts of a step's kinds of traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/collective/collective.hpp"

namespace railwright::simulation {

/// Seconds that a byte of each kind of traffic keeps a link busy. Identical links share a row.
class LinkRows {
 public:
  /// Returns the time of the busiest link when `bytes` of each kind are carried.
  [[nodiscard]] core::Duration longest(std::span<const double> bytes) const {
    double longest = 0.0;
    for (std::size_t row = 0; row + 1 < first_.size(); ++row) {
      double seconds = 0.0;
      for (std::uint32_t i = first_[row]; i < first_[row + 1]; ++i) {
        seconds += uses_[i].seconds * bytes[uses_[i].kind];
      }
      longest = seconds > longest ? seconds : longest;
    }
    return core::Duration::from_base(longest);
  }
  /// Returns the time of the busiest link among those that carry any of the `num_kinds` kinds from
  /// `first` on.
  [[nodiscard]] core::Duration longest_with(std::span<const double> bytes, std::size_t first,
                                            std::size_t num_kinds) const {
    double longest = 0.0;
    for (std::size_t i = 0; i < size(); ++i) {
      double seconds = 0.0;
      bool has_one = false;
      for (const Use& use : row(i)) {
        seconds += use.seconds * bytes[use.kind];
        has_one |= use.kind - first < num_kinds && bytes[use.kind] > 0.0;
      }
      if (has_one) longest = seconds > longest ? seconds : longest;
    }
    return core::Duration::from_base(longest);
  }
  [[nodiscard]] std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }

  /// Returns the max-min fair rates, in bytes/s, of concurrent flows of these kinds, each limited
  /// by its ceiling; infinite for a kind that no link carries.
  [[nodiscard]] std::vector<double> fair_rates(std::span<const std::size_t> kinds,
                                               std::span<const double> ceilings) const;

  /// Removes the rows that are never the busiest, whatever the amounts.
  void prune();

  /// Whether some link carries both kinds.
  [[nodiscard]] bool share(std::size_t kind, std::size_t other) const;

 private:
  friend class LinkRowsBuilder;
  struct Use {
    std::uint32_t kind = 0;
    double seconds = 0.0;
    bool operator==(const Use&) const = default;
  };
  [[nodiscard]] std::span<const Use> row(std::size_t i) const {
    return {uses_.data() + first_[i], uses_.data() + first_[i + 1]};
  }
  static bool covers(std::span<const Use> most, std::span<const Use> least);

  std::vector<std::uint32_t> first_;  ///< index in uses_ of each row's start, and of the end
  std::vector<Use> uses_;             ///< uses of all rows, sorted by kind within a row
};

/// Builds LinkRows from the flows of one kind after another, in ascending order of kinds.
class LinkRowsBuilder {
 public:
  /// `capacity`: bytes/s by link; it must outlive the builder.
  explicit LinkRowsBuilder(std::span<const double> capacity)
      : capacity_(capacity), coefficient_(capacity.size()) {}

  /// Returns the lowest ceiling among the flows of each kind; infinite for a kind without flows.
  [[nodiscard]] const std::vector<double>& ceilings() const { return ceilings_; }

  void add(const models::CollectiveFlow& flow);
  /// Ends a kind: all flows added since the last call belong to `kind`.
  void end_kind(std::size_t kind);
  [[nodiscard]] LinkRows build() const;

 private:
  struct Cell {
    std::uint32_t link = 0;
    LinkRows::Use use;
  };
  class UsedLinks;

  std::span<const double> capacity_;
  std::vector<double> coefficient_;  ///< sums for the current kind, by link
  std::vector<std::uint32_t> touched_;
  std::vector<Cell> cells_;
  double ceiling_ = std::numeric_limits<double>::infinity();  ///< lowest of the current kind
  std::vector<double> ceilings_;
};

}  // namespace railwright::simulation
