// SPDX-License-Identifier: Apache-2.0
// Hierarchical: reduce-scatter in the nodes, rings of rails between them, all-gather.
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "library.hpp"
#include "ring.hpp"
#include "tree.hpp"

namespace railwright::models {

bool hierarchical_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                          CollectiveOp op);
core::Duration hierarchical_latency(const CollectiveCall& call);
/// Computes the loads: reduce-scatter in each node so that a gate holds its channels, a ring of
/// each channel's gates, all-gather in each node.
std::vector<core::LinkUse> hierarchical_loads(const core::Fabric& fabric, const Groups& groups,
                                              std::span<const int> members, CollectiveOp op);

inline constexpr CollectiveAlgorithmKind kHierarchical{.name = "hierarchical",
                                                       .can_run = hierarchical_can_run,
                                                       .steps_inside = tree_steps_inside,
                                                       .latency = hierarchical_latency,
                                                       .bandwidth = ring_bandwidth,
                                                       .loads = hierarchical_loads,
                                                       .limit = limit_by_protocol,
                                                       .num_channels = num_channels_of_rings,
                                                       .message_size = message_of_parts};

}  // namespace railwright::models
