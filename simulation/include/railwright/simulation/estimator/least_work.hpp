// SPDX-License-Identifier: Apache-2.0
// Lower bounds of step times that any number of accelerators shares.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "railwright/core/shared_table.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/estimator/configuration.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// Returns by how much the bubble of so many micro-batches lengthens LeastWork::time_per_sample in
/// the closed form, at least: stages that share the layers evenly are idle while a pipeline fills
/// and empties. Events may be sooner where stages are uneven and micro-batches few.
constexpr double least_bubble_factor(const Configuration& c, double num_microbatches) {
  return 1.0 + (c.pp - 1) / (c.virtual_stages * num_microbatches);
}

/// Computation of one micro-batch through the whole model, by the settings that decide it: neither
/// stages, nor replicas, nor batches do. Any number of threads.
class LeastWork {
 public:
  explicit LeastWork(CheckedScenario base);

  /// Whether the accelerators of so many nodes, layers and heads divide, with some batch. True
  /// where the estimator has no tables.
  [[nodiscard]] bool divides(const Configuration& c, int num_nodes) const;
  /// Whether the ranks of one dimension, all others being one, divide the model in some way: if
  /// not, they do not beside any others either.
  [[nodiscard]] bool may_divide(const Configuration& alone, int num_nodes) const;
  /// Returns, where they divide, a lower bound of the step time per sample of `c` on `num_nodes` of
  /// the base's nodes: its stages share the layers evenly, and transfers, bubble and optimizer are
  /// free. Zero where the estimator has no tables, and where stages serve two directions.
  [[nodiscard]] core::Duration time_per_sample(const Configuration& c, int num_nodes);
  /// Returns it as far as it is known, else zero; whether they divide or not.
  [[nodiscard]] core::Duration known_time_per_sample(const Configuration& c, int num_nodes) const;

 private:
  class Scratch;

  /// Seconds that the ranks of all stages compute for one micro-batch.
  [[nodiscard]] const core::Duration& of_microbatch(const Configuration& c, int num_nodes);
  [[nodiscard]] bool is_bounded(const Configuration& c) const;
  [[nodiscard]] core::Duration per_sample(core::Duration of_microbatch, const Configuration& c,
                                          int num_nodes) const;

  CheckedScenario base_;
  bool is_covered_ = false;
  /// Copies of the base, one for each thread at a time: to copy it takes longer than what is asked.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<CheckedScenario>> copies_;
  /// Tables by powers of two of nodes: by chance the slowest of more nodes is slower, so that a
  /// table holds the times of its fewest nodes.
  std::array<core::SharedTable<core::Duration>, 32> of_microbatch_;
};

}  // namespace railwright::simulation
