// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/offload/tier.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

core::Bandwidth on_the_way(core::Bandwidth rate, const OffloadTier& tier,
                           const core::Server& server) {
  if (tier.medium != OffloadMedium::kFileSystem) return rate;
  const core::NicSet& nics = server.front_end;
  return std::min(rate, nics.nic.line_rate.value * nics.transport.efficiency.value *
                            (static_cast<double>(nics.count) * nics.nic.num_ports));
}

}  // namespace

core::Bandwidth host_link_rate(const core::Server& server) {
  return std::min(server.pcie_uplink_bandwidth.value * server.num_pcie_switches.value,
                  server.accelerator.pcie_bandwidth.value * server.num_accelerators.value);
}

core::Bandwidth read_rate(const OffloadTier& tier, const core::Server& server) {
  return on_the_way(tier.read_rate.value, tier, server);
}

core::Bandwidth write_rate(const OffloadTier& tier, const core::Server& server) {
  return on_the_way(tier.write_rate.value_or(tier.read_rate).value, tier, server);
}

core::Bandwidth stream_rate(const OffloadTier& tier, const core::Server& server) {
  return std::min(read_rate(tier, server), host_link_rate(server));
}

}  // namespace railwright::models
