// SPDX-License-Identifier: Apache-2.0
// The load that a collective puts on every link of the fabric.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/sim/flow_state.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Operations. Their buffer is the whole for all-gather and reduce-scatter, not the shard; for
/// all-to-all it is what one member sends to all, including itself.
enum class CollectiveOp : std::uint8_t {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kBroadcast,    ///< from the first member
  kAllToAll,     ///< every member sends an equal part to each
  kSendReceive,  ///< each member sends the whole buffer to the next; the last nothing
};

constexpr auto enum_words(CollectiveOp) {
  using enum CollectiveOp;
  return core::words<CollectiveOp>({{"all_reduce", kAllReduce},
                                    {"reduce_scatter", kReduceScatter},
                                    {"all_gather", kAllGather},
                                    {"broadcast", kBroadcast},
                                    {"all_to_all", kAllToAll},
                                    {"send_receive", kSendReceive}});
}

/// A collective as one flow: `route` holds the bytes on each link for each byte of the buffer.
///
/// Without other traffic it takes latency + bytes / min(ceiling, min over links of capacity /
/// coefficient).
struct CollectiveFlow {
  std::vector<core::LinkUse> route;
  core::Duration latency;
  double ceiling = std::numeric_limits<double>::infinity();  ///< bytes of the buffer per second
};

/// Merges flows of equal size that run in lockstep: loads add up, and the longest latency and the
/// lowest ceiling apply.
CollectiveFlow merge(std::span<const CollectiveFlow> flows);

/// Joins two consecutive flows on the same buffer into one; exact if the same link limits both and
/// carries nothing else.
CollectiveFlow in_sequence(const CollectiveFlow& first, const CollectiveFlow& second);

/// Computes the time of a buffer of `bytes` on an otherwise idle fabric; `capacity` in bytes/s by
/// link.
core::Duration isolated_time(const CollectiveFlow& flow, double bytes,
                             std::span<const double> capacity);

/// Computes the bytes that a bus would carry for each byte of the buffer: 2 (n - 1) / n for an
/// all-reduce, (n - 1) / n for reduce-scatter, all-gather and all-to-all, 1 for the others.
/// [@nccl_tests]
double bus_factor(CollectiveOp op, int num_members);

}  // namespace railwright::models
