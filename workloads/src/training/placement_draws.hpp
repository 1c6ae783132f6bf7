// SPDX-License-Identifier: Apache-2.0
// A step over several draws of the places of a job's nodes.
#pragma once

#include <cstdint>

#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

struct CheckedScenario;
struct Scenario;

/// Counts the draws that a step is a mean over: 1 unless nodes are scattered, then 32, on more than
/// 1,024 accelerators fewer, down to 8. The same for all fabrics, so that their means compare.
int num_placement_draws(const Scenario& scenario);

/// Builds the cluster with the places of one draw of its seed; draw 0 is the cluster as described.
topologies::BuiltCluster build_draw(const CheckedScenario& checked, std::uint64_t draw);

}  // namespace railwright::simulation
