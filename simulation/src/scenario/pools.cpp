// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/pools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/core/config/report.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/topologies/cluster/node_pool_fields.hpp"

namespace railwright::simulation {

namespace {

/// Keys of a cluster of one kind of node that each pool has of its own.
struct PoolKey {
  std::string_view name;
  std::string_view gives;
};
constexpr auto kPoolKeys = std::to_array<PoolKey>(
    {{"nodes", "how many nodes"}, {"node", "the node"}, {"fabric", "the scale-out fabric"}});

bool is_of_pool(std::string_view key) {
  return std::ranges::find(kPoolKeys, key, &PoolKey::name) != kPoolKeys.end();
}

const core::Node* pools_of(const core::Node& tree) {
  const core::Node* cluster = tree.find("cluster");
  if (cluster == nullptr || !cluster->is_mapping()) return nullptr;
  const core::Node* pools = cluster->find("pools");
  return pools == nullptr || pools->kind == core::Node::Kind::kNull ? nullptr : pools;
}

void check_one_kind(const core::Node& tree, core::Reader& reader) {
  const core::Node* cluster = tree.find("cluster");
  if (cluster == nullptr || !cluster->is_mapping()) return;
  for (const PoolKey& key : kPoolKeys) {
    if (cluster->find(key.name) != nullptr) continue;
    reader.report(
        cluster->where, "cluster", fmt::format("missing key '{}'", key.name),
        fmt::format("it gives: {}; nodes of several kinds are written as pools", key.gives));
  }
}

void check_shared_keys(const topologies::PooledCluster& cluster, const core::Report& report) {
  for (const PoolKey& key : kPoolKeys) {
    const std::string path = core::join_path("cluster", key.name);
    if (report.find(path) == nullptr) continue;
    report(path, fmt::format("has no place beside pools: each pool gives {} of its own", key.gives),
           "move it into a pool of cluster.pools");
  }
  for (const char* key : {"cluster.faults", "cluster.placement"}) {
    if (report.find(key) == nullptr) continue;
    report(key, "is of one fabric, and each pool has its own: leave it out");
  }
  if (cluster.storage && cluster.storage->network == topologies::StorageAttachment::kScaleOut) {
    report("cluster.storage.network",
           "scale_out is the fabric of one kind of node; pools share a front end",
           "name cluster.storage.switch, the switch of the front end");
  }
}

void check_names(const std::vector<topologies::NodePool>& pools, const core::Report& report) {
  if (pools.size() < 2) {
    report("cluster.pools",
           fmt::format("{} pool{}: pools are nodes of several kinds", pools.size(),
                       pools.size() == 1 ? "" : "s"),
           "write nodes of one kind as cluster.nodes, cluster.node and cluster.fabric");
  }
  for (std::size_t p = 0; p < pools.size(); ++p) {
    const std::string path = fmt::format("cluster.pools.{}.name", p);
    if (pools[p].name.empty()) report(path, "needs at least one letter");
    const auto same = std::ranges::find(pools, pools[p].name, &topologies::NodePool::name);
    if (same - pools.begin() < static_cast<std::ptrdiff_t>(p)) {
      report(path, fmt::format("'{}' is the name of another pool too", pools[p].name));
    }
  }
}

}  // namespace

bool has_pools(const core::Node& tree) { return pools_of(tree) != nullptr; }

core::Node tree_of_pool(const core::Node& tree, std::size_t pool) {
  const core::Node own = pools_of(tree)->items.at(pool);
  core::Node made = tree;
  for (core::Entry& entry : made.entries) {
    if (entry.key != "cluster") continue;
    std::erase_if(entry.value.entries, [](const core::Entry& key) {
      return key.key == "pools" || key.key == "between_pools";
    });
    for (const core::Entry& key : own.entries) {
      if (is_of_pool(key.key)) entry.value.entries.push_back(key);
    }
  }
  return made;
}

core::Diagnostic at_pool(std::size_t pool, core::Diagnostic problem) {
  constexpr std::string_view kCluster = "cluster.";
  if (!problem.path.starts_with(kCluster)) return problem;
  const std::string rest = problem.path.substr(kCluster.size());
  if (!is_of_pool(std::string_view(rest).substr(0, rest.find('.')))) return problem;
  problem.path = fmt::format("cluster.pools.{}.{}", pool, rest);
  return problem;
}

void check_pools(const core::Node& tree, const topologies::PooledCluster& cluster,
                 core::Reader& reader) {
  const core::Report report(tree, reader);
  if (!cluster.pools) {
    if (cluster.between_pools) {
      report("cluster.between_pools", "has nothing to be between: the cluster has no pools");
    }
    return check_one_kind(tree, reader);
  }
  check_shared_keys(cluster, report);
  check_names(*cluster.pools, report);
}

std::vector<topologies::Pool> read_pools(const core::Node& tree, const core::Catalogue& catalogue) {
  if (!has_pools(tree)) {
    CheckedCluster one = read_cluster(tree, catalogue);
    return {{.name = {}, .cluster = std::move(one.cluster), .topology = std::move(one.topology)}};
  }
  core::Reader reader(&catalogue);
  topologies::PooledCluster written;
  reader.read(*tree.find("cluster"), "cluster", written);
  if (reader.diagnostics().empty()) check_pools(tree, written, reader);
  reader.throw_if_any();
  std::vector<topologies::Pool> pools;
  std::vector<core::Diagnostic> problems;
  int first_node = 0;
  for (std::size_t p = 0; p < written.pools->size(); ++p) {
    try {
      CheckedCluster one = read_cluster(tree_of_pool(tree, p), catalogue);
      const int num_nodes = one.cluster.num_nodes;
      pools.push_back({.name = (*written.pools)[p].name,
                       .cluster = std::move(one.cluster),
                       .topology = std::move(one.topology),
                       .first_node = first_node});
      first_node += num_nodes;
    } catch (const core::ConfigError& error) {
      for (const core::Diagnostic& one : error.diagnostics()) problems.push_back(at_pool(p, one));
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return pools;
}

}  // namespace railwright::simulation
