// SPDX-License-Identifier: Apache-2.0
// Flows, and the tables in which the flow network keeps flows and links.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace railwright::core {

using LinkId = std::int32_t;
using FlowId = std::int32_t;

/// The load that one unit of a flow puts on a link: 1 for a byte that crosses once, 2 if two ranks
/// of a collective share the link, 1/read_rate on a disk of capacity 1 shared by reads and writes.
struct LinkUse {
  LinkId link = 0;
  double coefficient = 1.0;
};

/// A transfer of `size` units (bytes, or steps) at one rate over all its links at once, never above
/// `ceiling`. It stands for `multiplicity` equal flows that move `size` each. Fairness compares
/// rate / weight. A flow counted in steps, not bytes, has the weight 1 / bytes-per-step, so that
/// its share of a link equals that of a flow of bytes.
struct Flow {
  std::span<const LinkUse> route{};
  std::int64_t size = 0;
  double ceiling = std::numeric_limits<double>::infinity();
  std::int32_t multiplicity = 1;
  double weight = 1.0;
};

/// One link of a flow's route. Has no initial values, so that arrays of hops grow without writes.
struct Hop {
  LinkId link;
  std::int32_t position;  ///< position of the flow among the link's members
};

/// The part of a link that filling writes. Loads are whole numbers of capacity / 2^60 or so: they
/// add up to the same sum in any order, so nothing drifts in a long run.
struct LinkFill {
  std::int64_t fixed = 0;        ///< load of members limited elsewhere
  std::int32_t num_open = 0;     ///< number of other members
  std::int32_t num_pending = 0;  ///< open members without a level yet
};

struct alignas(64) LinkState {
  std::int64_t room = 0;                                   ///< capacity * scale
  double level = std::numeric_limits<double>::infinity();  ///< of members it limits; infinite: none
  double unit_use = 0.0;  ///< load of each member per unit of level, unless is_mixed
  double carried = 0.0;
  std::int64_t asked = 0;  ///< of all members at their limits, in parts of the room; see kRoomParts
  double parts_per_load = 0.0;
  std::int32_t first_member = 0;
  std::int32_t num_members = 0;
  std::int32_t max_members = 0;  ///< capacity of its block
  std::int8_t block_class = -1;  ///< block class of its members; -1: never had any
  bool is_mixed : 1 = false;
  bool is_dirty : 1 = false;
  bool is_touched : 1 = false;
  bool is_kept : 1 = false;  ///< it could limit its members, so its fill and level are kept
};
static_assert(sizeof(LinkState) == 64, "a link is a line of the cache");

struct FlowState {
  double level = 0.0;  ///< rate / weight
  double rate = 0.0;
  double ceiling = 0.0;
  double limit = 0.0;  ///< the level that its ceiling and its links, each without others, leave it
  double weight = 1.0;
  double use = 0.0;  ///< multiplicity * coefficient on every link; negative if they differ
  std::int32_t first_hop = 0;
  std::int32_t num_hops = 0;
  std::int32_t num_kept = 0;     ///< hops over kept links, which come first
  LinkId bottleneck = -1;        ///< the link that limits it; -1: its limit, or none
  LinkId limit_link = -1;        ///< the link that sets its limit; -1: its ceiling
  std::int8_t block_class = -1;  ///< block class of its hops; -1: none
  bool is_alive = false;
  bool is_new = false;       ///< listed in new_flows_
  bool is_attached = false;  ///< counted in the fills of its links
};

/// Parts of a link's room in which `asked` counts: it holds for 2^31 members that ask for all.
inline constexpr double kRoomParts = 0x1p32;

/// Step of flows that lost their level or have none yet.
inline constexpr std::uint32_t kReleased = 0xffffffff;
/// Step of flows that are new to the current solve.
inline constexpr std::uint32_t kNew = 0xfffffffe;
/// Step of flows that no link limits.
inline constexpr std::uint32_t kUnlimited = 0;

/// The state of a fill after `step`, at `level`. Events above this level leave it unchanged.
struct Checkpoint {
  std::uint32_t step = 0;
  double level = 0.0;
  std::vector<LinkFill> fill;
};

}  // namespace railwright::core
