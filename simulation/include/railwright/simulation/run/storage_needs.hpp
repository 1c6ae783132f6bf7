// SPDX-License-Identifier: Apache-2.0
// Number of storage nodes that each target needs.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "railwright/simulation/run/run.hpp"
#include "railwright/topologies/cluster/cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

/// Returns the fewest storage nodes that a device and its protection allow.
int min_storage_nodes(const topologies::StorageCluster& storage);

/// Returns the largest number of storage nodes, up to what the device allows, that leaves of the
/// scale-out fabric have ports for. The cluster's own number must fit.
int max_storage_nodes(const topologies::Topology& topology, topologies::Cluster cluster);

/// Returns the smallest number from `fewest` to `most` for which `holds` is true, by bisection; 0
/// if it is false for `most`.
template <class Holds>
int smallest(int fewest, int most, const Holds& holds) {
  if (!holds(most)) return 0;
  while (fewest < most) {
    const int middle = fewest + (most - fewest) / 2;
    if (holds(middle)) {
      most = middle;
    } else {
      fewest = middle + 1;
    }
  }
  return most;
}

/// Does the same in fewer tries where `near` is near the answer: in steps that double from there.
template <class Holds>
int smallest(int fewest, int most, const Holds& holds, int near) {
  if (near < fewest || near > most) return smallest(fewest, most, holds);
  int step = 1;
  if (!holds(near)) {
    while (near < most) {
      const int next = std::min(most, near + step);
      if (holds(next)) return smallest(near + 1, next, holds);
      near = next;
      step *= 2;
    }
    return 0;
  }
  while (near > fewest) {
    const int next = std::max(fewest, near - step);
    if (!holds(next)) return smallest(next + 1, near, holds);
    near = next;
    step *= 2;
  }
  return near;
}

/// Clusters that differ in the number of storage nodes. Rates of reads and writes shape none.
class BuiltByCount {
 public:
  /// Returns the cluster with so many, built by the first caller of any thread.
  const topologies::BuiltCluster& with(int num_nodes, const topologies::Topology& topology,
                                       topologies::Cluster cluster);

 private:
  std::mutex mutex_;
  std::map<int, topologies::BuiltCluster> built_;
};

/// Returns, for each target, the smallest number of storage nodes that meets it, by bisection
/// between the numbers that the device allows. Each number has a fabric of its own.
std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets);
std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets,
                                       BuiltByCount& built);
/// Whether so many storage nodes meet all targets.
bool holds_targets(const RunJob& job, const StorageTargets& targets, int num_nodes,
                   BuiltByCount& built);
/// Returns the first target that no number of storage nodes holds, with a need of 0; nothing if
/// storage_needs() finds a number for each. Tries the largest number alone. With checkpoints by the
/// clock, the answer is the same for all step times.
std::optional<StorageNeed> unheld_need(const RunJob& job, const StorageTargets& targets,
                                       BuiltByCount& built);

/// Returns the room for the checkpoints to be kept of all jobs, and for all else on storage.
core::DataSize room_needed(std::span<const RunJob> jobs, const core::Fabric& fabric,
                           const RunPlan& plan, const topologies::StorageCluster& storage,
                           int checkpoints_kept);

/// Needs that are known of the same jobs on storage nodes with other rates.
struct KnownNeeds {
  std::vector<StorageNeed> needs;
  core::StorageNode node;
};

/// Returns the number near which the target's need lies with the rates of `node`; nothing if they
/// do not change it.
std::optional<int> need_nearby(const KnownNeeds& known, std::string_view target,
                               const core::StorageNode& node);

/// Returns the needs with other rates; tries few numbers of nodes.
std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets,
                                       const KnownNeeds& known, BuiltByCount& built);

}  // namespace railwright::simulation
