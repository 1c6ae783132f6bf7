// SPDX-License-Identifier: Apache-2.0
// Sizes of replicas that `simulate` tries where a scenario gives none, and `search` within its
// space.
#pragma once

#include <optional>
#include <vector>

#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Returns the numbers of accelerators that a node can be divided into; 1 alone where they do not
/// reach each other.
std::vector<int> parts_of_node(const core::ComputeNode& node);

/// Returns the accelerators that divide a node and that the heads allow, or the wanted number.
std::vector<int> divisions(const CheckedInference& checked, const std::optional<int>& wanted);
/// Returns the sizes of a replica that are tried: within a node, or as the scenario says.
std::vector<models::ReplicaSize> replica_sizes(const CheckedInference& checked);
/// Returns the sizes that are tried where no node holds the model: stages on whole nodes or, with
/// data-parallel attention, experts spread over them. None if the scenario gives a size.
std::vector<models::ReplicaSize> sizes_over_nodes(const CheckedInference& checked);

}  // namespace railwright::simulation
