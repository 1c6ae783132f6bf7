// SPDX-License-Identifier: Apache-2.0
// Hands out the points that are still to be made, group by group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "grid.hpp"

namespace railwright::planner {

/// Hands out all points group by group. For tables that need rows in order, does so within sections
/// of consecutive points, so that rows that wait for others fit into memory. Thread-safe.
class Pending {
 public:
  /// `done` by point.
  Pending(const Grid& grid, Shard shard, const std::vector<bool>& done, bool in_order);

  /// Returns at most `most` points; empty at the end.
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
  std::vector<std::int64_t> points_;  ///< points of the section
};

[[nodiscard]] bool is_of(const Shard& shard, std::int64_t point);

}  // namespace railwright::planner
