// SPDX-License-Identifier: Apache-2.0
// A cluster with round numbers, none of them a device's.
#pragma once

#include <string_view>

#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/literals.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies::testing {

using namespace core::literals;  // NOLINT(google-build-using-namespace)

inline core::Switch example_switch(int num_ports) {
  core::Switch model;
  model.name = "example-switch";
  model.num_ports.value = num_ports;
  model.port_rate.value = 400.0_Gbps;
  model.latency.value = 0.5_us;
  return model;
}

/// 8 accelerators, 4 PCIe switches, 2 sockets; NICs of 40 GB/s after efficiency.
inline core::ComputeNode example_node(int num_nics, core::NicWiring wiring) {
  core::ComputeNode node;
  node.name = "example-node";
  node.accelerator.scale_up_bandwidth.value = 450.0_GBps;
  node.accelerator.scale_up_efficiency.value = 0.8;
  node.accelerator.pcie_bandwidth.value = 55.0_GBps;
  node.num_accelerators.value = 8;
  node.num_pcie_switches.value = 4;
  node.num_hosts.value = 2;
  node.host_bandwidth.value = 22.0_GBps;
  node.pcie_uplink_bandwidth.value = 54.0_GBps;
  node.nic_slots.value = 24;
  node.nics.nic.name = "example-nic";
  node.nics.nic.line_rate.value = 400.0_Gbps;
  node.nics.transport.efficiency.value = 0.8;
  node.nics.nic.pcie_bandwidth.value = 55.0_GBps;
  node.nics.nic.latency.value = 1.0_us;
  node.nics.count = num_nics;
  node.nics.wiring = wiring;
  node.front_end.nic.name = "example-front-end-nic";
  node.front_end.nic.line_rate.value = 100.0_Gbps;
  node.front_end.transport.efficiency.value = 0.9;
  node.front_end.nic.pcie_bandwidth.value = 55.0_GBps;
  node.front_end.nic.latency.value = 2.0_us;
  node.front_end.nic.num_ports = 2;
  node.front_end.count = 1;
  return node;
}

inline Cluster example_cluster(int num_nodes, int num_nics,
                               core::NicWiring wiring = core::NicWiring::kShared) {
  Cluster cluster;
  cluster.num_nodes = num_nodes;
  cluster.node = example_node(num_nics, wiring);
  return cluster;
}

inline StorageCluster example_storage(int count) {
  StorageCluster storage;
  storage.node.name = "example-storage-node";
  storage.node.num_front_end_ports.value = 2;
  storage.node.front_end_port_rate.value = 100.0_Gbps;
  storage.node.front_end_efficiency.value = 0.9;
  storage.node.min_nodes.value = 3;
  storage.node.max_nodes.value = 10;
  storage.count = count;
  storage.front_end_switch = example_switch(32);
  storage.front_end_switch->name = "example-front-end-switch";
  storage.front_end_switch->port_rate.value = 100.0_Gbps;
  return storage;
}

inline int count_of(const core::PartsList& parts, std::string_view kind, std::string_view name) {
  for (const core::Part& part : parts.parts) {
    if (part.kind == kind && part.name == name) return part.count;
  }
  return 0;
}

}  // namespace railwright::topologies::testing
