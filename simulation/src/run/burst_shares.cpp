// SPDX-License-Identifier: Apache-2.0
#include "burst_shares.hpp"

#include <algorithm>
#include <cstddef>

namespace railwright::simulation::replication {

namespace {

/// Room of the links beside mean rates, and what the bursts that still rise want of it.
class Links {
 public:
  explicit Links(std::span<const Burst> bursts) {
    for (const Burst& burst : bursts) {
      for (const core::LinkUse& use : burst.uses) {
        const auto link = static_cast<std::size_t>(use.link);
        if (link >= room_.size()) {
          room_.resize(link + 1, 1.0);
          wanted_.resize(link + 1, 0.0);
        }
        room_[link] -= use.coefficient * burst.rate;
        wanted_[link] += use.coefficient * burst.rate * burst.more;
      }
    }
    for (double& room : room_) room = std::max(room, 0.0);
  }

  /// Returns by how much all may rise until the next link is full, at most `most`.
  [[nodiscard]] double rise(double most) const {
    for (std::size_t link = 0; link < room_.size(); ++link) {
      if (wanted_[link] > kFull) most = std::min(most, room_[link] / wanted_[link]);
    }
    return most;
  }
  void take(double rise) {
    for (std::size_t link = 0; link < room_.size(); ++link) {
      room_[link] = std::max(0.0, room_[link] - wanted_[link] * rise);
    }
  }
  [[nodiscard]] bool holds_back(const Burst& burst) const {
    return std::ranges::any_of(burst.uses, [&](const core::LinkUse& use) {
      return room_[static_cast<std::size_t>(use.link)] <= kFull;
    });
  }
  void stop(const Burst& burst) {
    for (const core::LinkUse& use : burst.uses) {
      double& wanted = wanted_[static_cast<std::size_t>(use.link)];
      wanted = std::max(0.0, wanted - use.coefficient * burst.rate * burst.more);
    }
  }

 private:
  static constexpr double kFull = 1e-12;  ///< what is nothing but rounding

  std::vector<double> room_;
  std::vector<double> wanted_;
};

}  // namespace

std::vector<double> burst_shares(std::span<const Burst> bursts) {
  std::vector<double> shares(bursts.size(), 1.0);
  std::vector<std::size_t> rising;
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    if (bursts[i].more > 0.0 && bursts[i].rate > 0.0) rising.push_back(i);
  }
  if (rising.empty()) return shares;
  Links links(bursts);
  double level = 0.0;
  while (!rising.empty()) {
    const double rise = links.rise(1.0 - level);
    level += rise;
    links.take(rise);
    const auto num_left = rising.size();
    std::erase_if(rising, [&](std::size_t i) {
      if (!links.holds_back(bursts[i])) return false;
      shares[i] = std::min(level, 1.0);
      links.stop(bursts[i]);
      return true;
    });
    if (rising.size() == num_left) break;  // no link holds back those that are left
  }
  return shares;
}

}  // namespace railwright::simulation::replication
