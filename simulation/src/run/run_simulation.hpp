// SPDX-License-Identifier: Apache-2.0
// One replica of a run under way: its jobs, their flows and what is still to happen.
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

/// In the order of Phase.
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

/// What the time of a phase counts as. Steps are counted apart.
RunCause cause_of(Phase phase);

/// Steps since the last checkpoint: steps, slow steps and stalls in ticks.
using StepTicks = std::array<std::int64_t, 3>;

inline void add(StepTicks& ticks, StepTicks& sum) {
  for (std::size_t i = 0; i < ticks.size(); ++i) sum[i] += std::exchange(ticks[i], 0);
}

/// Steps, slow steps and stalls are the first causes. They start again from nothing.
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

/// What an event of the engine means; not live where nobody waits for it any more.
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
  double sampled = 0.0;  ///< units that the series has
  double bytes_per_unit = 1.0;
  double weight = 1.0;                      ///< by which it shares links with others
  double request = kTransferSize;           ///< bytes
  double busiest_node = 1.0;                ///< its bytes over those of a mean storage node
  Transfer JobTransfers::* what = nullptr;  ///< where it is one of the job's
  bool is_write = false;
  bool is_local = false;  ///< stays within the nodes

  [[nodiscard]] bool is_under_way() const { return flow >= 0; }
};

/// A checkpoint that is written behind training.
struct Behind {
  Moving moving;
  std::int64_t step = -1;
  RunTime start;
  StepTicks ticks{};  ///< since the checkpoint before it
};

/// Where a job is, and what it has done so far.
struct Job {
  Phase phase = Phase::kWaiting;
  RunTime phase_start;
  std::int64_t phase_step = 0;  ///< that it had reached then
  EventId timer = 0;
  bool has_timer = false;
  Moving moving;   ///< of the phase
  Behind copy;     ///< from host memory to the local tier or, without one, to storage
  Behind drain;    ///< from the local tier to storage
  Behind pending;  ///< goes next

  std::int64_t step = 0;
  std::int64_t block_steps = 0;
  double uncounted_steps = 0.0;  ///< of the block, whose time is in no cause yet
  double block_slowdown = 1.0;
  std::int64_t steps_since_start = 0;
  std::int64_t checkpoint_step = -1;  ///< behind which a checkpoint is due
  std::int64_t evaluation_step = -1;
  RunTime last_checkpoint;
  std::int64_t saved_step = 0;            ///< of the newest complete checkpoint that outlives nodes
  std::vector<std::int64_t> local_steps;  ///< of those on the local tier, oldest first
  std::int64_t num_local = 0;             ///< that were completed there
  std::int64_t num_kept = 0;
  StepTicks since_checkpoint{};
  StepTicks since_pending{};  ///< of the newest on the local tier, behind what goes to storage
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
  // replica.cpp: events.
  EventId make_event(EventKind kind, std::size_t job, std::int32_t which = 0);
  void handle(const Event& event);
  bool next(EventId& id);

  // replica_flows.cpp: what is under way.
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
  /// Goes on over the storage nodes that are up now.
  void move_on(std::size_t j, Moving& moving);
  /// Takes the flow off its links and keeps its event; returns the units not moved.
  std::int64_t pause(Moving& moving);
  /// For good.
  std::int64_t stop(Moving& moving) {
    free_events_.push_back(moving.event);
    return pause(moving);
  }
  /// What is under way goes on over the storage nodes that are up now.
  void reroute();
  [[nodiscard]] bool has_local(std::size_t j) const {
    return model_.jobs[j].checkpoint.local.has_value();
  }
  /// What training waits for, or its copy in host memory goes to.
  [[nodiscard]] Transfer JobTransfers::* first_checkpoint(std::size_t j) const {
    return has_local(j) ? &JobTransfers::local_checkpoint : &JobTransfers::checkpoint;
  }
  void move_rebuild(std::int64_t bytes);
  /// Loads of others go by pairs: what they read, and what they write.
  void start_others(std::size_t i);
  void move_others(std::size_t i, std::int64_t bytes);

  // replica.cpp: phases.
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
  /// Of the block under way; the last may be a part of one.
  void count_steps(Job& job, const JobModel& model, double steps);

