// SPDX-License-Identifier: Apache-2.0
// State of one replication: its jobs, their flows and the pending events.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/sim/engine.hpp"
#include "railwright/core/sim/random.hpp"
#include "replication.hpp"

namespace railwright::simulation::replica {

using core::Duration;
using core::EventId;
using core::FlowId;
using core::RunTime;
using models::Component;

inline double in_steps(std::int64_t units) { return static_cast<double>(units) / kUnitsPerStep; }

enum class Phase : std::uint8_t {
  kWaiting,
  kStartUp,
  kIndex,
  kEpochStart,
  kSteps,
  kEvaluation,
  kDrainWait,  ///< the last copy in host memory is still being written
  kSnapshot,
  kCheckpoint,
  kDetection,
  kNoSpare,
  kReplacement,
  kRestart,
  kRestore,
  kDone,
};

/// Names in the order of Phase.
inline constexpr std::array<std::string_view, 15> kPhaseNames{"waiting",
                                                              "start-up",
                                                              "index of the dataset",
                                                              "start of an epoch",
                                                              "steps",
                                                              "evaluation",
                                                              "wait for the last checkpoint",
                                                              "snapshot",
                                                              "checkpoint",
                                                              "detection",
                                                              "no spare",
                                                              "replacement",
                                                              "restart",
                                                              "restore",
                                                              "done"};
static_assert(kPhaseNames.size() == static_cast<std::size_t>(Phase::kDone) + 1);

/// Returns the cause that a phase's time counts as. Steps are counted separately.
RunCause cause_of(Phase phase);

/// Ticks since the last checkpoint: of steps, slow steps and stalls.
using StepTicks = std::array<std::int64_t, 3>;

inline void add(StepTicks& ticks, StepTicks& sum) {
  for (std::size_t i = 0; i < ticks.size(); ++i) sum[i] += std::exchange(ticks[i], 0);
}

/// Moves ticks to the record and resets them: steps, slow steps and stalls are the first causes.
inline void commit(StepTicks& ticks, JobRecord& record) {
  for (std::size_t i = 0; i < ticks.size(); ++i) record.ticks[i] += std::exchange(ticks[i], 0);
}

enum class EventKind : std::uint8_t {
  kStart,
  kPhaseEnd,
  kCopyEnd,
  kDrainEnd,
  kFailure,
  kSlowNode,
  kSlowNodeFound,
  kNodeRepaired,
  kStorageRepaired,
  kRebuilt,
  kOthersStart,
  kOthersEnd,
  kIncident,
};

/// Meaning of an event of the engine; not live once nobody waits for it.
struct Event {
  EventKind kind = EventKind::kStart;
  std::int32_t job = 0;
  std::int32_t which = 0;  ///< failure rate or incident
  bool is_live = false;
};

/// A flow under way.
struct Moving {
  FlowId flow = -1;
  EventId event = 0;
  std::int64_t size = 0;
  double sampled = 0.0;  ///< units that the series has counted
  double bytes_per_unit = 1.0;
  double weight = 1.0;                      ///< share of links relative to other flows
  double request = kTransferSize;           ///< bytes
  double busiest_node = 1.0;                ///< its bytes over those of a mean storage node
  Transfer JobTransfers::* what = nullptr;  ///< set if it is one of the job's
  bool is_write = false;
  bool is_local = false;  ///< stays within the nodes

  [[nodiscard]] bool is_under_way() const { return flow >= 0; }
};

/// A checkpoint that is written while training continues.
struct Behind {
  Moving moving;
  std::int64_t step = -1;
  RunTime start;
  StepTicks ticks{};  ///< ticks since the previous checkpoint
};

/// State of a job, and its record so far.
struct Job {
  Phase phase = Phase::kWaiting;
  RunTime phase_start;
  std::int64_t phase_step = 0;  ///< step reached then
  EventId timer = 0;
  bool has_timer = false;
  Moving moving;   ///< flow of the phase
  Behind copy;     ///< from host memory to the local tier or, without one, to storage
  Behind drain;    ///< from the local tier to storage
  Behind pending;  ///< next to drain

  std::int64_t step = 0;
  std::int64_t block_steps = 0;
  double uncounted_steps = 0.0;  ///< steps of the block whose time is in no cause yet
  double block_slowdown = 1.0;
  std::int64_t steps_since_start = 0;
  std::int64_t checkpoint_step = -1;  ///< step after which a checkpoint is due
  std::int64_t evaluation_step = -1;
  RunTime last_checkpoint;
  std::int64_t saved_step = 0;            ///< newest complete checkpoint on storage
  std::vector<std::int64_t> local_steps;  ///< checkpoints on the local tier, oldest first
  std::int64_t num_local = 0;             ///< checkpoints completed there
  std::int64_t num_kept = 0;
  StepTicks since_checkpoint{};
  StepTicks since_pending{};  ///< ticks from `pending` to the newest on the local tier
  double speed = 1.0;
  bool needs_node = false;
  bool is_finishing = false;
  JobRecord record;
};

class RunSimulation {
 public:
  RunSimulation(const RunModel& model, std::uint64_t replica, RunNotes* notes);
  RunRecord run();

