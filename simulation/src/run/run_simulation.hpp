// SPDX-License-Identifier: Apache-2.0
// Life of the jobs of one replication, from event to event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "background_flows.hpp"
#include "event_table.hpp"
#include "failure_clocks.hpp"
#include "job.hpp"
#include "railwright/core/sim/engine.hpp"
#include "replication.hpp"
#include "run_flows.hpp"
#include "spare_pool.hpp"
#include "step_periods.hpp"
#include "storage_room.hpp"

namespace railwright::simulation::replication {

using core::Duration;
using core::EventId;
using core::RunTime;
using models::Component;

class RunSimulation {
 public:
  RunSimulation(const RunModel& model, std::uint64_t replication, RunNotes* notes);
  RunRecord run();

 private:
  // run_simulation.cpp: events.
  bool next(EventId& id);
  void handle(const Event& event);
  /// Schedules an event, if its time is within the clock.
  void schedule(std::optional<RunTime> when, EventKind kind, std::size_t owner,
                std::int32_t which = 0);
  void schedule_after(Duration delay, EventKind kind, std::size_t owner, std::int32_t which = 0) {
    schedule(within_clock(engine_.now().duration() + delay), kind, owner, which);
  }

  // run_simulation.cpp: phases.
  void enter(Job& job, Phase phase);
  void wait(Job& job, Phase phase, RunTime time);
  void transfer(Job& job, Phase phase, Transfer JobTransfers::* what, bool is_write);
  void start(Job& job);
  /// Brings the dataset to storage, then its index to the nodes.
  void prepare_data(Job& job);
  void read_index(Job& job);
  [[nodiscard]] bool needs_staging(const Job& job) const {
    return job.model.has_storage && !job.is_staged && flows_.transfers(job.model).staging.bytes > 0;
  }
  void end_phase(Job& job);
  void finish(Job& job);
  void account(Job& job) {
    job.ticks_of(cause_of(job.phase)) += (engine_.now() - job.phase_start).count;
  }

  // run_steps.cpp: steps and evaluations.
  void begin(Job& job);
  [[nodiscard]] const StepReads& step_reads(const Job& job) const;
  /// Starts the workers; the first step waits for its batch.
  void start_epoch(Job& job);
  void step_on(Job& job);
  void start_block(Job& job);
  void move_steps(Job& job, std::int64_t units);
  /// Counts `steps` of the current block; the last one may be partial.
  void count_steps(Job& job, double steps);
  void end_block(Job& job);
  /// Goes on after a block and its checkpoint.
  void go_on(Job& job);

  // run_checkpoints.cpp: checkpoints.
  void checkpoint(Job& job);
  void snapshot(Job& job);
  void begin_write(Job& job);
  void begin_copy(Job& job);
  void end_copy(Job& job);
  /// Completes a checkpoint on the tier that takes it first; `ticks` are those since the previous
  /// one.
  void complete(Job& job, std::int64_t step, StepTicks& ticks);
  void complete_on_storage(Job& job, std::int64_t step, StepTicks& ticks);
  /// Counts the newest checkpoint on storage, and moves or deletes those that are too old.
  void keep_newest(Job& job);
  /// Returns a copy of a checkpoint that is due elsewhere from now on.
  [[nodiscard]] Copy copy_of_checkpoint(const Job& job) const {
    return {.job = job.index,
            .bytes = flows_.transfers(job.model).checkpoint.bytes,
            .since = engine_.now()};
  }
  void delete_oldest(Job& job);
  void end_copy_to(CopyDestination destination);
  /// Starts to copy the checkpoint that is due from the local tier to storage, if there is one.
  void drain_next(Job& job);
  void end_drain(Job& job);
  void restore(Job& job);
  /// Returns the room that a checkpoint takes on storage.
  [[nodiscard]] double room_of(const Job& job) const {
    return static_cast<double>(flows_.transfers(job.model).checkpoint.bytes) *
           job.model.room_per_byte;
  }
  void cancel_transfer(Job& job, ActiveFlow& flow);
  void cancel_write(Job& job, AsyncWrite& write);
  /// Drops the local checkpoints, all of which are lost with one node.
  void lose_tier(Job& job);

