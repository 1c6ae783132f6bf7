// SPDX-License-Identifier: Apache-2.0
// The rates and latencies of a complete scenario.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::planner {

/// A value in data or work per time, or in time.
struct Rate {
  std::string path;
  std::vector<std::size_t> steps;  ///< to its node: at each, the index of the entry or item
  core::ParsedQuantity quantity;
  bool is_time = false;
};

/// Lists rates and latencies of cluster, software and installation, in the order of the tree.
std::vector<Rate> rates_of(const core::Node& complete);

/// Returns the scenario with these rates and latencies `factor` times as fast.
core::Node with_faster(core::Node complete, std::span<const Rate> rates, double factor);

}  // namespace railwright::planner
