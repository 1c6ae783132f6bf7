// SPDX-License-Identifier: Apache-2.0
// Number of storage nodes that each target needs.
#pragma once

#include <vector>

#include "railwright/simulation/run/run.hpp"

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

/// Returns, for each target, the smallest number of storage nodes that meets it, by bisection
/// between the numbers that the device allows. Each number has a fabric of its own.
std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets);

}  // namespace railwright::simulation
