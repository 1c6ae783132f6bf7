// SPDX-License-Identifier: Apache-2.0
// The keys of cluster.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/fabric/routing_fields.hpp"
#include "railwright/core/hardware/cpu_node_fields.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/mount_fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/topologies/cluster/cluster.hpp"
#include "railwright/topologies/cluster/faults_fields.hpp"
#include "railwright/topologies/cluster/layout_fields.hpp"
#include "railwright/topologies/cluster/placement_fields.hpp"

namespace railwright::topologies {

constexpr auto ArchivePool::fields() {
  using core::field;
  return core::field_list(
      field("node", &ArchivePool::node, "The storage node, by catalogue name."),
      field("count", &ArchivePool::count, "Nodes of the pool.", core::between(1, 65536)));
}

constexpr auto StorageCluster::fields() {
  using core::field;
  return core::field_list(
      field("node", &StorageCluster::node, "The storage node, by catalogue name."),
      field("count", &StorageCluster::count, "Storage nodes.", core::between(1, 65536)),
      field("network", &StorageCluster::network,
            "front_end: behind switches of its own; scale_out: on the leaves of `fabric`.",
            core::optional),
      field("switch", &StorageCluster::front_end_switch,
            "The front-end switch, by catalogue name; none with network scale_out."),
      field("wiring", &StorageCluster::wiring,
            "joined: num_switches switches, each joined to all others; leaf_spine: as many leaves "
            "and spines as the ports take.",
            core::optional),
      field("num_switches", &StorageCluster::num_switches, "Front-end switches of wiring joined.",
            core::between(1, 64), core::optional),
      field("peer_links", &StorageCluster::peer_links,
            "Links between each two front-end switches of wiring joined.", core::between(0, 1024),
            core::optional),
      field("mount", &StorageCluster::mount, "How nodes mount it, by catalogue name.",
            core::optional),
      field("back_end_switch", &StorageCluster::back_end_switch,
            "The switch between storage nodes, two of them, by catalogue name; not counted "
            "where absent."),
      field("data_reduction", &StorageCluster::data_reduction,
            "Bytes of files over bytes kept of them, by compression and deduplication.",
            core::between(1, 100), core::optional),
      field("hot_spare", &StorageCluster::hot_spare,
            "Share of the raw capacity that is kept free to rebuild lost drives, such as OneFS's "
            "virtual hot spare.",
            core::between(0, 0.9), core::optional),
      field("used", &StorageCluster::used, "Bytes of files that lie there before the first job.",
            core::non_negative, core::optional),
      field("growth", &StorageCluster::growth, "What others add to them all the time.",
            core::non_negative, core::optional),
      field("archive", &StorageCluster::archive,
            "A second pool, to which checkpoint.archive_after moves older checkpoints."),
      field("replication_rate", &StorageCluster::replication_rate,
            "Most that copies of checkpoints to another site take, of the link there or set by "
            "the operator; no copies where absent.",
            core::positive),
      field("snapshot_retention", &StorageCluster::snapshot_retention,
            "Time for which snapshots of the file system hold deleted files.", core::non_negative,
            core::optional));
}

constexpr auto CpuNodeGroup::fields() {
  using core::field;
  return core::field_list(
      field("node", &CpuNodeGroup::node, "The node, by catalogue name."),
      field("count", &CpuNodeGroup::count, "How many.", core::between(1, 65536)));
}

constexpr auto ManagementNetwork::fields() {
  using core::field;
  return core::field_list(
      field("switch", &ManagementNetwork::access_switch,
            "The switch that machines are plugged into, by catalogue name."),
      field("ports_per_node", &ManagementNetwork::ports_per_node,
            "Ports of a node: its BMC, and others that it has there. Storage nodes and switches "
            "have one.",
            core::between(1, 16), core::optional),
      field("num_uplinks", &ManagementNetwork::num_uplinks,
            "Fast ports of a switch, beside num_ports, that lead to the aggregation switches.",
            core::between(1, 16), core::optional),
      field("aggregation_switch", &ManagementNetwork::aggregation_switch,
            "The switch that joins them where one does not have the ports, two of them at least, "
            "by catalogue name."));
}

constexpr auto Cluster::fields() {
  using core::field;
  return core::field_list(
      field("nodes", &Cluster::num_nodes, "Nodes.", core::between(1, 65536)),
      field("node", &Cluster::node, "The node, by catalogue name."),
      field("fabric", &Cluster::fabric,
            "The scale-out fabric: `topology` names how it is built, the other keys are that "
            "topology's."),
      field("storage", &Cluster::storage, "The storage cluster, if any.", core::optional),
      field("control_plane", &Cluster::control_plane,
            "Nodes that manage the cluster, on the front-end network.", core::optional),
      field("data_preparation", &Cluster::data_preparation,
            "Nodes that prepare training data, on the front-end network.", core::optional),
      field("management", &Cluster::management,
            "The out-of-band management network, which is counted where given.", core::optional),
      field("routing", &Cluster::routing, "How flows find their way over equal paths.",
            core::optional),
      field("placement", &Cluster::placement, "Where the job's nodes stand in the fabric.",
            core::optional),
      field("faults", &Cluster::faults, "What is broken or slow from the start.", core::optional),
      field("layout", &Cluster::layout, "Where racks stand, for the lengths of cables.",
            core::optional));
}

}  // namespace railwright::topologies
