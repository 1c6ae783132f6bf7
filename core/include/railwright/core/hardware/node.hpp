// SPDX-License-Identifier: Apache-2.0
// A server and how its accelerators and NICs are wired.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/devices.hpp"

namespace railwright::core {

/// Which way the accelerators of a PCIe switch reach a NIC when there are fewer NICs than
/// accelerators.
enum class NicWiring : std::uint8_t {
  kShared,  ///< NICs are dealt over the PCIe switches; the accelerators of a switch share its NICs
  kAlternate,  ///< each NIC belongs to one accelerator; the others cross the host to reach it
};

template <>
struct EnumNames<NicWiring> {
  static constexpr std::array<std::pair<std::string_view, NicWiring>, 2> kNames{
      {{"shared", NicWiring::kShared}, {"alternate", NicWiring::kAlternate}}};
};

/// The scale-out NICs of one node.
struct NicSet {
  Nic nic;
  int count = 8;
  NicWiring wiring = NicWiring::kShared;

  static constexpr auto fields() {
    return std::tuple{
        field("nic", &NicSet::nic, "The adapter, by catalogue name."),
        field("count", &NicSet::count, "Adapters in a node.", between(1, 64)),
        field("wiring", &NicSet::wiring,
              "How accelerators reach a NIC when there are fewer NICs than accelerators.",
              optional)};
  }
};

/// A GPU server.
struct Server {
  static constexpr std::string_view kKind = "servers";

  std::string name;
  std::string description;
  Accelerator accelerator;
  Sourced<int> num_accelerators;
  Sourced<int> num_pcie_switches;
  Sourced<int> num_hosts;
  Sourced<Bandwidth> host_bandwidth;
  Sourced<Bandwidth> pcie_uplink_bandwidth;
  Sourced<int> nic_slots;
  NicSet nics;
  NicSet front_end;
  Sourced<int> rack_units;
  Sourced<Power> power;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &Server::name, "Name in the catalogue."),
        field("description", &Server::description, "The server in words."),
        field("accelerator", &Server::accelerator, "The accelerator, by catalogue name."),
        field("num_accelerators", &Server::num_accelerators, "Accelerators in a node.",
              between(1, 1024)),
        field("num_pcie_switches", &Server::num_pcie_switches,
              "PCIe switches the accelerators are dealt over, in order.", between(1, 1024)),
        field("num_hosts", &Server::num_hosts, "CPU sockets.", between(1, 1024)),
        field("host_bandwidth", &Server::host_bandwidth,
              "What peer-to-peer transfers across a CPU reach, one direction.", positive),
        field("pcie_uplink_bandwidth", &Server::pcie_uplink_bandwidth,
              "From a PCIe switch to its CPU, one direction.", positive),
        field("nic_slots", &Server::nic_slots, "Slots for scale-out and front-end NICs.",
              between(1, 1024)),
        field("nics", &Server::nics, "Scale-out NICs."),
        field("front_end", &Server::front_end, "Storage and management NICs."),
        field("rack_units", &Server::rack_units, "Height.", at_least(1)),
        field("power", &Server::power, "Mean power while training.", positive)};
  }
};

}  // namespace railwright::core
