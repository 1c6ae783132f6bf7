// SPDX-License-Identifier: Apache-2.0
// Rings: reduce-scatter, all-gather or both, with a ring per channel.
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "library.hpp"

namespace railwright::models {

bool ring_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op);
double ring_steps_inside(const CommunicatorShape& shape, CollectiveOp op);
core::Duration ring_latency(const CollectiveCall& call);
double ring_bandwidth(const CollectiveCall& call);
/// Computes the loads of rings that go node by node, one per channel. Each of a ring's edges
/// carries (N-1)/N of the channel's part, twice for an all-reduce; a broadcast carries all of it on
/// every edge except the one that ends at the first member. The last member of a node hands over to
/// the gate (PXN). If accelerators are wired pair by pair, traffic inside a node uses all of its
/// links.
std::vector<core::LinkUse> ring_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp op);
/// Limits the flow. A member's part moves in two slices, one passed on while the other arrives. So
/// the bus carries one slice more, at most what the buffers of all channels hold. With Simple, a
/// step cannot end before the next member sees the slice, so short slices wait for their latency.
void ring_limit(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                CollectiveFlow& flow);

inline constexpr CollectiveAlgorithmKind kRing{.name = "ring",
                                               .can_run = ring_can_run,
                                               .steps_inside = ring_steps_inside,
                                               .latency = ring_latency,
                                               .bandwidth = ring_bandwidth,
                                               .loads = ring_loads,
                                               .limit = ring_limit,
                                               .num_channels = num_channels_of_rings,
                                               .message_size = message_of_parts,
                                               .is_chosen = true,
                                               .has_low_latency = true,
                                               .simple_penalty = 1.4};

}  // namespace railwright::models
