// SPDX-License-Identifier: Apache-2.0
// Faults of a cluster, taken out of its fabric.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/topologies/cluster/faults.hpp"

namespace railwright::topologies {

/// What a cluster's `faults` say that cannot be.
struct FaultProblem {
  std::string key;      ///< below `cluster.faults`: "switches.0"; "" for them together
  std::string message;  ///< "no switch 'leaf 9'"
  std::string hint;     ///< "known: leaf 0 to leaf 7, spine 0 to spine 3"
};

/// Takes out of service what has failed. Returns names and indices that the fabric does not have,
/// and nodes that are cut off from the others.
std::vector<FaultProblem> apply_faults(core::Fabric& fabric, const Faults& faults);

}  // namespace railwright::topologies
