// SPDX-License-Identifier: Apache-2.0
// Takes the faults of a cluster out of its fabric.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/topologies/cluster/faults.hpp"

namespace railwright::topologies {

/// An impossible entry of a cluster's `faults`.
struct FaultProblem {
  std::string key;      ///< key below `cluster.faults`: "switches.0"; "" for all together
  std::string message;  ///< "no switch 'leaf 9'"
  std::string hint;     ///< "known: leaf 0 to leaf 7, spine 0 to spine 3"
};

/// Takes failed devices out of service. Returns names and indices that the fabric lacks, and nodes
/// that are cut off from the others.
std::vector<FaultProblem> apply_faults(core::Fabric& fabric, const Faults& faults);

}  // namespace railwright::topologies