 private:
  // run_simulation.cpp: events.
  EventId make_event(EventKind kind, std::size_t job, std::int32_t which = 0);
  void handle(const Event& event);
  bool next(EventId& id);

  // run_flows.cpp: flows under way.
  [[nodiscard]] bool is_offline() const {
    return static_cast<std::size_t>(storage_down_) >= model_.rebuilds.size();
  }
  [[nodiscard]] const JobTransfers& transfers(std::size_t j) const {
    const auto& states = model_.jobs[j].transfers;
    return states[is_offline() ? 0 : static_cast<std::size_t>(storage_down_)];
  }
  void move(Moving& moving, std::int64_t size, std::span<const core::LinkUse> uses, double ceiling);
  void move_transfer(Moving& moving, Transfer JobTransfers::* what, EventKind kind, std::size_t j,
                     bool is_write);
  /// Restarts the rest of a flow over the storage nodes that are up now.
  void move_on(std::size_t j, Moving& moving);
  /// Takes the flow off its links and keeps its event; returns the units not moved.
  std::int64_t pause(Moving& moving);
  /// Ends a flow for good; returns the units not moved.
  std::int64_t stop(Moving& moving) {
    free_events_.push_back(moving.event);
    return pause(moving);
  }
  /// Restarts the rest of all flows over the storage nodes that are up now.
  void reroute();
  [[nodiscard]] bool has_local(std::size_t j) const {
    return model_.jobs[j].checkpoint.local.has_value();
  }
  /// Returns the first transfer of a checkpoint: to the local tier if there is one, else to
  /// storage.
  [[nodiscard]] Transfer JobTransfers::* first_checkpoint(std::size_t j) const {
    return has_local(j) ? &JobTransfers::local_checkpoint : &JobTransfers::checkpoint;
  }
  void move_rebuild(std::int64_t bytes);
  /// Starts load `i` of others; their loads come in pairs of reads and writes.
  void start_others(std::size_t i);
  void move_others(std::size_t i, std::int64_t bytes);

  // run_simulation.cpp: phases.
  void enter(std::size_t j, Phase phase);
  void wait(std::size_t j, Phase phase, RunTime time);
  void transfer(std::size_t j, Phase phase, Transfer JobTransfers::* what, bool is_write) {
    enter(j, phase);
    move_transfer(jobs_[j].moving, what, EventKind::kPhaseEnd, j, is_write);
  }
  void start(std::size_t j);
  void end_phase(std::size_t j);
  void account(Job& job) {
    const auto cause = static_cast<std::size_t>(cause_of(job.phase));
    job.record.ticks[cause] += (engine_.now() - job.phase_start).count;
  }
  /// Counts `steps` of the current block; the last one may be partial.
  void count_steps(Job& job, const JobModel& model, double steps);

  // run_steps.cpp: steps and checkpoints.
  void begin(std::size_t j);
  [[nodiscard]] const StepReads& step_reads(std::size_t j) const;
  [[nodiscard]] bool starts_epochs(std::size_t j) const {
    return model_.jobs[j].epoch_start_up && model_.jobs[j].steps_per_epoch > 0;
  }
  /// Starts the workers; the first step waits for its batch.
  void start_epoch(std::size_t j);
  void step_on(std::size_t j);
  /// Starts the steps up to the next checkpoint, evaluation, epoch or end of warm-up.
  void start_block(std::size_t j);
  /// Returns the time from step to step for a step of `seconds` alone, without shared links.
  double step_period(std::size_t j, const StepReads& reads, double seconds);
  void move_steps(std::size_t j, std::int64_t units);
  /// Sets the next step after which a checkpoint is due, or -1.
  void plan_checkpoint(Job& job, const JobModel& model);
  void end_block(std::size_t j);
  void behind_checkpoint(std::size_t j);
  void finish(std::size_t j);
  void checkpoint(std::size_t j);
  void snapshot(std::size_t j) {
    jobs_[j].last_checkpoint = engine_.now();
    wait(j, Phase::kSnapshot, model_.jobs[j].snapshot);
  }
  void end_checkpoint(std::size_t j);
  void begin_copy(std::size_t j);
  void end_copy(std::size_t j);
  /// Completes a checkpoint on the tier that takes it first; `ticks` are those since the previous
  /// one.
  void complete_checkpoint(std::size_t j, std::int64_t step, StepTicks& ticks);
  void complete_on_storage(std::size_t j, std::int64_t step, StepTicks& ticks);

