// SPDX-License-Identifier: Apache-2.0
#include "pending.hpp"

#include <algorithm>
#include <numeric>

namespace railwright::planner {

bool is_of(const Shard& shard, std::int64_t point) {
  return point % shard.count == shard.index - 1;
}

Pending::Pending(const Grid& grid, Shard shard, const std::vector<bool>& done, bool in_order)
    : grid_(grid), shard_(shard), done_(done), in_order_(in_order) {}

bool Pending::is_wanted(std::int64_t point) const {
  return is_of(shard_, point) && !done_[static_cast<std::size_t>(point)];
}

std::int64_t Pending::point_at(std::int64_t position) {
  if (!in_order_) {
    return grid_.point_on(position / grid_.num_in_group(), position % grid_.num_in_group());
  }
  if (position / kSection != section_) {
    section_ = position / kSection;
    const std::int64_t first = section_ * kSection;
    points_.resize(static_cast<std::size_t>(std::min(kSection, grid_.num_points() - first)));
    std::iota(points_.begin(), points_.end(), first);
    std::ranges::stable_sort(points_, {}, [&](std::int64_t p) { return grid_.group_of(p); });
  }
  return points_[static_cast<std::size_t>(position % kSection)];
}

std::vector<std::int64_t> Pending::next(std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::vector<std::int64_t> points;
  for (; position_ < grid_.num_points() && points.size() < most; ++position_) {
    const std::int64_t point = point_at(position_);
    if (is_wanted(point)) points.push_back(point);
  }
  return points;
}

}  // namespace railwright::planner