  // replica_steps.cpp: steps and checkpoints.
  void begin(std::size_t j);
  [[nodiscard]] const StepReads& step_reads(std::size_t j) const;
  [[nodiscard]] bool starts_epochs(std::size_t j) const {
    return model_.jobs[j].epoch_start_up && model_.jobs[j].steps_per_epoch > 0;
  }
  /// Workers start, and the first step waits for its batch.
  void start_epoch(std::size_t j);
  void step_on(std::size_t j);
  /// Steps up to the next thing that happens.
  void start_block(std::size_t j);
  /// From step to step where a step by itself takes `seconds`, links that are shared apart.
  double step_period(std::size_t j, const StepReads& reads, double seconds);
  void move_steps(std::size_t j, std::int64_t units);
  /// The next step behind which a checkpoint is due, or -1.
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
  /// What the first to take a checkpoint holds now; `ticks` are those since the one before.
  void complete_checkpoint(std::size_t j, std::int64_t step, StepTicks& ticks);
  void complete_on_storage(std::size_t j, std::int64_t step, StepTicks& ticks);

  // replica_local.cpp: checkpoints on the local tier.
  void begin_write(std::size_t j);
  void complete_on_tier(std::size_t j, std::int64_t step, StepTicks& ticks);
  /// The oldest go, but for those that storage still waits for.
  static void drop_local(Job& job, int retention);
  /// What is due goes on to storage; else the way there is free.
  void drain_next(std::size_t j);
  void end_drain(std::size_t j);
  /// What nodes hold is gone with one of them.
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
  /// Bytes of all files.
  [[nodiscard]] double used() const {
    return model_.used_before + kept_ + model_.growth * engine_.now().duration().base();
  }

  // replica_failures.cpp: what breaks.
  static std::uint64_t stream(std::uint64_t replica, std::size_t job, std::size_t rate) {
    return (replica << 24) + (job << 6) + rate;
  }
  void add_failures(std::size_t j, std::uint64_t replica);
  /// Storage fails as the last job's number behind the others.
  void add_storage_failures(std::uint64_t replica);
  void schedule_failure(std::size_t owner, std::size_t rate) {
    const Duration when = processes_[owner][rate].next();
    schedule_later(when, EventKind::kFailure, owner, static_cast<std::int32_t>(rate));
  }
  /// At a time since the start of the clock; never where the clock ends before.
  void schedule_later(Duration when, EventKind kind, std::size_t owner, std::int32_t which = 0);
  /// Whoever is left gives up.
  void strand();
  void fail(std::size_t owner, std::int32_t rate);
  /// No time at all where the scenario names no fleet.
  [[nodiscard]] RunTime fleet_time(core::Sourced<Duration> models::Reliability::* time) const {
    return model_.reliability ? ticks(((*model_.reliability).*time).value) : RunTime{};
  }
  void break_component(Component component, std::size_t j);
  /// Without a fleet it never comes back.
  void lose_storage_node();
  /// The job stops where it is and goes on from its last complete checkpoint.
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
  /// Goes on with the block under way at another speed.
  void slow_block(std::size_t j, double speed);
  void find_slow(std::size_t j);

  // replica.cpp: notes.
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
  std::vector<std::vector<models::FailureProcess>> processes_;  // by job, then storage's; by rate
  std::vector<core::RandomStream> slow_random_;
  std::vector<std::size_t> waiting_;  // jobs without a spare, in turn
  core::LinkUse offline_;
  Moving rebuild_;
  std::vector<Moving> others_;
  std::map<std::pair<const StepReads*, double>, double> periods_;  // of steps that are slower
  RunTime sampled_at_;
  std::size_t num_done_ = 0;
  int spares_ = 0;
  int storage_down_ = 0;
  bool is_stranded_ = false;  // storage is off and stays so, or failures leave no time for a step
  std::int64_t failures_without_progress_ = 0;  // since a checkpoint, or the end of a job
  double kept_ = 0.0;                           // bytes of checkpoints
  double max_kept_ = 0.0;
  double max_used_ = 0.0;
};

}  // namespace railwright::simulation::replica
