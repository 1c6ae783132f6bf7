// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/offload.hpp"

#include <algorithm>

namespace railwright::models {

core::Bandwidth stream_rate(const OffloadTier& tier, const core::Server& server) {
  core::Bandwidth rate = std::min(
      {tier.read_rate.value, server.pcie_uplink_bandwidth.value * server.num_pcie_switches.value,
       server.accelerator.pcie_bandwidth.value * server.num_accelerators.value});
  if (!tier.remote) return rate;
  const core::NicSet& nics = server.front_end;
  return std::min(rate, nics.nic.line_rate.value * nics.transport.efficiency.value *
                            (static_cast<double>(nics.count) * nics.nic.num_ports));
}

}  // namespace railwright::models
