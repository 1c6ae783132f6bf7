// SPDX-License-Identifier: Apache-2.0
// Load of storage between two events.
#pragma once

#include <vector>

#include "active_flow.hpp"
#include "burst_shares.hpp"
#include "load_series.hpp"
#include "railwright/core/sim/time.hpp"

namespace railwright::simulation::replication {

/// Adds up what flows moved over an interval at whose ends alone their rates changed. Writers that
/// pause together write faster in between, as far as links have room for the bursts of all flows
/// at a time.
class IntervalLoad {
 public:
  /// The interval must not be empty. `used` are the bytes of files at its end.
  IntervalLoad(core::RunTime start, core::RunTime end, double used);

  /// Adds what a flow moved since it was last added; `left` of its units remain. `peak_factor` is
  /// the peak over the mean rate that it has by itself, if it writes.
  void add(ActiveFlow& flow, double left, double peak_factor);

  [[nodiscard]] LoadSample sample() const;

 private:
  struct Moved {
    std::span<const core::LinkUse> node_shares;
    double rate = 0.0;  ///< bytes/s
    bool is_write = false;
  };

  LoadSample sum_;
  double seconds_;
  std::vector<Moved> moved_;
  std::vector<Burst> bursts_;  ///< one for each of `moved_`
};

}  // namespace railwright::simulation::replication
