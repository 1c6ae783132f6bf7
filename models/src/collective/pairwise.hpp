// SPDX-License-Identifier: Apache-2.0
// Pairwise: each member with each other one, for all-to-all and send.
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "library.hpp"
#include "ring.hpp"

namespace railwright::models {

bool pairwise_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                      CollectiveOp op);
double pairwise_steps_inside(const CommunicatorShape& shape, CollectiveOp op);
core::Duration pairwise_latency(const CollectiveCall& call);
/// Computes the loads. All-to-all: each member sends an equal part to each other one; between nodes
/// through a member of its node on the receiver's rail, if there is one (PXN). Send: each member
/// sends the whole buffer to the next.
std::vector<core::LinkUse> pairwise_loads(const core::Fabric& fabric, const Groups& groups,
                                          std::span<const int> members, CollectiveOp op);
core::Duration pairwise_overhead(const CollectiveCall& call);
/// Limits the flow: inside a node, a member copies its own part too, and the first chunk of each
/// channel takes longer than later ones.
void pairwise_limit(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                    CollectiveFlow& flow);

inline constexpr CollectiveAlgorithmKind kPairwise{.name = "pairwise",
                                                   .can_run = pairwise_can_run,
                                                   .steps_inside = pairwise_steps_inside,
                                                   .latency = pairwise_latency,
                                                   .overhead = pairwise_overhead,
                                                   .bandwidth = ring_bandwidth,
                                                   .loads = pairwise_loads,
                                                   .limit = pairwise_limit,
                                                   .num_channels = num_channels_of_rings,
                                                   .message_size = message_of_parts,
                                                   .is_of_all_reduce = false};

/// Computes the loads of a buffer of one byte on each member. A member sends `network_share` of it,
/// in equal parts, to its counterparts in the other nodes and `scale_up_share` to the others of its
/// own node, as the kernels of expert exchanges do.
std::vector<core::LinkUse> counterpart_loads(const core::Fabric& fabric, const Groups& groups,
                                             double network_share, double scale_up_share);

}  // namespace railwright::models
