// SPDX-License-Identifier: Apache-2.0
// How long transfers keep each link busy, whatever else goes on.
#pragma once

#include <algorithm>
#include <vector>

#include "railwright/models/collective/collective.hpp"

namespace railwright::planner {

class BusyLinks {
 public:
  /// `capacity` in bytes/s by link; it must outlive this.
  explicit BusyLinks(const std::vector<double>& capacity)
      : capacity_(&capacity), seconds_(capacity.size()) {}

  void add(const models::CollectiveFlow& flow, double bytes) {
    for (const core::LinkUse& use : flow.route) {
      const auto link = static_cast<std::size_t>(use.link);
      seconds_[link] += use.coefficient * bytes / (*capacity_)[link];
    }
  }
  void add(const BusyLinks& other) {
    for (std::size_t link = 0; link < seconds_.size(); ++link) {
      seconds_[link] += other.seconds_[link];
    }
  }
  /// Of the busiest link.
  [[nodiscard]] core::Duration longest() const {
    double longest = 0.0;
    for (const double seconds : seconds_) longest = std::max(longest, seconds);
    return core::Duration::from_base(longest);
  }

 private:
  const std::vector<double>* capacity_;
  std::vector<double> seconds_;
};

}  // namespace railwright::planner
