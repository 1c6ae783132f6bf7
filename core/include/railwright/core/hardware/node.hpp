// SPDX-License-Identifier: Apache-2.0
// A node and how its accelerators and NICs are wired.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/transport.hpp"

namespace railwright::core {

/// Path from accelerators to NICs when a node has fewer NICs than accelerators.
enum class NicWiring : std::uint8_t {
  kShared,  ///< NICs are dealt over the PCIe switches; the accelerators of a switch share its NICs
  kAlternate,  ///< each NIC belongs to one accelerator; the others cross the host to reach it
};

constexpr auto enum_words(NicWiring) {
  using enum NicWiring;
  return words<NicWiring>({{"shared", kShared}, {"alternate", kAlternate}});
}

/// The links that join the accelerators of a node, beside PCIe.
enum class ScaleUp : std::uint8_t {
  kSwitch,  ///< NVSwitch: each accelerator has its whole bandwidth to any other
  kMesh,    ///< a link between each two, which share an accelerator's bandwidth
  kPairs,   ///< a bridge between accelerators 0 and 1, 2 and 3, ...
  kNone,    ///< none: traffic uses PCIe and host memory
};

constexpr auto enum_words(ScaleUp) {
  using enum ScaleUp;
  return words<ScaleUp>({{"switch", kSwitch}, {"mesh", kMesh}, {"pairs", kPairs}, {"none", kNone}});
}

/// A set of identical NICs of one node, for the scale-out fabric or for the front end.
struct NicSet {
  Nic nic;
  int count = 8;
  NicWiring wiring = NicWiring::kShared;
  bool gpudirect = true;
  Transport transport;

  /// Returns the payload that all ports of all adapters together move one way.
  [[nodiscard]] Bandwidth payload_rate() const {
    return nic.line_rate.value * transport.efficiency.value *
           (static_cast<double>(count) * nic.num_ports);
  }

  static constexpr auto fields();
};

/// A GPU node.
struct ComputeNode {
  static constexpr std::string_view kKind = "nodes";

  // Defined in one source: to make, copy and destroy all its members is long code.
  ComputeNode();
  ComputeNode(const ComputeNode&);
  ComputeNode(ComputeNode&&) noexcept;
  ComputeNode& operator=(const ComputeNode&);
  ComputeNode& operator=(ComputeNode&&) noexcept;
  ~ComputeNode();

  std::string name;
  std::string description;
  Accelerator accelerator;
  Sourced<int> num_accelerators;
  Sourced<int> num_pcie_switches;
  Sourced<int> num_hosts;
  int num_trays = 1;
  int spare_trays = 0;
  ScaleUp scale_up = ScaleUp::kSwitch;
  bool peer_access = true;
  Sourced<Bandwidth> host_bandwidth;
  Sourced<Bandwidth> pcie_uplink_bandwidth;
  Sourced<int> nic_slots;
  NicSet nics;
  NicSet front_end;
  Sourced<int> rack_units;
  Sourced<Power> host_power;
  Sourced<double> liquid_cooled_share{.value = 0.0, .source = "air-cooled"};
  std::optional<Sourced<Power>> power_idle;
  std::optional<Sourced<Power>> power_compute;
  std::optional<Sourced<Power>> power_communication;
  std::optional<Sourced<DataSize>> host_memory;
  std::optional<Sourced<int>> num_cores;

  static constexpr auto fields();
};

}  // namespace railwright::core
