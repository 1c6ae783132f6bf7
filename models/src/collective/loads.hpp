// SPDX-License-Identifier: Apache-2.0
// Bytes on each link for each byte of the buffer, algorithm by algorithm.
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "railwright/models/collective/collective.hpp"

namespace railwright::models {

/// Rings node by node, one for each channel. Each of a ring's edges carries (N-1)/N of the
/// channel's part, twice for an all-reduce; a broadcast carries all of it on every edge but the one
/// that ends at the first member. The last member of a node hands over to the gate (PXN). Where
/// accelerators are wired pair by pair, what stays in a node goes over all of its links.
std::vector<core::LinkUse> ring_loads(const core::Fabric& fabric, CollectiveOp op,
                                      const Groups& groups);

/// A chain in each node and two trees over the nodes, each for half of the channel's part.
std::vector<core::LinkUse> tree_loads(const core::Fabric& fabric, const Groups& groups);

/// Reduce-scatter in each node so that a gate holds its channels, a ring of each channel's gates,
/// all-gather in each node.
std::vector<core::LinkUse> hierarchical_loads(const core::Fabric& fabric, const Groups& groups);

/// Switches of the scale-up domains add and multicast: of a domain with n members each sends and
/// receives (n+1)/n. Between nodes the two trees.
std::vector<core::LinkUse> nvls_loads(const core::Fabric& fabric, const Groups& groups);

/// As hierarchical, with switches between the nodes that add on the way up to one of them and
/// multicast on the way down: each gate sends and receives its part once.
std::vector<core::LinkUse> collnet_loads(const core::Fabric& fabric, const Groups& groups);

/// Each member an equal part to each other one. Between nodes through that member of the sender's
/// node which is on the receiver's rail, where there is one (PXN).
std::vector<core::LinkUse> all_to_all_loads(const core::Fabric& fabric, const Groups& groups,
                                            std::span<const int> members);

/// Each member the whole buffer to the next.
std::vector<core::LinkUse> send_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members);

}  // namespace railwright::models
