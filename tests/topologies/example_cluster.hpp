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
inline core::Server example_server(int num_nics, core::NicWiring wiring) {
  core::Server server;
  server.name = "example-server";
  server.accelerator.scale_up_bandwidth.value = 450.0_GBps;
  server.accelerator.scale_up_efficiency.value = 0.8;
  server.accelerator.pcie_bandwidth.value = 55.0_GBps;
  server.num_accelerators.value = 8;
  server.num_pcie_switches.value = 4;
  server.num_hosts.value = 2;
  server.host_bandwidth.value = 22.0_GBps;
  server.pcie_uplink_bandwidth.value = 54.0_GBps;
  server.nic_slots.value = 24;
  server.nics.nic.name = "example-nic";
  server.nics.nic.line_rate.value = 400.0_Gbps;
  server.nics.transport.efficiency.value = 0.8;
  server.nics.nic.pcie_bandwidth.value = 55.0_GBps;
  server.nics.nic.latency.value = 1.0_us;
  server.nics.count = num_nics;
  server.nics.wiring = wiring;
  server.front_end.nic.name = "example-front-end-nic";
  server.front_end.nic.line_rate.value = 100.0_Gbps;
  server.front_end.transport.efficiency.value = 0.9;
  server.front_end.nic.pcie_bandwidth.value = 55.0_GBps;
  server.front_end.nic.latency.value = 2.0_us;
  server.front_end.nic.num_ports = 2;
  server.front_end.count = 1;
  return server;
}

inline Cluster example_cluster(int num_nodes, int num_nics,
                               core::NicWiring wiring = core::NicWiring::kShared) {
  Cluster cluster;
  cluster.num_nodes = num_nodes;
  cluster.node = example_server(num_nics, wiring);
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
