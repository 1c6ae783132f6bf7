// SPDX-License-Identifier: Apache-2.0
// The rates and latencies of a complete scenario.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

/// A value with the dimension of data or work by time, or of time.
struct Rate {
  std::string path;
  std::size_t index = 0;  ///< in the order of the tree
  bool is_time = false;
};

/// Of cluster, software and installation, in the order of the tree.
std::vector<Rate> rates_of(const core::Node& complete);

/// The scenario with some of them `factor` times as fast.
core::Node with_faster(core::Node complete, std::span<const Rate> rates, double factor);

}  // namespace railwright::planner
