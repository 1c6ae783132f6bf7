// SPDX-License-Identifier: Apache-2.0
// How long the busiest link needs for any amounts of a step's kinds of traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/collective/collective.hpp"

namespace railwright::planner {

/// Seconds a byte of each kind of traffic keeps a link busy. Links that are alike are one row.
class LinkRows {
 public:
  /// Busiest link where `bytes` of each kind are carried.
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
  [[nodiscard]] std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }

  /// Leaves out the rows that no amounts make the busiest.
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

  std::vector<std::uint32_t> first_;  ///< of each row, and behind the last
  std::vector<Use> uses_;             ///< row after row, by kind
};

/// Takes the flows of one kind after another, of kinds in rising order.
class LinkRowsBuilder {
 public:
  /// `capacity` in bytes/s by link; it must outlive this.
  explicit LinkRowsBuilder(std::span<const double> capacity)
      : capacity_(capacity), coefficient_(capacity.size()) {}

  void add(const models::CollectiveFlow& flow);
  /// All flows since the last call are of `kind`.
  void end_kind(std::size_t kind);
  [[nodiscard]] LinkRows build() const;

 private:
  struct Cell {
    std::uint32_t link = 0;
    LinkRows::Use use;
  };
  std::span<const double> capacity_;
  std::vector<double> coefficient_;  ///< of the kind at hand, by link
  std::vector<std::uint32_t> touched_;
  std::vector<Cell> cells_;
};

}  // namespace railwright::planner
