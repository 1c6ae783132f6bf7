// SPDX-License-Identifier: Apache-2.0
// CollNet: the switches between the nodes reduce and multicast (SHARP).
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "library.hpp"

namespace railwright::models {

bool collnet_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                     CollectiveOp op);
double collnet_steps_inside(const CommunicatorShape& shape, CollectiveOp op);
core::Duration collnet_latency(const CollectiveCall& call);
double collnet_bandwidth(const CollectiveCall& call);
/// Computes the loads of hierarchical, but with switches between the nodes that reduce on the way
/// up to one of them and multicast on the way down: each gate sends and receives its part once.
std::vector<core::LinkUse> collnet_loads(const core::Fabric& fabric, const Groups& groups,
                                         std::span<const int> members, CollectiveOp op);

inline constexpr CollectiveAlgorithmKind kCollNet{.name = "collnet",
                                                  .can_run = collnet_can_run,
                                                  .steps_inside = collnet_steps_inside,
                                                  .latency = collnet_latency,
                                                  .bandwidth = collnet_bandwidth,
                                                  .loads = collnet_loads,
                                                  .limit = limit_by_protocol,
                                                  .num_channels = num_channels_of_rings,
                                                  .message_size = message_of_parts,
                                                  .is_chosen = true,
                                                  .adds_in_network = true};

}  // namespace railwright::models