  /// Sets the speed of steps beside checkpoints that are written behind them.
  void slow_by_writes(Job& job) {
    set_speed(job, SlowedBy::kWrite, job.is_writing() ? job.model.write_speed : 1.0);
  }

  // run_failures.cpp: failures.
  void schedule_failures(std::size_t owner);
  void schedule_failure(std::size_t owner, std::size_t rate) {
    schedule(clocks_.next_failure(owner, rate), EventKind::kFailure, owner,
             static_cast<std::int32_t>(rate));
  }
  void fail(std::size_t owner, std::size_t rate);
  /// Counts a failure since the last progress; false if there were so many that all jobs give up.
  bool note_failure();
  /// Breaks a component that takes so many nodes down, each of which is back after `repair`.
  void break_component(Component component, std::size_t owner, int num_nodes,
                       core::Duration repair);
  void break_by_plan(const Incident& incident, std::size_t owner);
  void schedule_lemon_failure(std::size_t job, std::size_t lemon);
  void fail_lemon(std::size_t job, std::size_t lemon);
  /// Stops all jobs, whose nodes come back without what was in memory.
  void lose_power();
  /// Takes a storage node down. Without a fleet it never comes back.
  void lose_storage_node();
  /// Restarts the rest of all flows over the storage nodes that are up now.
  void reroute();
  /// Makes all remaining jobs give up.
  void strand();
  /// Stops the job, which then resumes from its last complete checkpoint.
  /// Stops a job that loses nodes, each of which takes `repair` to come back.
  void interrupt(Job& job, int num_lost, core::Duration repair = {});
  /// Stops what the job does and goes back to its last complete checkpoint.
  void go_back(Job& job, int num_lost);
  [[nodiscard]] bool is_late(const Job& job) const {
    return engine_.now() - job.model.start > job.model.patience;
  }
  void give_up(Job& job);
  /// Returns one of the fleet's times; zero if the scenario names no fleet.
  [[nodiscard]] RunTime fleet_time(core::Sourced<Duration> models::Reliability::* time) const {
    return model_.reliability ? ticks(((*model_.reliability).*time).value) : RunTime{};
  }
  void replace(Job& job);
  /// Puts spares or nodes that are back into a job that has stopped.
  void take_new_nodes(Job& job);
  void return_node(std::size_t pool);
  void restart(Job& job);
  /// Whether enough replicas are left to train on without `num_nodes` nodes.
  [[nodiscard]] static bool trains_without(const Job& job, int num_nodes);
  /// Takes nodes that are back, and sets the speed of the replicas that the job then has.
  void take_ready_nodes(Job& job);
  /// Whether the nodes that are back are expected to gain more until the next interruption than a
  /// restart for them costs.
  [[nodiscard]] bool is_worth_growing(const Job& job) const;
  void schedule_slow(const Job& job, SlowPart part);
  void turn_slow(Job& job, SlowPart part);
  void find_slow(Job& job, SlowPart part);
  /// Sets one factor of a job's speed; steps under way go on at the new one.
  void set_speed(Job& job, SlowedBy reason, double speed);

  // run_simulation.cpp: notes.
  void sample(EventId ending);
  [[nodiscard]] bool notes_spans() const { return notes_ != nullptr && notes_->has_spans; }
  /// Notes a span that ends now.
  void note(RunSpan span);
  void note_phase(const Job& job);
  void note_write(const Job& job, const AsyncWrite& write);

  const RunModel& model_;
  RunNotes* notes_;
  core::Engine<RunTime> engine_;
  EventTable events_;
  RunFlows flows_;
  BackgroundFlows background_;
  FailureClocks clocks_;
  std::vector<SparePool> spares_;  ///< of each pool of nodes
  StorageRoom room_;
  double archived_ = 0.0;  // bytes
  double max_archived_ = 0.0;
  StepPeriods periods_;
  std::vector<Job> jobs_;
  RunTime sampled_at_;
  std::size_t num_done_ = 0;
  bool is_stranded_ = false;  // storage stays off, or failures leave no time for a step
  std::int64_t failures_without_progress_ = 0;  // since a checkpoint, or the end of a job
};

}  // namespace railwright::simulation::replication
