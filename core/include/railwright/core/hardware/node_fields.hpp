// SPDX-License-Identifier: Apache-2.0
// The keys of node.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/transport_fields.hpp"

namespace railwright::core {

constexpr auto NicSet::fields() {
  return field_list(
      field("nic", &NicSet::nic, "The adapter, by catalogue name."),
      field("count", &NicSet::count, "Adapters in a node.", between(1, 1024)),
      field("wiring", &NicSet::wiring,
            "How accelerators reach a NIC when there are fewer NICs than accelerators.", optional),
      field("gpudirect", &NicSet::gpudirect,
            "Whether NICs read and write accelerator memory; otherwise data goes through host "
            "memory, both ways.",
            optional),
      field("transport", &NicSet::transport, "The protocol, by catalogue name."));
}

constexpr auto ComputeNode::fields() {
  return field_list(
      field("name", &ComputeNode::name, "Name in the catalogue."),
      field("description", &ComputeNode::description, "The node in words."),
      field("accelerator", &ComputeNode::accelerator, "The accelerator, by catalogue name."),
      field("num_accelerators", &ComputeNode::num_accelerators, "Accelerators in a node.",
            between(1, 1024)),
      field("num_pcie_switches", &ComputeNode::num_pcie_switches,
            "PCIe switches the accelerators are dealt over, in order.", between(1, 1024)),
      field("num_hosts", &ComputeNode::num_hosts, "CPU sockets.", between(1, 1024)),
      field("num_trays", &ComputeNode::num_trays,
            "Boards with their own sockets: only the scale-up domain joins them.", between(1, 1024),
            optional),
      field("spare_trays", &ComputeNode::spare_trays,
            "Boards beside them that stand by: one takes the place of a board that fails.",
            between(0, 1024), optional),
      field("scale_up", &ComputeNode::scale_up, "How accelerators are joined beside PCIe.",
            optional),
      field("peer_access", &ComputeNode::peer_access,
            "Whether accelerators reach one another; slices of one (MIG) do not.", optional),
      field("host_bandwidth", &ComputeNode::host_bandwidth,
            "What peer-to-peer transfers across a CPU reach, one direction.", positive),
      field("pcie_uplink_bandwidth", &ComputeNode::pcie_uplink_bandwidth,
            "From a PCIe switch to its CPU, one direction.", positive),
      field("nic_slots", &ComputeNode::nic_slots, "Slots for scale-out and front-end NICs.",
            between(1, 1024)),
      field("nics", &ComputeNode::nics, "Scale-out NICs."),
      field("front_end", &ComputeNode::front_end, "Storage and management NICs."),
      field("rack_units", &ComputeNode::rack_units, "Height.", at_least(1)),
      field("host_power", &ComputeNode::host_power,
            "Power of processors, memory, drives, boards and switches of the scale-up domain, at "
            "work or idle alike.",
            positive),
      field("liquid_cooled_share", &ComputeNode::liquid_cooled_share,
            "Share of the heat that liquid takes, and for which no fan turns.", between(0, 1),
            optional),
      field("power_idle", &ComputeNode::power_idle,
            "Power at the plug while nothing runs, as measured; like power_compute and "
            "power_communication, the sum of the parts where absent.",
            positive),
      field("power_compute", &ComputeNode::power_compute,
            "Power at the plug while all accelerators compute, as measured.", positive,
            formerly("power")),
      field("power_communication", &ComputeNode::power_communication,
            "Power at the plug while all accelerators exchange data or wait for one another, as "
            "measured.",
            positive),
      field("host_memory", &ComputeNode::host_memory,
            "Memory of the CPUs, which snapshots of asynchronous checkpoints have to fit.",
            positive),
      field("num_cores", &ComputeNode::num_cores,
            "Cores of the CPUs, which decoding samples and moving them share; no limit where "
            "absent.",
            between(1, 65536)));
}

}  // namespace railwright::core
