// SPDX-License-Identifier: Apache-2.0
// The place where a node stores what its accelerators do not hold, and its rates.
// [@rajbhandari2021infinity] [@aminabadi2022inference]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class OffloadMedium : std::uint8_t {
  kMemory,      ///< host memory, in which the processors work
  kDrives,      ///< drives of the node, through host memory
  kFileSystem,  ///< through the front-end NICs and host memory
};

constexpr auto enum_words(OffloadMedium) {
  using enum OffloadMedium;
  return core::words<OffloadMedium>(
      {{"memory", kMemory}, {"drives", kDrives}, {"file_system", kFileSystem}});
}

struct OffloadTier {
  static constexpr std::string_view kKind = "offload_tiers";

  std::string name;
  std::string description;
  OffloadMedium medium = OffloadMedium::kMemory;
  core::Sourced<core::DataSize> capacity{core::DataSize::infinity(), "as much as is bought", false};
  core::Sourced<core::Bandwidth> read_rate;
  std::optional<core::Sourced<core::Bandwidth>> write_rate;
  std::optional<core::Sourced<double>> read_operations_per_s;
  std::optional<core::Sourced<double>> write_operations_per_s;
  core::Sourced<core::Duration> latency{core::Duration{}, "default", false};
  core::Sourced<core::DataSize> request{core::DataSize::from_base(1048576.0),
                                        "DeepSpeed, configuration of aio: block_size", false};
  core::Sourced<int> num_requests{8, "DeepSpeed, configuration of aio: queue_depth 8, one thread",
                                  false};
  core::Sourced<core::Bandwidth> update_rate{core::Bandwidth::from_base(110e9),
                                             "CPU-Adam on a DGX-2, recalled: 1 to 10 billion "
                                             "parameters in 0.22 to 2.57 s (arXiv:2101.06840 "
                                             "table 4), 28 bytes of memory traffic for each",
                                             true};

  static constexpr auto fields();
};

/// Computes the rate of all accelerators of a node at once, to or from host memory:
///   min(num_pcie_switches * pcie_uplink_bandwidth, num_accelerators * pcie_bandwidth).
/// Data crosses the link from the processor to each PCIe switch.
core::Bandwidth host_link_rate(const core::ComputeNode& node);

/// Computes the rate of one accelerator alone: of its own link or of its PCIe switch's.
core::Bandwidth accelerator_host_rate(const core::ComputeNode& node);

/// Computes the rate between a tier and host memory: the lowest of its rate, its operations per
/// second times request, and by Little's law num_requests * request / latency. For a file system,
/// the line rate of the front-end NICs * efficiency limits it too.
core::Bandwidth read_rate(const OffloadTier& tier, const core::ComputeNode& node);
core::Bandwidth write_rate(const OffloadTier& tier, const core::ComputeNode& node);

/// Computes the rate at which a tier feeds all accelerators of a node at once, each with its own
/// shard:
///   min(read_rate, host_link_rate).
core::Bandwidth stream_rate(const OffloadTier& tier, const core::ComputeNode& node);
/// Computes the rate at which all accelerators of a node at once send to a tier:
///   min(write_rate, host_link_rate).
core::Bandwidth send_rate(const OffloadTier& tier, const core::ComputeNode& node);

}  // namespace railwright::models
