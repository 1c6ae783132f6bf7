// SPDX-License-Identifier: Apache-2.0
// Takes the faults of a cluster out of its fabric.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/topologies/cluster/faults.hpp"

namespace railwright::topologies {

/// Takes failed devices out of service. Returns names and indices that the fabric lacks, by their
/// keys below `cluster.faults` ("switches.0"), and nodes that are cut off from the others, under
/// "".
std::vector<core::Problem> apply_faults(core::Fabric& fabric, const Faults& faults);

}  // namespace railwright::topologies
