// SPDX-License-Identifier: Apache-2.0
// The rows of a small sweep in memory, for a page that shows them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::planner {

/// A sweep that ran, with all rows of its shard.
struct SweepWithRows {
  SweepSummary summary;
  std::vector<SweepColumn> columns;                        ///< of `rows`
  std::map<std::int64_t, std::vector<SweepValue>> rows{};  ///< cells by point
};

/// Runs the sweep as Sweep::run() does, and keeps its rows. Those that the table had before are
/// made once more. Throws TableError.
SweepWithRows run_with_rows(const Sweep& sweep, SweepTable& table);

}  // namespace railwright::planner
