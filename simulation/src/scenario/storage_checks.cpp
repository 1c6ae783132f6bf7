// SPDX-License-Identifier: Apache-2.0
#include "storage_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/models/storage/protection.hpp"

namespace railwright::simulation {

namespace {

const std::string kStorage = "cluster.storage";

using Diagnostics = std::vector<core::Diagnostic>;

void refuse(std::string key, std::string message, Diagnostics& problems, std::string hint = {}) {
  problems.push_back({{}, std::move(key), std::move(message), std::move(hint)});
}

/// Refuses nodes that need a front-end network, for the reason given.
void refuse_front_end_nodes(const topologies::Cluster& cluster, const char* why,
                            Diagnostics& problems) {
  if (cluster.control_plane) refuse("cluster.control_plane", why, problems);
  if (cluster.data_preparation) refuse("cluster.data_preparation", why, problems);
}

/// Checks that every node reaches every storage node: over switches that are joined, or since one
/// of both has a port on each switch.
void check_front_end(const topologies::Cluster& cluster, Diagnostics& problems) {
  const topologies::StorageCluster& storage = *cluster.storage;
  if (!storage.front_end_switch) {
    refuse(kStorage, "missing key 'switch'", problems,
           "it gives: the switch of the front end; or say network: scale_out");
    return;
  }
  const int nic_ports = cluster.node.front_end.nic.num_ports;
  const int storage_ports = storage.node.num_front_end_ports.value;
  const int ports = std::max(nic_ports, storage_ports);
  if (storage.peer_links > 0 || storage.num_switches <= ports) return;
  refuse(kStorage + ".peer_links",
         fmt::format("0 leaves {} front-end switches apart, and neither a NIC of {} ports nor a "
                     "storage node of {} reaches all of them",
                     storage.num_switches, nic_ports, storage_ports),
         problems,
         fmt::format("join the switches with peer_links of at least 1, or take at most {}", ports));
}

void check_scale_out(const core::Node& tree, const topologies::Cluster& cluster,
                     Diagnostics& problems) {
  const core::Node& keys = *tree.find("cluster")->find("storage");
  for (const char* key : {"switch", "num_switches", "peer_links"}) {
    if (keys.find(key) == nullptr) continue;
    refuse(core::join_path(kStorage, key),
           "is of a front end, which network scale_out does without: leave it out", problems);
  }
  if (cluster.node.nics.count == 0) {
    refuse(kStorage + ".network", "scale_out needs nodes with scale-out NICs, these have none",
           problems);
  }
  refuse_front_end_nodes(
      cluster, "these nodes need a front-end network, and cluster.storage.network is scale_out",
      problems);
}

void check_nodes(const topologies::StorageCluster& storage, Diagnostics& problems) {
  const core::StorageNode& node = storage.node;
  if (storage.count < node.min_nodes.value || storage.count > node.max_nodes.value) {
    refuse(kStorage + ".count",
           fmt::format("a cluster of {} has {} to {} nodes, got {}", node.name,
                       node.min_nodes.value, node.max_nodes.value, storage.count),
           problems);
    return;
  }
  const auto need_nodes = [&](core::Protection protection, const char* key, int nodes) {
    const int fewest = models::min_nodes(protection);
    if (nodes >= fewest) return;
    refuse(core::join_path(kStorage, key),
           fmt::format("protection {} needs at least {} nodes, got {}", core::to_string(protection),
                       fewest, nodes),
           problems);
  };
  need_nodes(node.protection.value, "node.protection", storage.count);
  need_nodes(models::rated_protection(node), "node.rated_nodes", node.rated_nodes.value);
}

}  // namespace

std::vector<core::Diagnostic> storage_problems(const core::Node& tree,
                                               const topologies::Cluster& cluster) {
  Diagnostics problems;
  if (!cluster.storage) {
    refuse_front_end_nodes(
        cluster, "these nodes need a front-end network, which cluster.storage gives", problems);
    return problems;
  }
  if (cluster.storage->network == topologies::StorageAttachment::kFrontEnd) {
    check_front_end(cluster, problems);
  } else {
    check_scale_out(tree, cluster, problems);
  }
  check_nodes(*cluster.storage, problems);
  return problems;
}

}  // namespace railwright::simulation
