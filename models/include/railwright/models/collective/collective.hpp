// SPDX-License-Identifier: Apache-2.0
// What a collective puts on every link of the fabric, as NCCL's rings and trees run it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

/// The buffer of an operation: for all-gather and reduce-scatter the whole, not the shard; for
/// all-to-all what one member sends to all, itself included.
enum class CollectiveOp : std::uint8_t {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kBroadcast,    ///< from the first member
  kAllToAll,     ///< every member an equal part to each
  kSendReceive,  ///< each member the whole buffer to the next; the last sends nothing
};

/// A collective as one flow: `route` holds the bytes on each link for each byte of the buffer.
///
/// Alone it takes latency + bytes / min(ceiling, min over links of capacity / coefficient).
struct CollectiveFlow {
  std::vector<core::LinkUse> route;
  core::Duration latency;
  double ceiling = std::numeric_limits<double>::infinity();  ///< bytes of the buffer a second
};

/// A ring over the members, node by node, in as many channels as the fullest node has members.
///
/// Channel c enters and leaves a node through the NIC of that node's member c: the last member of
/// the node hands over to member c inside the scale-up domain (PXN: only members relay, on the
/// sending side). Each of its edges carries (N-1)/N of the buffer, twice for an all-reduce. Latency
/// is base + steps inside nodes and steps between nodes times their hop latencies. [@nccl]
CollectiveFlow ring_collective(const core::Fabric& fabric, CollectiveOp op,
                               std::span<const int> members, const CollectiveTuning& tuning);

/// A double binary tree over the nodes with a chain inside each: all-reduce only. Every node is
/// inner in one tree and leaf in the other. [@sanders2009twotree]
CollectiveFlow tree_all_reduce(const core::Fabric& fabric, std::span<const int> members,
                               const CollectiveTuning& tuning);

/// Several flows of equal size that run in lockstep: loads add up, the longest latency and the
/// lowest ceiling count.
CollectiveFlow merge(std::span<const CollectiveFlow> flows);

/// Time of a buffer of `bytes` when nothing else is on the fabric; `capacity` in bytes/s by link.
core::Duration isolated_time(const CollectiveFlow& flow, double bytes,
                             std::span<const double> capacity);

}  // namespace railwright::models
