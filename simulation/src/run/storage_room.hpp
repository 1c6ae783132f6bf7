// SPDX-License-Identifier: Apache-2.0
// Room that files take on storage while a run goes on.
#pragma once

#include <algorithm>

#include "railwright/core/sim/time.hpp"

namespace railwright::simulation::replication {

/// Bytes on storage: files from before the run, kept checkpoints, and files that others add at a
/// steady rate.
class StorageRoom {
 public:
  /// Takes bytes and bytes/s.
  StorageRoom(double used_before, double growth) : used_before_(used_before), growth_(growth) {}

  /// Takes room for a checkpoint, from the start of its write on.
  void keep(double bytes, core::RunTime now) {
    kept_ += bytes;
    max_kept_ = std::max(max_kept_, kept_);
    max_used_ = std::max(max_used_, used(now));
  }

  /// Gives back the room of a checkpoint.
  void release(double bytes) { kept_ -= bytes; }

  /// Returns the bytes of all files.
  [[nodiscard]] double used(core::RunTime now) const {
    return used_before_ + kept_ + growth_ * now.duration().base();
  }

  /// Returns the maximum bytes of checkpoints.
  [[nodiscard]] double max_kept() const { return max_kept_; }

  /// Returns the maximum bytes of all files up to `end`, which is not before the last change.
  [[nodiscard]] double max_used(core::RunTime end) const { return std::max(max_used_, used(end)); }

 private:
  double used_before_;
  double growth_;
  double kept_ = 0.0;
  double max_kept_ = 0.0;
  double max_used_ = 0.0;
};

}  // namespace railwright::simulation::replication
