// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/flow_set.hpp"

#include <algorithm>

namespace railwright::core {

FlowSet::FlowSet(std::span<const Flow> flows) {
  flows_.reserve(flows.size());
  for (const Flow& flow : flows) {
    flows_.push_back({flow, uses_.size()});
    uses_.insert(uses_.end(), flow.route.begin(), flow.route.end());
    if (flow.size == 0) continue;
    for (const LinkUse& use : flow.route) {
      if (use.coefficient > 0.0) links_.push_back(use.link);
    }
  }
  std::ranges::sort(links_);
  links_.erase(std::ranges::unique(links_).begin(), links_.end());
}

Flow FlowSet::flow(std::size_t i) const {
  Flow flow = flows_[i].flow;
  flow.route = {uses_.data() + flows_[i].first_use, flow.route.size()};
  return flow;
}

double FlowSet::carried(LinkId link) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const Flow moved = flow(i);
    for (const LinkUse& use : moved.route) {
      if (use.link == link) {
        sum += use.coefficient * moved.multiplicity * static_cast<double>(moved.size);
      }
    }
  }
  return sum;
}

}  // namespace railwright::core
