// SPDX-License-Identifier: Apache-2.0
// The load of a collective on each link, summed transfer by transfer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::models {

/// Merges to one entry per link, in link order; coefficients of a link are added in their order.
void add_up(std::vector<core::LinkUse>& uses);

class LinkLoads {
 public:
  /// Spreads a channel over `num_connections`, which a hash may send over different paths.
  explicit LinkLoads(const core::Fabric& fabric, std::size_t num_connections = 1)
      : fabric_(fabric), num_connections_(num_connections) {}

  /// Adds `bytes` from one accelerator to another, over their channel `channel`.
  void add(int from, int to, std::size_t channel, double bytes) {
    const std::size_t first = loads_.size();
    for (std::size_t i = 0; i < num_connections_; ++i) {
      const std::size_t connection = channel * num_connections_ + i;
      fabric_.append_route(from, to, static_cast<std::uint32_t>(connection), loads_);
    }
    const double part = bytes / static_cast<double>(num_connections_);
    for (std::size_t i = first; i < loads_.size(); ++i) loads_[i].coefficient *= part;
    add_up_when_long();
  }
  void add_link(core::LinkId link, double bytes) {
    loads_.push_back({link, bytes});
    add_up_when_long();
  }

  /// Returns the load of a byte on each link; valid until the next call.
  const std::vector<core::LinkUse>& way(int from, int to, std::size_t channel) {
    uses_.clear();
    fabric_.append_route(from, to, static_cast<std::uint32_t>(channel), uses_);
    return uses_;
  }
  /// Returns the sums in link order and empties them.
  [[nodiscard]] std::vector<core::LinkUse> route() {
    add_up(loads_);
    loads_.shrink_to_fit();
    return std::move(loads_);
  }

 private:
  /// Merges early, because an all-to-all uses each link many times.
  void add_up_when_long() {
    if (loads_.size() < max_) return;
    add_up(loads_);
    max_ = std::max(max_, 2 * loads_.size());
  }

  const core::Fabric& fabric_;
  std::size_t num_connections_;
  std::vector<core::LinkUse> loads_;
  std::vector<core::LinkUse> uses_;
  std::size_t max_ = 65536;
};

}  // namespace railwright::models
