// SPDX-License-Identifier: Apache-2.0
// Flows on storage that belong to no job.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "active_flow.hpp"
#include "copy_queue.hpp"
#include "event_table.hpp"
#include "run_flows.hpp"
#include "run_model.hpp"

namespace railwright::simulation::replication {

/// The rebuild of lost storage nodes' data, the loads of others, two flows each, of reads and of
/// writes, and copies of checkpoints.
class BackgroundFlows {
 public:
  BackgroundFlows(const RunModel& model, RunFlows& flows, EventTable& events);

  /// Returns the flows of others, two for each load.
  [[nodiscard]] std::span<ActiveFlow> others() { return others_; }
  /// Returns the time at which flow `i` of others starts.
  [[nodiscard]] core::RunTime start_of(std::size_t i) const {
    return ticks(model_.plan.other_loads[i / 2].start);
  }
  /// Starts flow `i` of others, unless its rate is 0.
  void start(std::size_t i);
  /// Notes that flow `i` of others has ended.
  void end(std::size_t i) { others_[i].end(); }

  /// Adds bytes to the rebuild. Nothing is rebuilt while storage is offline: what was left of the
  /// rebuild is dropped then.
  void rebuild(std::int64_t bytes);
  /// Notes that the rebuild has ended.
  void end_rebuild() { rebuild_.end(); }

  [[nodiscard]] CopyQueue& copies(CopyDestination destination) {
    return copies_[static_cast<std::size_t>(destination)];
  }

  /// Restarts the rest of all flows over the storage nodes that are up now.
  void move_on();

 private:
  void move(std::size_t i, std::int64_t bytes);

  const RunModel& model_;
  RunFlows& flows_;
  EventTable& events_;
  ActiveFlow rebuild_;
  std::vector<ActiveFlow> others_;
  std::array<CopyQueue, kNumCopyDestinations> copies_;
};

}  // namespace railwright::simulation::replication
