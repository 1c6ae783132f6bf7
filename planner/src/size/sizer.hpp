// SPDX-License-Identifier: Apache-2.0
// Of the clusters of one option the smallest and the fastest that meet the goals.
#pragma once

#include <variant>

#include "trials.hpp"

namespace railwright::planner {

class Sizer {
 public:
  explicit Sizer(Trials& trials) : trials_(trials) {}

  /// The fewest nodes that meet the goals, or why none do.
  std::variant<Sized, Missed> smallest();
  /// The cluster that trains fastest among those that meet the goals; `from` does.
  SizedCluster fastest(int from);

 private:
  const Trial& at(int num_nodes) { return trials_.at(num_nodes); }
  [[nodiscard]] int most() const { return trials_.scenario().goals->parts.max_nodes; }
  [[nodiscard]] Sized sized(int num_nodes);
  [[nodiscard]] Missed missed(int num_nodes);
  [[nodiscard]] int largest_late(int num_nodes) const;
  [[nodiscard]] int next_tried_below(int num_nodes);
  [[nodiscard]] std::vector<StepDown> steps_down(const SizedCluster& cluster);

  Trials& trials_;
};

}  // namespace railwright::planner
