// SPDX-License-Identifier: Apache-2.0
// The order of passes in a pipeline stage, chosen by name from a table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "railwright/core/config/row.hpp"

namespace railwright::models {

struct Layout;
struct Pass;

/// A row of the table of schedules: its properties for any layout, and its passes.
struct ScheduleKind {
  /// All schedules, 1F1B first.
  static std::span<const ScheduleKind> table();

  std::string_view name;
  /// Returns all passes of a stage in order.
  std::vector<Pass> (*order)(const Layout& layout, int stage);
  /// Share of the time that an ideal pipeline of equal stages is idle.
  double (*bubble_fraction)(const Layout& layout);
  /// Returns the forward passes of a stage before its first backward pass; one more than these are
  /// in flight at once. Null if only the order tells how many are.
  int (*num_warmup_passes)(const Layout& layout, int stage) = nullptr;
  bool runs_on_one_stage = false;   ///< also without a pipeline
  bool interleaves = false;         ///< several model chunks a stage
  bool splits_backward = false;     ///< weight gradients are passes of their own
  bool fills_the_way_back = false;  ///< in flight are at most as many as stages to the end
  int num_directions = 1;           ///< directions in which micro-batches pass the stages
};

using Schedule = core::Row<ScheduleKind>;

}  // namespace railwright::models
