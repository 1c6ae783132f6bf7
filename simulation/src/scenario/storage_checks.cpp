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

using Problems = std::vector<core::Problem>;

void refuse(std::string key, std::string message, Problems& problems, std::string hint = {}) {
  problems.push_back({std::move(key), std::move(message), std::move(hint)});
}

/// Refuses nodes that need a front-end network, for the reason given.
void refuse_front_end_nodes(const topologies::Cluster& cluster, const char* why,
                            Problems& problems) {
  if (cluster.control_plane) refuse("cluster.control_plane", why, problems);
  if (cluster.data_preparation) refuse("cluster.data_preparation", why, problems);
}

/// Checks that every node reaches every storage node: over switches that are joined, or since one
/// of both has a port on each switch.
void check_front_end(const topologies::Cluster& cluster, Problems& problems) {
  const topologies::StorageCluster& storage = *cluster.storage;
  if (!storage.front_end_switch) {
    refuse(kStorage, "missing key 'switch'", problems,
           "it gives: the switch of the front end; or say network: scale_out");
    return;
  }
  const int nic_ports = cluster.node.front_end.nic.num_ports;
  const int storage_ports = storage.node.num_front_end_ports.value;
  const int ports = std::max(nic_ports, storage_ports);
  const bool is_joined =
      storage.peer_links > 0 || storage.wiring == topologies::FrontEndWiring::kLeafSpine;
  if (is_joined || storage.num_switches <= ports) return;
  refuse(kStorage + ".peer_links",
         fmt::format("0 leaves {} front-end switches apart, and neither a NIC of {} ports nor a "
                     "storage node of {} reaches all of them",
                     storage.num_switches, nic_ports, storage_ports),
         problems,
         fmt::format("join the switches with peer_links of at least 1, or take at most {}", ports));
}

void check_scale_out(const core::Node& tree, const topologies::Cluster& cluster,
                     Problems& problems) {
  const core::Node& keys = *tree.find("cluster")->find("storage");
  for (const char* key : {"switch", "wiring", "num_switches", "peer_links"}) {
    const core::Node* given = keys.find(key);
    if (given == nullptr || given->text == "joined") continue;  // what it is where nobody says
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

/// Returns the names of values, with commas.
template <class Value>
std::string names_of(const std::vector<Value>& values) {
  std::string names;
  for (const Value value : values) {
    if (!names.empty()) names += ", ";
    names += core::to_string(value);
  }
  return names;
}

/// Checks the nodes of the pool at `where`, a path.
void check_pool(const std::string& where, const core::StorageNode& node, int count,
                Problems& problems) {
  if (count < node.min_nodes.value || count > node.max_nodes.value) {
    refuse(where + ".count",
           fmt::format("a cluster of {} has {} to {} nodes, got {}", node.name,
                       node.min_nodes.value, node.max_nodes.value, count),
           problems);
    return;
  }
  const core::Protection protection = node.protection.value;
  const std::vector<core::Protection>& offered = node.protections.value;
  if (!offered.empty() && std::ranges::find(offered, protection) == offered.end()) {
    refuse(where + ".node.protection",
           fmt::format("{} does not offer {}", node.name, core::to_string(protection)), problems,
           "it offers " + names_of(offered));
  }
  const auto need_nodes = [&](core::Protection needed, const char* key, int nodes) {
    const int fewest = models::min_nodes(needed);
    if (nodes >= fewest) return;
    refuse(core::join_path(where, key),
           fmt::format("protection {} needs at least {} nodes, got {}", core::to_string(needed),
                       fewest, nodes),
           problems);
  };
  need_nodes(protection, "node.protection", count);
  need_nodes(models::rated_protection(node), "node.rated_nodes", node.rated_nodes.value);
}

/// Checks that clients and storage nodes speak a common protocol.
void check_mount(const topologies::StorageCluster& storage, Problems& problems) {
  const auto& spoken = storage.node.protocols.value;
  const auto& mounted = storage.mount.protocols.value;
  if (spoken.empty() || mounted.empty()) return;
  if (std::ranges::find_first_of(mounted, spoken) != mounted.end()) return;
  refuse(kStorage + ".mount",
         fmt::format("{} runs over {}, and {} speaks {}", storage.mount.name, names_of(mounted),
                     storage.node.name, names_of(spoken)),
         problems);
}

}  // namespace

std::vector<core::Problem> storage_problems(const core::Node& tree,
                                            const topologies::Cluster& cluster) {
  Problems problems;
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
  check_pool(kStorage, cluster.storage->node, cluster.storage->count, problems);
  check_mount(*cluster.storage, problems);
  if (const auto& archive = cluster.storage->archive) {
    check_pool(kStorage + ".archive", archive->node, archive->count, problems);
  }
  return problems;
}

}  // namespace railwright::simulation
