// SPDX-License-Identifier: Apache-2.0
// Threads that make rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "group_cache.hpp"

namespace railwright::planner {

/// Source of points and destination of rows. Any thread may call either.
struct RowFlow {
  std::function<std::vector<std::int64_t>(std::size_t most)> next;  ///< empty: no more
  std::function<bool(std::vector<SweepRow> rows)> put;              ///< false: no more
};

/// Makes rows until points end; stops after those under way once the options' `stop` is set.
void make_rows(const SweepBase& base, GroupCache& groups, int num_threads, const RowFlow& flow);

}  // namespace railwright::planner
