// SPDX-License-Identifier: Apache-2.0
// A model of storage with two nodes by hand, and the engine that runs its flows.
#pragma once

#include <array>
#include <vector>

#include "../../../simulation/src/run/run_flows.hpp"

namespace railwright::simulation::replication::test {

inline core::RunTime at(std::int64_t seconds) { return {seconds * core::RunTime::kPerSecond}; }

/// Storage moves 100 bytes/s, or 50 with one node down; with both down it is offline. A job's local
/// tier has a link of its own, of 10 bytes/s.
inline RunModel two_storage_nodes() {
  const Transfer both{.bytes = 1000, .uses = {{0, 0.01}}};
  const Transfer one{.bytes = 1000, .uses = {{0, 0.02}}};
  const Transfer local{.bytes = 1000, .uses = {{1, 0.1}}, .is_local = true};
  RunModel model;
  model.num_storage_nodes = 2;
  model.num_links = 2;
  model.rebuilds = {both, one};
  model.outside = {{both, both}, {one, one}};
  JobModel& job = model.jobs.emplace_back();
  job.has_storage = true;
  job.transfers.resize(2);
  job.transfers[0].checkpoint = both;
  job.transfers[1].checkpoint = one;
  for (JobTransfers& transfers : job.transfers) transfers.local_checkpoint = local;
  return model;
}

/// Flows of a model on an engine of their own.
struct FlowsOf {
  explicit FlowsOf(const RunModel& model) : flows(model, engine, events) {}

  /// Runs up to a time and returns its event.
  Event run_until(core::RunTime when) {
    engine.schedule(when, events.add(EventKind::kIncident, 0));
    return next();
  }
  Event next() {
    core::EventId id = 0;
    return engine.next(id) ? events.take(id) : Event{};
  }

  core::Engine<core::RunTime> engine;
  EventTable events;
  RunFlows flows;
};

}  // namespace railwright::simulation::replication::test
