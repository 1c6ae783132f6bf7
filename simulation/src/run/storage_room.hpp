// SPDX-License-Identifier: Apache-2.0
// Room that files take on storage while a run goes on.
#pragma once

#include <algorithm>
#include <deque>

#include "railwright/core/sim/time.hpp"

namespace railwright::simulation::replication {

/// Bytes on the first pool: files from before the run, kept checkpoints, deleted ones that
/// snapshots still hold, and files that others add at a steady rate.
class StorageRoom {
 public:
  /// Takes bytes, bytes/s, and the time for which snapshots hold deleted files.
  StorageRoom(double used_before, double growth, core::RunTime snapshot_retention)
      : used_before_(used_before), growth_(growth), snapshot_retention_(snapshot_retention) {}

  /// Takes room for a checkpoint, from the start of its write on.
  void keep(double bytes, core::RunTime now) {
    kept_ += bytes;
    max_used_ = std::max(max_used_, used(now));
    max_kept_ = std::max(max_kept_, kept_);
  }

  /// Deletes a checkpoint. Its room comes back once no snapshot holds it.
  void remove(double bytes, core::RunTime now) {
    if (snapshot_retention_ == core::RunTime{}) return move_away(bytes);
    held_.push_back({.until = now + snapshot_retention_, .bytes = bytes});
  }

  /// Gives back the room of a checkpoint that is on the archive now.
  void move_away(double bytes) { kept_ -= bytes; }

  /// Returns the bytes of all files; times do not go back.
  [[nodiscard]] double used(core::RunTime now) {
    for (; !held_.empty() && held_.front().until <= now; held_.pop_front()) {
      kept_ -= held_.front().bytes;
    }
    return used_before_ + kept_ + growth_ * now.duration().base();
  }

  /// Returns the maximum bytes of checkpoints, deleted ones included.
  [[nodiscard]] double max_kept() const { return max_kept_; }

  /// Returns the maximum bytes of all files up to `end`, which is not before the last change.
  [[nodiscard]] double max_used(core::RunTime end) { return std::max(max_used_, used(end)); }

 private:
  struct Held {
    core::RunTime until;
    double bytes = 0.0;
  };

  double used_before_;
  double growth_;
  core::RunTime snapshot_retention_;
  std::deque<Held> held_;  // by snapshots alone, oldest first
  double kept_ = 0.0;
  double max_kept_ = 0.0;
  double max_used_ = 0.0;
};

}  // namespace railwright::simulation::replication
