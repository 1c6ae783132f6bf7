// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/offload/tier.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

core::Bandwidth on_the_way(core::Bandwidth rate, const OffloadTier& tier,
                           const core::ComputeNode& node) {
  if (tier.medium != OffloadMedium::kFileSystem) return rate;
  return std::min(rate, node.front_end.payload_rate());
}

core::Bandwidth by_requests(core::Bandwidth rate,
                            const std::optional<core::Sourced<double>>& operations_per_s,
                            const OffloadTier& tier) {
  const core::DataSize request = tier.request.value;
  if (operations_per_s) {
    rate = std::min(rate, request * operations_per_s->value / core::Duration::from_base(1.0));
  }
  if (tier.latency.value == core::Duration{}) return rate;
  return std::min(rate,
                  request * static_cast<double>(tier.num_requests.value) / tier.latency.value);
}

}  // namespace

core::Bandwidth host_link_rate(const core::ComputeNode& node) {
  return std::min(node.pcie_uplink_bandwidth.value * node.num_pcie_switches.value,
                  node.accelerator.pcie_bandwidth.value * node.num_accelerators.value);
}

core::Bandwidth accelerator_host_rate(const core::ComputeNode& node) {
  return std::min(node.pcie_uplink_bandwidth.value, node.accelerator.pcie_bandwidth.value);
}

core::Bandwidth read_rate(const OffloadTier& tier, const core::ComputeNode& node) {
  const core::Bandwidth rate = by_requests(tier.read_rate.value, tier.read_operations_per_s, tier);
  return on_the_way(rate, tier, node);
}

core::Bandwidth write_rate(const OffloadTier& tier, const core::ComputeNode& node) {
  const core::Bandwidth rate = by_requests(tier.write_rate.value_or(tier.read_rate).value,
                                           tier.write_operations_per_s, tier);
  return on_the_way(rate, tier, node);
}

core::Bandwidth stream_rate(const OffloadTier& tier, const core::ComputeNode& node) {
  return std::min(read_rate(tier, node), host_link_rate(node));
}

core::Bandwidth send_rate(const OffloadTier& tier, const core::ComputeNode& node) {
  return std::min(write_rate(tier, node), host_link_rate(node));
}

}  // namespace railwright::models