  // run_local.cpp: checkpoints on the local tier.
  void begin_write(std::size_t j);
  void complete_on_tier(std::size_t j, std::int64_t step, StepTicks& ticks);
  /// Deletes the oldest local checkpoints beyond `retention`, except those that are still to drain.
  static void drop_local(Job& job, int retention);
  /// Starts to copy the pending checkpoint to storage, if there is one.
  void drain_next(std::size_t j);
  void end_drain(std::size_t j);
  /// Drops the local checkpoints, all of which are lost with one node.
  void lose_local(std::size_t j);
  void restore(std::size_t j);
  [[nodiscard]] double room(std::size_t j) const {
    return static_cast<double>(transfers(j).checkpoint.bytes) * model_.jobs[j].room_per_byte;
  }
  void keep(double bytes) {
    kept_ += bytes;
    max_kept_ = std::max(max_kept_, kept_);
    max_used_ = std::max(max_used_, used());
  }
  /// Returns the bytes of all files.
  [[nodiscard]] double used() const {
    return model_.used_before + kept_ + model_.growth * engine_.now().duration().base();
  }

  // run_failures.cpp: failures.
  static std::uint64_t stream(std::uint64_t replica, std::size_t job, std::size_t rate) {
    return (replica << 24) + (job << 6) + rate;
  }
  void add_failures(std::size_t j, std::uint64_t replica);
  /// Adds the failures of storage, whose owner number follows that of the last job.
  void add_storage_failures(std::uint64_t replica);
  void schedule_failure(std::size_t owner, std::size_t rate) {
    const Duration when = processes_[owner][rate].next();
    schedule_later(when, EventKind::kFailure, owner, static_cast<std::int32_t>(rate));
  }
  /// Schedules an event at a time since the start of the clock; drops it if the clock ends earlier.
  void schedule_later(Duration when, EventKind kind, std::size_t owner, std::int32_t which = 0);
  /// Makes all remaining jobs give up.
  void strand();
  void fail(std::size_t owner, std::int32_t rate);
  /// Returns one of the fleet's times; zero if the scenario names no fleet.
  [[nodiscard]] RunTime fleet_time(core::Sourced<Duration> models::Reliability::* time) const {
    return model_.reliability ? ticks(((*model_.reliability).*time).value) : RunTime{};
  }
  void break_component(Component component, std::size_t j);
  /// Takes a storage node down. Without a fleet it never comes back.
  void lose_storage_node();
  /// Stops the job, which then resumes from its last complete checkpoint.
  void interrupt(std::size_t j, bool loses_node);
  [[nodiscard]] bool is_late(std::size_t j) const {
    return engine_.now() - model_.jobs[j].start > model_.jobs[j].patience;
  }
  void give_up(std::size_t j);
  void cancel_transfer(Moving& moving, std::size_t j);
  void cancel_behind(Behind& behind, std::size_t j);
  void replace(std::size_t j);
  void take_spare(std::size_t j);
  void return_node();
  void restart(std::size_t j) {
    jobs_[j].speed = 1.0;
    wait(j, Phase::kRestart, fleet_time(&models::Reliability::restart));
  }
  void schedule_slow_node(std::size_t j);
  void turn_slow(std::size_t j);
  /// Continues the current block at another speed.
  void slow_block(std::size_t j, double speed);
  void find_slow(std::size_t j);

  // run_simulation.cpp: notes.
  void sample(EventId ending);
  void note_span(std::size_t j, std::string_view what, RunTime start, std::int64_t step,
                 bool is_behind, bool is_drain = false);
  void note_behind(std::size_t j, const Behind& behind) {
    note_span(j, "checkpoint", behind.start, behind.step, true, &behind == &jobs_[j].drain);
  }

  const RunModel& model_;
  RunNotes* notes_;
  core::Engine<RunTime> engine_;
  std::vector<Job> jobs_;
  std::vector<Event> events_;
  std::vector<EventId> free_events_;
  std::vector<std::vector<models::FailureProcess>> processes_;  // per job, then storage; per rate
  std::vector<core::RandomStream> slow_random_;
  std::vector<std::size_t> waiting_;  // jobs without a spare, in turn
  core::LinkUse offline_;
  Moving rebuild_;
  std::vector<Moving> others_;
  std::map<std::pair<const StepReads*, double>, double> periods_;  // periods of slower steps
  RunTime sampled_at_;
  std::size_t num_done_ = 0;
  int spares_ = 0;
  int storage_down_ = 0;
  bool is_stranded_ = false;  // storage stays off, or failures leave no time for a step
  std::int64_t failures_without_progress_ = 0;  // since a checkpoint, or the end of a job
  double kept_ = 0.0;                           // bytes of checkpoints
  double max_kept_ = 0.0;
  double max_used_ = 0.0;
};

}  // namespace railwright::simulation::replica
