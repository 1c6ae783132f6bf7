// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a job on its nodes' tier during a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "active_flow.hpp"
#include "railwright/simulation/run/run.hpp"
#include "step_ticks.hpp"

namespace railwright::simulation::replication {

/// Complete checkpoints on the local tier: those that retention keeps, and those that are due on
/// storage. One at a time drains; of those that become due meanwhile only the newest is next.
class LocalTierState {
 public:
  /// Checkpoints are due on storage only if `has_storage`.
  LocalTierState(const LocalCheckpoints& plan, bool has_storage)
      : plan_(plan), has_storage_(has_storage) {}

  [[nodiscard]] bool is_empty() const { return steps_.empty(); }
  /// Returns the number of checkpoints on the tier.
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// Returns the step of the newest checkpoint; there must be one.
  [[nodiscard]] std::int64_t newest() const { return steps_.back(); }

  /// Adds a checkpoint after `step` and resets `ticks`, those since the one before it. The one
  /// after the last step is due on storage in any case.
  void complete(std::int64_t step, StepTicks& ticks, bool is_last_step);

  /// Makes the checkpoint that is due the one that drains, whose flow the caller starts. Returns
  /// false if none is due. No drain may be under way.
  bool next_drain();
  /// Returns the checkpoint that drains, or an empty one.
  [[nodiscard]] AsyncWrite& drain() { return drain_; }
  [[nodiscard]] const AsyncWrite& drain() const { return drain_; }

  /// Returns and resets the ticks up to the newest checkpoint that no checkpoint on its way to
  /// storage covers.
  StepTicks take_undrained() { return std::exchange(since_due_, {}); }

  /// Drops all checkpoints, which are lost with one node, and returns the ticks of steps that are
  /// not on storage. No drain may be under way.
  std::int64_t lose();

 private:
  void drop_old();

  const LocalCheckpoints& plan_;
  bool has_storage_;
  std::vector<std::int64_t> steps_;  // of the checkpoints, oldest first
  std::int64_t num_completed_ = 0;
  AsyncWrite drain_;
  std::int64_t due_step_ = -1;  // step of the checkpoint that drains next; -1: none
  StepTicks due_ticks_{};
  StepTicks since_due_{};
};

}  // namespace railwright::simulation::replication
