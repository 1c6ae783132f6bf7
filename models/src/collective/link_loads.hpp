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

  void add(int from, int to, double bytes) {
    uses_.clear();
    fabric_.append_route(from, to, 0, uses_);
    for (const core::LinkUse& use : uses_) loads_[use.link] += use.coefficient * bytes;
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
