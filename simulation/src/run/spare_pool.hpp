// SPDX-License-Identifier: Apache-2.0
// Spare nodes of a cluster, and the jobs that wait for one.
#pragma once

#include <concepts>
#include <cstddef>
#include <deque>
#include <optional>

namespace railwright::simulation::replication {

/// Spare nodes. Jobs that find none wait in turn.
class SparePool {
 public:
  explicit SparePool(int num_spares) : num_spares_(num_spares) {}

  /// Takes a spare for a job. Without one returns false, and the job waits for its turn.
  bool take(std::size_t job) {
    if (num_spares_ == 0) {
      waiting_.push_back(job);
      return false;
    }
    --num_spares_;
    return true;
  }

  /// Takes a repaired node back and gives it to the job whose turn it is, which is returned. Jobs
  /// that no longer wait lose their turn; without another job the node is a spare again.
  template <std::predicate<std::size_t> StillWaits>
  std::optional<std::size_t> give_back(const StillWaits& still_waits) {
    while (!waiting_.empty()) {
      const std::size_t job = waiting_.front();
      waiting_.pop_front();
      if (still_waits(job)) return job;
    }
    ++num_spares_;
    return std::nullopt;
  }

  [[nodiscard]] int num_spares() const { return num_spares_; }

 private:
  int num_spares_;
  std::deque<std::size_t> waiting_;
};

}  // namespace railwright::simulation::replication
