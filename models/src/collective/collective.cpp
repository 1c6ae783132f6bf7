// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/collective.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "link_loads.hpp"

namespace railwright::models {

namespace {

/// Sums by link. An all-to-all adds up the same few thousand links some hundred times, and sorting
/// them would dominate a search. Between two uses everything is zero.
class LinkSums {
 public:
  void add(const core::LinkUse& use) {
    const auto link = static_cast<std::size_t>(use.link);
    if (link >= sums_.size()) {
      sums_.resize(2 * link + 64);
      used_.resize(sums_.size() / 64 + 1);
    }
    sums_[link] += use.coefficient;
    used_[link / 64] |= std::uint64_t{1} << (link % 64);
    min_ = std::min(min_, link);
    max_ = std::max(max_, link);
  }

  /// Appends the sums in link order and resets them.
  void take(std::vector<core::LinkUse>& uses) {
    if (min_ == kNone) return;
    for (std::size_t word = min_ / 64; word <= max_ / 64; ++word) {
      for (; used_[word] != 0; used_[word] &= used_[word] - 1) {
        const std::size_t link =
            64 * word + static_cast<std::size_t>(std::countr_zero(used_[word]));
        uses.push_back({static_cast<core::LinkId>(link), std::exchange(sums_[link], 0.0)});
      }
    }
    min_ = kNone;
    max_ = 0;
  }

 private:
  std::vector<double> sums_;
  std::vector<std::uint64_t> used_;  ///< one bit per link
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t min_ = kNone;
  std::size_t max_ = 0;
};

thread_local LinkSums sums;

/// Limit of links to sort: they may be far apart, and walking over all between them would take
/// longer.
constexpr std::size_t kFew = 256;

/// So many are sorted in place.
constexpr std::size_t kVeryFew = 24;

/// Keeps the order of uses of the same link.
void sort_by_link(std::vector<core::LinkUse>& uses) {
  if (std::ranges::is_sorted(uses, {}, &core::LinkUse::link)) return;
  if (uses.size() > kVeryFew) {
    // Numbers that tell link and place are sorted faster than the uses, and need no stable sort.
    constexpr unsigned kPlaceBits = 32;
    thread_local std::vector<std::uint64_t> places;
    thread_local std::vector<core::LinkUse> unsorted;
    unsorted = uses;
    places.clear();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      places.push_back(static_cast<std::uint64_t>(uses[i].link) << kPlaceBits | i);
    }
    std::ranges::sort(places);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      uses[i] = unsorted[places[i] & ((std::uint64_t{1} << kPlaceBits) - 1)];
    }
    return;
  }
  for (std::size_t i = 1; i < uses.size(); ++i) {
    const core::LinkUse use = uses[i];
    std::size_t at = i;
    for (; at > 0 && uses[at - 1].link > use.link; --at) uses[at] = uses[at - 1];
    uses[at] = use;
  }
}

void sort_and_add(std::vector<core::LinkUse>& uses) {
  sort_by_link(uses);
  std::size_t num_links = 0;
  for (const core::LinkUse& use : uses) {
    if (num_links > 0 && uses[num_links - 1].link == use.link) {
      uses[num_links - 1].coefficient += use.coefficient;
    } else {
      uses[num_links++] = use;
    }
  }
  uses.resize(num_links);
}

}  // namespace

void add_up(std::vector<core::LinkUse>& uses) {
  if (uses.size() <= kFew) return sort_and_add(uses);
  for (const core::LinkUse& use : uses) sums.add(use);
  uses.clear();
  sums.take(uses);
}

CollectiveFlow merge(std::span<const CollectiveFlow> flows) {
  CollectiveFlow merged;
  std::size_t num_uses = 0;
  for (const CollectiveFlow& flow : flows) {
    num_uses += flow.route.size();
    merged.latency = std::max(merged.latency, flow.latency);
    merged.ceiling = std::min(merged.ceiling, flow.ceiling);
  }
  if (num_uses > kFew) {
    for (const CollectiveFlow& flow : flows) {
      for (const core::LinkUse& use : flow.route) sums.add(use);
    }
    sums.take(merged.route);
  } else {
    merged.route.reserve(num_uses);
    for (const CollectiveFlow& flow : flows) {
      merged.route.insert(merged.route.end(), flow.route.begin(), flow.route.end());
    }
    sort_and_add(merged.route);
  }
  merged.route.shrink_to_fit();
  return merged;
}

CollectiveFlow in_sequence(const CollectiveFlow& first, const CollectiveFlow& second) {
  const CollectiveFlow flows[] = {first, second};
  CollectiveFlow both = merge(flows);
  both.latency = first.latency + second.latency;
  both.ceiling = 1.0 / (1.0 / first.ceiling + 1.0 / second.ceiling);
  return both;
}

core::Duration isolated_time(const CollectiveFlow& flow, double bytes,
                             std::span<const double> capacity) {
  double seconds_per_byte = 1.0 / flow.ceiling;
  for (const core::LinkUse& use : flow.route) {
    seconds_per_byte =
        std::max(seconds_per_byte, use.coefficient / capacity[static_cast<std::size_t>(use.link)]);
  }
  return flow.latency + core::Duration::from_base(seconds_per_byte * bytes);
}

double bus_factor(CollectiveOp op, int num_members) {
  const double share = static_cast<double>(num_members - 1) / num_members;
  switch (op) {
    case CollectiveOp::kAllReduce:
      return 2.0 * share;
    case CollectiveOp::kReduceScatter:
    case CollectiveOp::kAllGather:
    case CollectiveOp::kAllToAll:
      return share;
    case CollectiveOp::kBroadcast:
    case CollectiveOp::kSendReceive:
      break;
  }
  return 1.0;
}

}  // namespace railwright::models
