// SPDX-License-Identifier: Apache-2.0
// Flows over the links that the storage nodes which are up leave.
#pragma once

#include <cstdint>
#include <span>

#include "active_flow.hpp"
#include "event_table.hpp"
#include "railwright/core/sim/engine.hpp"
#include "run_model.hpp"

namespace railwright::simulation::replication {

/// Starts and stops flows on an engine while storage nodes go down and come back. While storage is
/// offline its flows stand still.
class RunFlows {
 public:
  /// Adds the model's links to an engine without links.
  RunFlows(const RunModel& model, core::Engine<core::RunTime>& engine, EventTable& events);

  [[nodiscard]] int num_nodes_down() const { return num_nodes_down_; }
  /// Whether so many nodes are down that their data cannot be reached; true without storage.
  [[nodiscard]] bool is_offline() const {
    return static_cast<std::size_t>(num_nodes_down_) >= model_.rebuilds.size();
  }
  /// Returns the number of nodes down whose links flows take, as index of the model's lists.
  [[nodiscard]] std::size_t state() const {
    return is_offline() ? 0 : static_cast<std::size_t>(num_nodes_down_);
  }
  [[nodiscard]] const JobTransfers& transfers(const JobModel& job) const {
    return job.transfers[state()];
  }
  /// Takes a storage node down. Flows keep their links until they move on.
  void lose_node() { ++num_nodes_down_; }
  /// Brings a storage node back. Flows keep their links until they move on.
  void regain_node() { --num_nodes_down_; }

  /// Starts `size` units, at most `ceiling` a second.
  void start(ActiveFlow& flow, std::int64_t size, const FlowLoads& loads, double ceiling);
  /// Starts a transfer of a job.
  void start(ActiveFlow& flow, const JobModel& job, Transfer JobTransfers::* transfer,
             core::EventId event, bool is_write);
  /// Takes the flow off its links and keeps its event; returns the units not moved.
  std::int64_t pause(ActiveFlow& flow);
  /// Ends a flow before its time; returns the units not moved.
  std::int64_t stop(ActiveFlow& flow);
  /// Restarts the rest of a transfer over the storage nodes that are up now; does nothing if it is
  /// not under way.
  void move_on(ActiveFlow& flow, const JobModel& job);

 private:
  const RunModel& model_;
  core::Engine<core::RunTime>& engine_;
  EventTable& events_;
  core::LinkUse offline_;  // a link without capacity
  int num_nodes_down_ = 0;
};

}  // namespace railwright::simulation::replication
