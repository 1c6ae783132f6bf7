// SPDX-License-Identifier: Apache-2.0
// What a collective puts on each link, added up transfer by transfer.
#pragma once

#include <map>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::models {

class LinkLoads {
 public:
  explicit LinkLoads(const core::Fabric& fabric) : fabric_(fabric) {}

  /// `bytes` from one accelerator to another, as connection `channel` of the two.
  void add(int from, int to, std::size_t channel, double bytes) {
    for (const core::LinkUse& use : way(from, to, channel)) {
      loads_[use.link] += use.coefficient * bytes;
    }
  }
  void add_link(core::LinkId link, double bytes) { loads_[link] += bytes; }

  /// What a byte puts on each link; valid until the next call.
  const std::vector<core::LinkUse>& way(int from, int to, std::size_t channel) {
    uses_.clear();
    fabric_.append_route(from, to, static_cast<std::uint32_t>(channel), uses_);
    return uses_;
  }
  /// In link order.
  [[nodiscard]] std::vector<core::LinkUse> route() const {
    std::vector<core::LinkUse> uses;
    uses.reserve(loads_.size());
    for (const auto& [link, bytes] : loads_) uses.push_back({link, bytes});
    return uses;
  }

 private:
  const core::Fabric& fabric_;
  std::map<core::LinkId, double> loads_;
  std::vector<core::LinkUse> uses_;
};

}  // namespace railwright::models
