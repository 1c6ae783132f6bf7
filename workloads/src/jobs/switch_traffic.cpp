// SPDX-License-Identifier: Apache-2.0
#include "switch_traffic.hpp"

#include <algorithm>

namespace railwright::simulation {

void SwitchTraffic::add(const StepBytes& bytes, core::Duration step_time) {
  for (const SwitchLinkBytes& one : bytes.between_switches) {
    if (one.index >= links_.size()) links_.resize(one.index + 1);
    links_[one.index].rate += one.bytes / step_time.base();
    ++links_[one.index].num_jobs;
  }
}

bool SwitchTraffic::is_shared_by(const StepBytes& bytes) const {
  return std::ranges::any_of(bytes.between_switches, [this](const SwitchLinkBytes& one) {
    return links_[one.index].num_jobs > 1;
  });
}

std::vector<double> SwitchTraffic::left_to(const StepBytes& bytes, core::Duration step_time,
                                           std::span<const core::LinkId> links,
                                           std::vector<double> capacity) const {
  for (const SwitchLinkBytes& one : bytes.between_switches) {
    const Link& link = links_[one.index];
    if (link.num_jobs < 2) continue;
    double& left = capacity[static_cast<std::size_t>(links[one.index])];
    const double of_others = std::max(0.0, link.rate - one.bytes / step_time.base());
    left = std::max(left - of_others, left / link.num_jobs);
  }
  return capacity;
}

}  // namespace railwright::simulation
