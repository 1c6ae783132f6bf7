// SPDX-License-Identifier: Apache-2.0
// Trees: two complementary binary ones over the nodes, a chain in each node.
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "library.hpp"

namespace railwright::models {

bool tree_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op);
double tree_steps_inside(const CommunicatorShape& shape, CollectiveOp op);
core::Duration tree_latency(const CollectiveCall& call);
core::Duration tree_overhead(const CollectiveCall& call);
double tree_bandwidth(const CollectiveCall& call);
/// Computes the loads of a chain in each node and two trees over the nodes, each for half of the
/// channel's part.
std::vector<core::LinkUse> tree_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp op);
void tree_limit(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                CollectiveFlow& flow);

inline constexpr CollectiveAlgorithmKind kTree{.name = "tree",
                                               .can_run = tree_can_run,
                                               .steps_inside = tree_steps_inside,
                                               .latency = tree_latency,
                                               .overhead = tree_overhead,
                                               .bandwidth = tree_bandwidth,
                                               .loads = tree_loads,
                                               .limit = tree_limit,
                                               .num_channels = num_channels_of_rings,
                                               .message_size = message_of_whole,
                                               .is_chosen = true,
                                               .has_low_latency = true,
                                               .needs_nodes = true};

}  // namespace railwright::models
