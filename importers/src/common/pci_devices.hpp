// SPDX-License-Identifier: Apache-2.0
// Catalogue names of devices by the numbers of their PCI functions. [@pci_ids]
#pragma once

#include <cstdint>
#include <string_view>

namespace railwright::importers {

struct PciId {
  std::uint32_t vendor = 0;
  std::uint32_t device = 0;
};

/// Returns the catalogue name of an accelerator or NIC; "" for unknown numbers.
std::string_view accelerator_of(const PciId& id);
std::string_view nic_of(const PciId& id);

/// Returns the rate of one direction of a link such as "32.0 GT/s PCIe" with 16 lanes, without its
/// line code, in bytes/s; 0 where the text has another form.
double pcie_rate(std::string_view speed, double lanes);

/// Share of pcie_rate() that transfers reach: 55 of 63 GB/s measured on Gen5 x16. [@stas_bekman]
inline constexpr double kPcieReached = 55.0 / 63.0;

}  // namespace railwright::importers
