// SPDX-License-Identifier: Apache-2.0
// Checks that adapters, their transport and the switches they lead to share a link protocol.
#pragma once

#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::simulation {

/// Returns the problems. The cluster's fabric must be resolved: a mapping with the names or
/// descriptions of its switches.
std::vector<core::Problem> link_problems(const topologies::Cluster& cluster,
                                         const core::Catalogue& catalogue);

}  // namespace railwright::simulation
