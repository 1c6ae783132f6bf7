// SPDX-License-Identifier: Apache-2.0
// The most nodes that a fabric of fixed size takes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

/// Nodes that a cluster has at most: the limit of `cluster.nodes`.
inline constexpr int kMaxNodes = 65536;

/// Says what so many nodes lack to be plugged in; "" if they can be.
using MissingOn = std::function<std::string(int)>;

/// Returns the largest number from `low` to below `high` for which `holds` is true, by halves; it
/// is true for `low`, or `low` is 0, and false for `high`.
template <class Holds>
int largest_below(int low, int high, const Holds& holds) {
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

/// Returns what the cluster of `tree` lacks on so many nodes, with its own switches.
MissingOn missing_of(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the most nodes below `too_many` that can be plugged in; 0 if none can.
inline int most_nodes_of_fabric(int too_many, const MissingOn& missing) {
  return largest_below(0, too_many, [&](int n) { return missing(n).empty(); });
}

/// Says that `needed` nodes are more than can be plugged in, and why; "" if they can be.
std::string beyond_fabric(std::int64_t needed, const MissingOn& missing);

}  // namespace railwright::planner
