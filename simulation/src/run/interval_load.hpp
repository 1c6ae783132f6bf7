// SPDX-License-Identifier: Apache-2.0
// Load of storage between two events.
#pragma once

#include "active_flow.hpp"
#include "load_series.hpp"
#include "railwright/core/sim/time.hpp"

namespace railwright::simulation::replication {

/// Adds up what flows moved over an interval at whose ends alone their rates changed.
class IntervalLoad {
 public:
  /// The interval must not be empty. `used` are the bytes of files at its end.
  IntervalLoad(core::RunTime start, core::RunTime end, int num_nodes_up, double used);

  /// Adds what a flow moved since it was last added; `left` of its units remain. `peak_factor` is
  /// the peak over the mean rate, if it writes.
  void add(ActiveFlow& flow, double left, double peak_factor);

  [[nodiscard]] const LoadSample& sample() const { return sample_; }

 private:
  LoadSample sample_;
  double seconds_;
  double share_of_node_;
};

}  // namespace railwright::simulation::replication
