// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/offload/offload.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

core::DataSize size_of(double bytes, double num_parameters) {
  return core::DataSize::from_base(bytes * num_parameters);
}

TierUse& use_of(const OffloadTier& tier, std::vector<TierUse>& uses) {
  const auto found = std::ranges::find(uses, tier.name, &TierUse::tier);
  if (found != uses.end()) return *found;
  return uses.emplace_back(TierUse{.tier = tier.name, .capacity = tier.capacity.value});
}

}  // namespace

core::Duration offloaded_step_time(const Offload& offload, const StateBytes& bytes,
                                   double num_parameters, const core::ComputeNode& node) {
  const OffloadTier& tier = *offload.optimizer;
  const core::Duration update =
      size_of(2.0 * bytes.optimizer + bytes.gradient + bytes.weight, num_parameters) /
      tier.update_rate.value;
  const core::Bandwidth back =
      offload.parameters ? write_rate(*offload.parameters, node) : host_link_rate(node);
  core::Duration longest = std::max(update, size_of(bytes.weight, num_parameters) / back);
  if (tier.medium != OffloadMedium::kMemory) {
    longest = std::max(
        longest, size_of(bytes.optimizer + bytes.gradient, num_parameters) / read_rate(tier, node) +
                     size_of(bytes.optimizer, num_parameters) / write_rate(tier, node));
  }
  return longest;
}

std::vector<TierUse> tier_uses(const Offload& offload, const StateBytes& bytes,
                               const NodeState& state) {
  std::vector<TierUse> uses;
  if (offload.optimizer) {
    TierUse& use = use_of(*offload.optimizer, uses);
    use.gradients = size_of(bytes.gradient, state.optimized);
    use.optimizer_state = size_of(bytes.optimizer, state.optimized);
  }
  if (offload.parameters) {
    use_of(*offload.parameters, uses).parameters = size_of(bytes.weight, state.held);
  }
  if (offload.activations) {
    use_of(*offload.activations, uses).activations =
        core::DataSize::from_base(offload.activation_share * state.activations);
  }
  return uses;
}

}  // namespace railwright::models
