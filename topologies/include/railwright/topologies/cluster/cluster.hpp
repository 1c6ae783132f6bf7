// SPDX-License-Identifier: Apache-2.0
// A cluster: nodes, the fabric between them, and storage.
#pragma once

#include <cstdint>
#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/fabric/routing.hpp"
#include "railwright/core/hardware/cpu_node.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/mount.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/topologies/cluster/faults.hpp"
#include "railwright/topologies/cluster/layout.hpp"
#include "railwright/topologies/cluster/placement.hpp"

namespace railwright::topologies {

/// The network that the ports of the storage nodes are plugged into.
enum class StorageAttachment : std::uint8_t {
  kFrontEnd,  ///< separate switches, which the nodes' front-end NICs connect to
  kScaleOut,  ///< leaves of the scale-out fabric; nodes reach it over their scale-out NICs
};

constexpr auto enum_words(StorageAttachment) {
  using enum StorageAttachment;
  return core::words<StorageAttachment>({{"front_end", kFrontEnd}, {"scale_out", kScaleOut}});
}

/// The way front-end switches are joined.
enum class FrontEndWiring : std::uint8_t {
  kJoined,     ///< each to all others
  kLeafSpine,  ///< leaves, which devices are plugged into, each to all spines
};

constexpr auto enum_words(FrontEndWiring) {
  using enum FrontEndWiring;
  return core::words<FrontEndWiring>({{"joined", kJoined}, {"leaf_spine", kLeafSpine}});
}

/// A second pool of the storage cluster, to which older files move. Its nodes reach those of the
/// first pool over the network between storage nodes.
struct ArchivePool {
  core::StorageNode node;
  int count = 0;

  static constexpr auto fields();
};

/// Storage nodes on a front-end network of their own, or on the scale-out fabric.
struct StorageCluster {
  core::StorageNode node;
  int count = 0;
  StorageAttachment network = StorageAttachment::kFrontEnd;
  std::optional<core::Switch> front_end_switch;  ///< for kFrontEnd only
  FrontEndWiring wiring = FrontEndWiring::kJoined;
  int num_switches = 2;
  int peer_links = 2;
  core::Mount mount;
  std::optional<core::Switch> back_end_switch;
  double data_reduction = 1.0;
  double hot_spare = 0.0;
  core::DataSize used;
  core::Bandwidth growth;
  std::optional<ArchivePool> archive;
  std::optional<core::Bandwidth> replication_rate;
  core::Duration snapshot_retention;

  static constexpr auto fields();
};

/// Nodes without accelerators, each with NICs on the front-end network.
struct CpuNodeGroup {
  core::CpuNode node;
  int count = 0;

  static constexpr auto fields();
};

/// The network that machines are switched on, watched and installed over: a port of each node,
/// storage node and switch. It carries nothing that a step or a checkpoint waits for.
struct ManagementNetwork {
  core::Switch access_switch;
  int ports_per_node = 1;
  int num_uplinks = 2;
  std::optional<core::Switch> aggregation_switch;

  static constexpr auto fields();
};

/// Nodes, fabric and storage.
struct Cluster {
  // Defined in one source: to make, copy and destroy all its members is long code.
  Cluster();
  Cluster(const Cluster&);
  Cluster(Cluster&&) noexcept;
  Cluster& operator=(const Cluster&);
  Cluster& operator=(Cluster&&) noexcept;
  ~Cluster();

  int num_nodes = 0;
  core::ComputeNode node;
  core::Node fabric;
  std::optional<StorageCluster> storage;
  std::optional<CpuNodeGroup> control_plane;
  std::optional<CpuNodeGroup> data_preparation;
  std::optional<ManagementNetwork> management;
  core::RoutingPolicy routing;
  Placement placement;
  Faults faults;
  FloorLayout layout;

  static constexpr auto fields();
};

}  // namespace railwright::topologies
