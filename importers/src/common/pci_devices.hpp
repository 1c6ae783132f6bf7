// SPDX-License-Identifier: Apache-2.0
// Devices of the catalogue by the numbers that their PCI functions carry. [@pci_ids]
#pragma once

#include <cstdint>
#include <string_view>

namespace railwright::importers {

struct PciId {
  std::uint32_t vendor = 0;
  std::uint32_t device = 0;
};

/// The name of an accelerator or NIC in the catalogue; "" where none is of these numbers.
std::string_view accelerator_of(const PciId& id);
std::string_view nic_of(const PciId& id);

/// One direction of a link that is told as "32.0 GT/s PCIe" and 16 lanes, without its line code, in
/// bytes a second; 0 where it is told otherwise.
double pcie_rate(std::string_view speed, double lanes);

/// What of pcie_rate() transfers reach: 55 of 63 GB/s are measured on Gen5 x16. [@stas_bekman]
inline constexpr double kPcieReached = 55.0 / 63.0;

}  // namespace railwright::importers
