// SPDX-License-Identifier: Apache-2.0
// Each member with each other one: all-to-all and send.
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
/// All-to-all: each member an equal part to each other one. Between nodes through that member of
/// the sender's node which is on the receiver's rail, where there is one (PXN). Send: each member
/// the whole buffer to the next.
std::vector<core::LinkUse> pairwise_loads(const core::Fabric& fabric, const Groups& groups,
                                          std::span<const int> members, CollectiveOp op);
core::Duration pairwise_overhead(const CollectiveCall& call);
/// Inside a node a member copies its own part as well, and the first chunk of each channel takes
/// longer than those behind it.
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

/// What a buffer of one byte on each member puts on links where a member sends `network_share` of
/// it to its counterparts in the other nodes and `scale_up_share` to the others of its own, to each
/// alike: the kernels of experts' exchanges.
std::vector<core::LinkUse> counterpart_loads(const core::Fabric& fabric, const Groups& groups,
                                             double network_share, double scale_up_share);

}  // namespace railwright::models
