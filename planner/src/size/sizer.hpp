// SPDX-License-Identifier: Apache-2.0
// Finds the smallest and the fastest cluster of one option that meet the goals.
#pragma once

#include <variant>

#include "trials.hpp"

namespace railwright::planner {

/// Returns the samples that a cluster trains on in a second, at the confidence of the goals.
double speed_of(const SizedCluster& cluster);

class Sizer {
 public:
  explicit Sizer(Trials& trials) : trials_(trials) {}

  /// Finds the fewest nodes that meet the goals, or the reason that none do.
  std::variant<Sized, Missed> smallest();
  /// Finds the cluster within the limits that trains fastest, or the reason that none is. Looks for
  /// the most nodes that are within, and at those below: single nodes decide on divisibility.
  std::variant<Sized, Missed> best_within();
  /// Finds the fastest cluster tried that meets the goals; a cluster of `from` nodes does.
  SizedCluster fastest(int from);

 private:
  const Trial& at(int num_nodes) { return trials_.at(num_nodes); }
  [[nodiscard]] int most() const { return trials_.scenario().goals->parts.max_nodes; }
  [[nodiscard]] Sized sized(int num_nodes);
  [[nodiscard]] Missed missed(int num_nodes);
  [[nodiscard]] Missed missed_on_fabric(int too_many);
  [[nodiscard]] bool is_within(int num_nodes);
  [[nodiscard]] std::string limit_above(int num_nodes, int too_many);
  [[nodiscard]] int first() const;
  [[nodiscard]] int largest_late(int num_nodes);
  [[nodiscard]] int next_tried_below(int num_nodes);
  [[nodiscard]] std::vector<StepDown> steps_down(const SizedCluster& cluster);

  Trials& trials_;
};

}  // namespace railwright::planner
