// SPDX-License-Identifier: Apache-2.0
// The points that are still to be made, in an order that meets each group once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "grid.hpp"

namespace railwright::planner {

/// Of tables that want rows in order, by section of consecutive points: so few rows wait for others
/// that they fit into memory. Any number of threads may ask.
class Pending {
 public:
  /// `done` by point.
  Pending(const Grid& grid, Shard shard, const std::vector<bool>& done, bool in_order);

  /// The next ones, at most so many; empty at the end.
  std::vector<std::int64_t> next(std::size_t most);

 private:
  [[nodiscard]] std::int64_t point_at(std::int64_t position);
  [[nodiscard]] bool is_wanted(std::int64_t point) const;

  static constexpr std::int64_t kSection = 65'536;

  const Grid& grid_;
  Shard shard_;
  const std::vector<bool>& done_;
  bool in_order_;
  std::mutex mutex_;
  std::int64_t position_ = 0;
  std::int64_t section_ = -1;
  std::vector<std::int64_t> points_;  ///< of the section
};

[[nodiscard]] bool is_of(const Shard& shard, std::int64_t point);

}  // namespace railwright::planner
