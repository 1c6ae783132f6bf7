// SPDX-License-Identifier: Apache-2.0
// Weights that lie outside device memory and pass through it layer by layer in every pass.
// [@rajbhandari2021infinity] [@aminabadi2022inference]
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Where the weights of a node may lie: host memory, local drives, a file system.
struct OffloadTier {
  static constexpr std::string_view kKind = "offload_tiers";

  std::string name;
  std::string description;
  core::Sourced<core::DataSize> capacity{core::DataSize::infinity(), "as much as is bought", false};
  core::Sourced<core::Bandwidth> read_rate;
  bool remote = false;

  static constexpr auto fields() {
    using core::field;
    using core::positive;
    return std::tuple{
        field("name", &OffloadTier::name, "Name in the catalogue."),
        field("description", &OffloadTier::description, "The tier in words."),
        field("capacity", &OffloadTier::capacity, "What a node can keep there.", positive,
              core::optional),
        field("read_rate", &OffloadTier::read_rate,
              "What all accelerators of a node together can read of it.", positive),
        field("remote", &OffloadTier::remote,
              "Whether it is reached through the front-end NICs of the node.", core::optional)};
  }
};

/// Rate at which a tier feeds all accelerators of a node at once, each with its own shard:
///   min(read_rate, num_pcie_switches * pcie_uplink_bandwidth, num_accelerators * pcie_bandwidth,
///       line rate of the front-end NICs * efficiency where the tier is remote).
/// Data goes through host memory, so it crosses the link from the processor to each PCIe switch.
core::Bandwidth stream_rate(const OffloadTier& tier, const core::Server& server);

}  // namespace railwright::models
