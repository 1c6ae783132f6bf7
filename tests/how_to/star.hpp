// SPDX-License-Identifier: Apache-2.0
// An algorithm of its own, added as the how-to says: all to the first member, and back.
#pragma once

#include <span>
#include <vector>

#include "../../models/src/collective/groups.hpp"
#include "../../models/src/collective/library.hpp"

namespace railwright::models {

bool star_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op);
double star_steps_inside(const CommunicatorShape& shape, CollectiveOp op);
core::Duration star_latency(const CollectiveCall& call);
double star_bandwidth(const CollectiveCall& call);
std::vector<core::LinkUse> star_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp op);

inline constexpr CollectiveAlgorithmKind kStar{.name = "star",
                                               .can_run = star_can_run,
                                               .steps_inside = star_steps_inside,
                                               .latency = star_latency,
                                               .bandwidth = star_bandwidth,
                                               .loads = star_loads,
                                               .limit = limit_by_protocol,
                                               .num_channels = num_channels_of_rings,
                                               .message_size = message_of_whole};

}  // namespace railwright::models
