// SPDX-License-Identifier: Apache-2.0
#include "run_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "railwright/core/sim/engine.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::planner {

namespace {

using core::Duration;
using core::EventId;
using core::FlowId;
using core::RunTime;
using models::Component;

/// Parts that a step is counted in, so that a flow that is stopped keeps what it did of a step.
constexpr std::int64_t kUnitsPerStep = 1 << 20;
double in_steps(std::int64_t units) { return static_cast<double>(units) / kUnitsPerStep; }

enum class Phase : std::uint8_t {
  kWaiting,
  kStartUp,
  kIndex,
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

/// What the time of a phase counts as. Steps are counted apart.
RunCause cause_of(Phase phase) {
  switch (phase) {
    case Phase::kEvaluation:
      return RunCause::kEvaluation;
    case Phase::kDrainWait:
    case Phase::kSnapshot:
    case Phase::kCheckpoint:
      return RunCause::kCheckpointStall;
    case Phase::kDetection:
    case Phase::kNoSpare:
    case Phase::kReplacement:
    case Phase::kRestart:
      return RunCause::kRestart;
    case Phase::kRestore:
      return RunCause::kRestore;
    default:
      return RunCause::kStartUp;
  }
}

/// Steps since the last checkpoint: steps, slow steps and stalls in ticks.
using StepTicks = std::array<std::int64_t, 3>;

/// Steps, slow steps and stalls are the first causes. They start again from nothing.
void commit(StepTicks& ticks, JobRecord& record) {
  for (std::size_t i = 0; i < ticks.size(); ++i) record.ticks[i] += ticks[i];
  ticks = {};
}
std::int64_t sum(const StepTicks& ticks) { return ticks[0] + ticks[1] + ticks[2]; }

enum class EventKind : std::uint8_t {
  kStart,
  kPhaseEnd,
  kDrainEnd,
  kFailure,
  kSlowNode,
  kSlowNodeFound,
  kServerRepaired,
  kStorageRepaired,
  kRebuilt,
  kOthersStart,
  kOthersEnd,
  kIncident,
};

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
  bool is_write = false;

  [[nodiscard]] bool is_under_way() const { return flow >= 0; }
};

struct Job {
  Phase phase = Phase::kWaiting;
  RunTime phase_start;
  EventId timer = 0;
  bool has_timer = false;
  Moving moving;  ///< of the phase
  Moving drain;   ///< behind it

  std::int64_t step = 0;
  std::int64_t block_steps = 0;
  double uncounted_steps = 0.0;  ///< of the block, whose time is in no cause yet
  double block_slowdown = 1.0;
  std::int64_t steps_since_start = 0;
  std::int64_t checkpoint_step = -1;  ///< behind which a checkpoint is due
  std::int64_t evaluation_step = -1;
  std::int64_t checkpointed_step = 0;  ///< newest, complete or not
  RunTime last_checkpoint;
  std::int64_t saved_step = 0;  ///< of the newest complete checkpoint
  std::int64_t draining_step = 0;
  std::int64_t num_kept = 0;
  StepTicks since_checkpoint{};
  StepTicks since_drain{};
  double speed = 1.0;
  bool needs_server = false;
  bool is_finishing = false;
  JobRecord record;
};

RunTime ticks(Duration time) { return core::ticks_at_or_after<RunTime>(time); }

class RunSimulation {
 public:
  RunSimulation(const RunModel& model, std::uint64_t replica, LoadSeries* series)
      : model_(model), series_(series), jobs_(model.jobs.size()), spares_(model.plan.num_spares) {
    for (std::int32_t link = 0; link < model.num_links; ++link) engine_.network().add_link(1.0);
    offline_ = {engine_.network().add_link(0.0), 1.0};
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      engine_.schedule(model.jobs[j].start, make_event(EventKind::kStart, j));
      add_failures(j, replica);
    }
    add_storage_failures(replica);
    others_.resize(model.num_storage_nodes > 0 ? 2 * model.plan.other_loads.size() : 0);
    for (std::size_t i = 0; i < others_.size(); ++i) {
      engine_.schedule(ticks(model.plan.other_loads[i / 2].start),
                       make_event(EventKind::kOthersStart, 0, static_cast<std::int32_t>(i)));
    }
    for (std::size_t i = 0; i < model.plan.incidents.size(); ++i) {
      engine_.schedule(ticks(model.plan.incidents[i].time),
                       make_event(EventKind::kIncident, 0, static_cast<std::int32_t>(i)));
    }
  }

  RunRecord run() {
    EventId id = 0;
    while (num_done_ < jobs_.size() && engine_.next(id)) {
      const Event event = events_[id];
      if (series_ != nullptr) sample(id);
      free_events_.push_back(id);
      if (event.is_live) handle(event);
    }
    RunRecord record{.jobs = {}, .end = {}, .most_used = most_used_};
    for (Job& job : jobs_) {
      record.end = std::max(record.end, job.record.end);
      record.jobs.push_back(job.record);
    }
    return record;
  }

 private:
  // --- events ---

  EventId make_event(EventKind kind, std::size_t job, std::int32_t which = 0) {
    EventId id = 0;
    if (free_events_.empty()) {
      id = static_cast<EventId>(events_.size());
      events_.emplace_back();
    } else {
      id = free_events_.back();
      free_events_.pop_back();
    }
    events_[id] = {
        .kind = kind, .job = static_cast<std::int32_t>(job), .which = which, .is_live = true};
    return id;
  }

  void handle(const Event& event) {
    const auto j = static_cast<std::size_t>(event.job);
    switch (event.kind) {
      case EventKind::kStart:
        return start(j);
      case EventKind::kPhaseEnd:
        return end_phase(j);
      case EventKind::kDrainEnd:
        return end_drain(j);
      case EventKind::kFailure:
        return fail(j, event.which);
      case EventKind::kSlowNode:
        return turn_slow(j);
      case EventKind::kSlowNodeFound:
        return find_slow(j);
      case EventKind::kServerRepaired:
        return return_server();
      case EventKind::kStorageRepaired:
        --storage_down_;
        return reroute();
      case EventKind::kRebuilt:
        rebuild_ = {};
        return;
      case EventKind::kOthersStart:
        return start_others(static_cast<std::size_t>(event.which));
      case EventKind::kOthersEnd:
        others_[static_cast<std::size_t>(event.which)] = {};
        return;
      case EventKind::kIncident:
        return break_component(
            model_.plan.incidents[static_cast<std::size_t>(event.which)].component, 0);
    }
  }

  // --- flows ---

  [[nodiscard]] bool is_offline() const {
    return static_cast<std::size_t>(storage_down_) >= model_.rebuilds.size();
  }
  [[nodiscard]] const JobTransfers& transfers(std::size_t j) const {
    const auto& states = model_.jobs[j].transfers;
    return states[is_offline() ? 0 : static_cast<std::size_t>(storage_down_)];
  }

  void move(Moving& moving, std::int64_t size, std::span<const core::LinkUse> uses,
            double ceiling) {
    const bool needs_storage = !uses.empty();
    moving.size = size;
    moving.sampled = 0.0;
    moving.flow =
        engine_.start({.route = needs_storage && is_offline() ? std::span(&offline_, 1) : uses,
                       .size = size,
                       .ceiling = ceiling,
                       .weight = moving.bytes_per_unit > 0.0 ? 1.0 / moving.bytes_per_unit : 1.0},
                      moving.event);
  }

  void move_transfer(Moving& moving, const Transfer& transfer, EventKind kind, std::size_t j,
                     bool is_write) {
    moving = {.flow = -1,
              .event = make_event(kind, j),
              .size = 0,
              .sampled = 0.0,
              .bytes_per_unit = 1.0,
              .is_write = is_write};
    move(moving, transfer.bytes, transfer.uses, transfer.ceiling);
  }

  /// Takes the flow off its links and keeps its event; returns the units not moved.
  std::int64_t pause(Moving& moving) {
    const std::int64_t left = engine_.cancel(moving.flow);
    moving.flow = -1;
    return left;
  }
  /// For good.
  std::int64_t stop(Moving& moving) {
    free_events_.push_back(moving.event);
    return pause(moving);
  }

  /// What is under way goes on over the storage nodes that are up now.
  void reroute() {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      Job& job = jobs_[j];
      if (job.drain.is_under_way()) {
        const std::int64_t left = pause(job.drain);
        move(job.drain, left, transfers(j).checkpoint.uses, transfers(j).checkpoint.ceiling);
      }
      if (!job.moving.is_under_way()) continue;
      const std::int64_t left = pause(job.moving);
      if (job.phase == Phase::kSteps) {
        move_steps(j, left);
        continue;
      }
      const Transfer& transfer = transfer_of(j, job.phase);
      move(job.moving, left, transfer.uses, transfer.ceiling);
    }
    if (rebuild_.is_under_way()) move_rebuild(pause(rebuild_));
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i].is_under_way()) move_others(i, pause(others_[i]));
    }
  }

  [[nodiscard]] const Transfer& transfer_of(std::size_t j, Phase phase) const {
    if (phase == Phase::kRestore) return transfers(j).restore;
    return phase == Phase::kIndex ? transfers(j).index : transfers(j).checkpoint;
  }

  void move_rebuild(std::int64_t bytes) {
    if (is_offline() || bytes == 0) {
      rebuild_ = {};
      return;
    }
    const Transfer& transfer = model_.rebuilds[static_cast<std::size_t>(storage_down_)];
    if (rebuild_.size == 0) rebuild_.event = make_event(EventKind::kRebuilt, 0);
    rebuild_.is_write = true;
    move(rebuild_, bytes, transfer.uses, transfer.ceiling);
  }

  /// Loads of others go by pairs: what they read, and what they write.
  void start_others(std::size_t i) {
    const OtherLoad& load = model_.plan.other_loads[i / 2];
    const bool is_write = i % 2 == 1;
    const core::Bandwidth rate = is_write ? load.write : load.read;
    if (rate.base() == 0.0) return;
    others_[i].event = make_event(EventKind::kOthersEnd, 0, static_cast<std::int32_t>(i));
    others_[i].is_write = is_write;
    move_others(i, std::llround((rate * load.duration).base()));
  }

  void move_others(std::size_t i, std::int64_t bytes) {
    const OtherLoad& load = model_.plan.other_loads[i / 2];
    const std::size_t state = is_offline() ? 0 : static_cast<std::size_t>(storage_down_);
    move(others_[i], bytes, model_.outside[state][i % 2].uses,
         (i % 2 == 1 ? load.write : load.read).base());
  }

  // --- phases ---

  void enter(std::size_t j, Phase phase) {
    Job& job = jobs_[j];
    job.phase = phase;
    job.phase_start = engine_.now();
  }

  void wait(std::size_t j, Phase phase, RunTime time) {
    enter(j, phase);
    Job& job = jobs_[j];
    job.timer = make_event(EventKind::kPhaseEnd, j);
    job.has_timer = true;
    engine_.schedule(engine_.now() + time, job.timer);
  }

  void transfer(std::size_t j, Phase phase, bool is_write) {
    enter(j, phase);
    move_transfer(jobs_[j].moving, transfer_of(j, phase), EventKind::kPhaseEnd, j, is_write);
  }

  void start(std::size_t j) {
    jobs_[j].record.end = model_.jobs[j].start;
    jobs_[j].last_checkpoint = engine_.now();
    const RunPlan& plan = model_.jobs[j].plan;
    wait(j, Phase::kStartUp, ticks(plan.start_up + plan.communicator_initialization));
  }

  void end_phase(std::size_t j) {
    Job& job = jobs_[j];
    job.has_timer = false;
    job.moving.flow = -1;
    const Phase phase = job.phase;
    if (phase == Phase::kSteps) {
      count_steps(job, model_.jobs[j], job.uncounted_steps);
      return end_block(j);
    }
    account(job);
    switch (phase) {
      case Phase::kStartUp:
        if (model_.jobs[j].has_storage && transfers(j).index.bytes > 0) {
          return transfer(j, Phase::kIndex, false);
        }
        return begin(j);
      case Phase::kIndex:
        job.record.bytes_read += transfers(j).index.bytes;
        return begin(j);
      case Phase::kRestore:
        job.record.bytes_read += transfers(j).restore.bytes;
        return begin(j);
      case Phase::kSnapshot:
        return begin_drain(j);
      case Phase::kCheckpoint:
        complete_checkpoint(j, job.step);
        commit(job.since_checkpoint, job.record);
        return behind_checkpoint(j);
      case Phase::kEvaluation:
        return step_on(j);
      case Phase::kDetection:
        return replace(j);
      case Phase::kReplacement:
        return restart(j);
      case Phase::kRestart:
        if (job.saved_step > 0) return transfer(j, Phase::kRestore, false);
        return begin(j);
      default:
        return;
    }
  }

  void account(Job& job) {
    const auto cause = static_cast<std::size_t>(cause_of(job.phase));
    job.record.ticks[cause] += (engine_.now() - job.phase_start).count;
  }

  /// Of the block under way; the last may be a part of one.
  void count_steps(Job& job, const JobModel& model, double steps) {
    const std::int64_t elapsed = (engine_.now() - job.phase_start).count;
    const double ideal = steps * model.step_seconds * static_cast<double>(RunTime::kPerSecond);
    std::int64_t productive = std::min<std::int64_t>(elapsed, std::llround(ideal));
    const std::int64_t slow = std::min<std::int64_t>(
        elapsed - productive, std::llround(ideal * (job.block_slowdown - 1.0)));
    // Both ends of a flow are on a tick: that is no stall.
    if (elapsed - productive - slow <= 2) productive = elapsed - slow;
    job.since_checkpoint[0] += productive;
    job.since_checkpoint[1] += slow;
    job.since_checkpoint[2] += elapsed - productive - slow;
    job.uncounted_steps -= steps;
    job.record.sample_bytes += steps * job.moving.bytes_per_unit * kUnitsPerStep;
  }

  // --- steps ---

  void begin(std::size_t j) {
    jobs_[j].steps_since_start = 0;
    jobs_[j].last_checkpoint = engine_.now();
    step_on(j);
  }

  [[nodiscard]] const StepReads& step_reads(std::size_t j) const {
    static const StepReads kNothing;
    const JobModel& model = model_.jobs[j];
    if (!model.has_storage) return kNothing;
    const bool first = model.steps_per_epoch == 0 || jobs_[j].step < model.steps_per_epoch;
    return first ? transfers(j).first_epoch : transfers(j).later_epochs;
  }

  void step_on(std::size_t j) {
    Job& job = jobs_[j];
    const JobModel& model = model_.jobs[j];
    if (job.step == model.num_steps) return finish(j);
    const bool is_warming_up = job.steps_since_start < model.plan.warm_up_steps;
    job.block_slowdown = (is_warming_up ? model.plan.warm_up_slowdown : 1.0) / job.speed;
    std::int64_t stop = model.num_steps;
    if (is_warming_up) {
      stop = std::min(stop, job.step + model.plan.warm_up_steps - job.steps_since_start);
    }
    if (job.step < model.steps_per_epoch) stop = std::min(stop, model.steps_per_epoch);
    plan_checkpoint(job, model);
    if (job.checkpoint_step > job.step) stop = std::min(stop, job.checkpoint_step);
    if (model.plan.evaluation_interval_steps > 0) {
      const std::int64_t interval = model.plan.evaluation_interval_steps;
      job.evaluation_step = (job.step / interval + 1) * interval;
      stop = std::min(stop, job.evaluation_step);
    }
    job.block_steps = stop - job.step;
    job.uncounted_steps = static_cast<double>(job.block_steps);
    enter(j, Phase::kSteps);
    job.moving = {.flow = -1,
                  .event = make_event(EventKind::kPhaseEnd, j),
                  .size = 0,
                  .sampled = 0.0,
                  .bytes_per_unit = 0.0,
                  .is_write = false};
    move_steps(j, job.block_steps * kUnitsPerStep);
  }

  void move_steps(std::size_t j, std::int64_t units) {
    Job& job = jobs_[j];
    const StepReads& reads = step_reads(j);
    job.moving.bytes_per_unit = reads.bytes / kUnitsPerStep;
    const double seconds = model_.jobs[j].step_seconds * job.block_slowdown;
    double ceiling = std::min(1.0 / seconds, reads.ceiling);
    // Without samples read ahead, a step waits for its own.
    if (reads.bytes > 0.0 && reads.prefetch == 0) ceiling = 1.0 / (seconds + reads.alone_seconds);
    step_uses_.clear();
    for (const core::LinkUse& use : reads.uses) {
      step_uses_.push_back({use.link, use.coefficient / kUnitsPerStep});
    }
    move(job.moving, units, step_uses_, ceiling * kUnitsPerStep);
  }

  /// The next step behind which a checkpoint is due, or -1.
  void plan_checkpoint(Job& job, const JobModel& model) {
    job.checkpoint_step = -1;
    if (!model.has_storage) return;
    const CheckpointPlan& plan = model.checkpoint;
    if (plan.interval) {
      const RunTime due = job.last_checkpoint + ticks(*plan.interval);
      const double left =
          (due - engine_.now()).duration().base() / (model.step_seconds * job.block_slowdown);
      constexpr double kRounding = 1e-9;
      const double steps = std::max(1.0, std::ceil(left * (1.0 - kRounding)));
      if (steps < static_cast<double>(model.num_steps - job.step)) {
        job.checkpoint_step = job.step + static_cast<std::int64_t>(steps);
      }
    } else if (plan.interval_steps > 0) {
      job.checkpoint_step = (job.step / plan.interval_steps + 1) * plan.interval_steps;
    }
  }

  void end_block(std::size_t j) {
    Job& job = jobs_[j];
    job.step += job.block_steps;
    job.steps_since_start += job.block_steps;
    const bool is_last = job.step == model_.jobs[j].num_steps;
    if (job.step == job.checkpoint_step ||
        (is_last && model_.jobs[j].checkpoint.at_end && model_.jobs[j].has_storage)) {
      return checkpoint(j);
    }
    behind_checkpoint(j);
  }

  void behind_checkpoint(std::size_t j) {
    Job& job = jobs_[j];
    const RunPlan& plan = model_.jobs[j].plan;
    if (job.step == job.evaluation_step && plan.evaluation_steps > 0) {
      const double seconds = static_cast<double>(plan.evaluation_steps) *
                             model_.jobs[j].step_seconds / 3.0 / job.speed;
      return wait(j, Phase::kEvaluation, ticks(Duration::from_base(seconds)));
    }
    step_on(j);
  }

  void finish(std::size_t j) {
    Job& job = jobs_[j];
    if (job.drain.is_under_way()) {
      job.is_finishing = true;
      return enter(j, Phase::kDrainWait);
    }
    commit(job.since_checkpoint, job.record);
    enter(j, Phase::kDone);
    job.record.end = engine_.now();
    ++num_done_;
  }

  // --- checkpoints ---

  void checkpoint(std::size_t j) {
    Job& job = jobs_[j];
    if (model_.jobs[j].checkpoint.mode == CheckpointMode::kSynchronous) {
      job.last_checkpoint = engine_.now();
      keep(static_cast<double>(transfers(j).checkpoint.bytes));
      return transfer(j, Phase::kCheckpoint, true);
    }
    if (job.drain.is_under_way()) return enter(j, Phase::kDrainWait);
    snapshot(j);
  }

  void snapshot(std::size_t j) {
    jobs_[j].last_checkpoint = engine_.now();
    wait(j, Phase::kSnapshot, model_.jobs[j].snapshot);
  }

  void begin_drain(std::size_t j) {
    Job& job = jobs_[j];
    job.draining_step = job.step;
    job.since_drain = job.since_checkpoint;
    job.since_checkpoint = {};
    keep(static_cast<double>(transfers(j).checkpoint.bytes));
    move_transfer(job.drain, transfers(j).checkpoint, EventKind::kDrainEnd, j, true);
    behind_checkpoint(j);
  }

  void end_drain(std::size_t j) {
    Job& job = jobs_[j];
    job.drain.flow = -1;
    complete_checkpoint(j, job.draining_step);
    commit(job.since_drain, job.record);
    if (job.phase != Phase::kDrainWait) return;
    account(job);
    if (job.is_finishing) return finish(j);
    snapshot(j);
  }

  void complete_checkpoint(std::size_t j, std::int64_t step) {
    Job& job = jobs_[j];
    const std::int64_t bytes = transfers(j).checkpoint.bytes;
    job.saved_step = step;
    job.record.bytes_written += bytes;
    ++job.record.num_checkpoints;
    const int retention = model_.jobs[j].checkpoint.retention;
    if (retention > 0 && job.num_kept == retention) {
      used_ -= static_cast<double>(bytes);
    } else {
      ++job.num_kept;
    }
  }

  void keep(double bytes) {
    used_ += bytes;
    most_used_ = std::max(most_used_, used_);
  }

  // --- failures ---

  static std::uint64_t stream(std::uint64_t replica, std::size_t job, std::size_t rate) {
    return (replica << 24) + (job << 6) + rate;
  }

  void add_failures(std::size_t j, std::uint64_t replica) {
    processes_.emplace_back();
    if (!model_.reliability) return;
    const models::Reliability& fleet = *model_.reliability;
    const auto seed = static_cast<std::uint64_t>(model_.plan.seed);
    for (std::size_t r = 0; r < fleet.failures.size(); ++r) {
      const models::FailureRate& rate = fleet.failures[r];
      const std::int64_t count = rate.component == Component::kStorageNode
                                     ? 0
                                     : models::num_components(rate.component, model_.jobs[j].fleet);
      processes_[j].emplace_back(rate, count, seed, stream(replica, j, r));
      schedule_failure(j, r);
    }
    if (!fleet.slow_nodes) return;
    constexpr std::size_t kSlowStream = 63;
    slow_random_.emplace_back(seed, stream(replica, j, kSlowStream));
    schedule_slow_node(j);
  }

  /// Storage fails as the last job's number behind the others.
  void add_storage_failures(std::uint64_t replica) {
    processes_.emplace_back();
    if (!model_.reliability || model_.num_storage_nodes == 0) return;
    const auto seed = static_cast<std::uint64_t>(model_.plan.seed);
    const std::size_t owner = jobs_.size();
    for (std::size_t r = 0; r < model_.reliability->failures.size(); ++r) {
      const models::FailureRate& rate = model_.reliability->failures[r];
      const bool counts = rate.component == Component::kStorageNode;
      processes_[owner].emplace_back(rate, counts ? model_.num_storage_nodes : 0, seed,
                                     stream(replica, owner, r));
      schedule_failure(owner, r);
    }
  }

  void schedule_failure(std::size_t owner, std::size_t rate) {
    const Duration when = processes_[owner][rate].next();
    schedule_later(when, EventKind::kFailure, owner, static_cast<std::int32_t>(rate));
  }

  /// At a time since the start of the clock; never where the clock ends before.
  void schedule_later(Duration when, EventKind kind, std::size_t owner, std::int32_t which = 0) {
    constexpr double kClockEnd = 9e9;  // s
    if (!(when.base() < kClockEnd)) return;
    const RunTime at = std::max(ticks(when), engine_.now());
    engine_.schedule(at, make_event(kind, owner, which));
  }

  void fail(std::size_t owner, std::int32_t rate) {
    schedule_failure(owner, static_cast<std::size_t>(rate));
    const Component component =
        model_.reliability->failures[static_cast<std::size_t>(rate)].component;
    break_component(component, owner);
  }

  /// No time at all where the scenario names no fleet.
  [[nodiscard]] RunTime fleet_time(core::Sourced<Duration> models::Reliability::* time) const {
    return model_.reliability ? ticks(((*model_.reliability).*time).value) : RunTime{};
  }

  void break_component(Component component, std::size_t j) {
    if (component == Component::kStorageNode) return lose_storage_node();
    Job& job = jobs_[j];
    if (job.phase == Phase::kWaiting || job.phase == Phase::kDone) return;
    ++job.record.failures[static_cast<std::size_t>(component)];
    interrupt(j, component != Component::kSoftware);
  }

  /// Without a fleet it never comes back.
  void lose_storage_node() {
    if (storage_down_ >= model_.num_storage_nodes) return;
    const double held = (used_ + model_.used_before) * model_.held_per_byte;
    ++storage_down_;
    if (model_.reliability) {
      schedule_later(engine_.now().duration() + model_.reliability->repair.value,
                     EventKind::kStorageRepaired, 0);
    }
    reroute();
    const std::int64_t left = rebuild_.is_under_way() ? pause(rebuild_) : 0;
    move_rebuild(left + std::llround(held));
  }

  /// The job stops where it is and goes on from its last complete checkpoint.
  void interrupt(std::size_t j, bool loses_server) {
    Job& job = jobs_[j];
    if (job.has_timer) {
      events_[job.timer].is_live = false;
      job.has_timer = false;
    }
    if (job.phase == Phase::kSteps) {
      count_steps(job, model_.jobs[j], job.uncounted_steps - in_steps(stop(job.moving)));
    } else {
      if (job.moving.is_under_way()) cancel_transfer(job, job.moving, j);
      account(job);
    }
    if (job.drain.is_under_way()) cancel_transfer(job, job.drain, j);
    auto& lost = job.record.ticks[static_cast<std::size_t>(RunCause::kLostWork)];
    lost += sum(job.since_checkpoint) + sum(job.since_drain);
    job.since_checkpoint = {};
    job.since_drain = {};
    job.step = job.saved_step;
    job.is_finishing = false;
    job.needs_server = job.needs_server || loses_server;
    ++job.record.num_interruptions;
    wait(j, Phase::kDetection, fleet_time(&models::Reliability::detection));
  }

  void cancel_transfer(Job& job, Moving& moving, std::size_t j) {
    const std::int64_t total =
        moving.is_write ? transfers(j).checkpoint.bytes : transfer_of(j, job.phase).bytes;
    const std::int64_t moved = total - stop(moving);
    if (moving.is_write) {
      job.record.bytes_written += moved;
      used_ -= static_cast<double>(total);
    } else {
      job.record.bytes_read += moved;
    }
  }

  void replace(std::size_t j) {
    Job& job = jobs_[j];
    if (!job.needs_server) return restart(j);
    if (model_.reliability) {
      schedule_later(engine_.now().duration() + model_.reliability->repair.value,
                     EventKind::kServerRepaired, j);
    }
    if (spares_ == 0 && model_.reliability) {
      waiting_.push_back(j);
      return enter(j, Phase::kNoSpare);
    }
    take_spare(j);
  }

  void take_spare(std::size_t j) {
    spares_ = std::max(0, spares_ - 1);
    jobs_[j].needs_server = false;
    wait(j, Phase::kReplacement, fleet_time(&models::Reliability::replacement));
  }

  void return_server() {
    ++spares_;
    while (!waiting_.empty()) {
      const std::size_t j = waiting_.front();
      waiting_.erase(waiting_.begin());
      if (jobs_[j].phase != Phase::kNoSpare) continue;
      account(jobs_[j]);
      return take_spare(j);
    }
  }

  void restart(std::size_t j) {
    jobs_[j].speed = 1.0;
    wait(j, Phase::kRestart, fleet_time(&models::Reliability::restart));
  }

  void schedule_slow_node(std::size_t j) {
    const models::SlowNodes& slow = *model_.reliability->slow_nodes;
    const double mean = slow.mtbf.value.base() / model_.jobs[j].fleet.num_nodes;
    schedule_later(
        engine_.now().duration() + Duration::from_base(slow_random_[j].exponential(mean)),
        EventKind::kSlowNode, j);
  }

  void turn_slow(std::size_t j) {
    Job& job = jobs_[j];
    if (job.phase == Phase::kDone) return;
    if (job.phase == Phase::kWaiting || job.speed < 1.0) return schedule_slow_node(j);
    const models::SlowNodes& slow = *model_.reliability->slow_nodes;
    if (job.phase == Phase::kSteps) {
      slow_block(j, slow.speed.value);
    } else {
      job.speed = slow.speed.value;
    }
    schedule_later(engine_.now().duration() + slow.detection.value, EventKind::kSlowNodeFound, j);
  }

  /// Goes on with the block under way at another speed.
  void slow_block(std::size_t j, double speed) {
    Job& job = jobs_[j];
    const std::int64_t left = pause(job.moving);
    count_steps(job, model_.jobs[j], job.uncounted_steps - in_steps(left));
    job.speed = speed;
    job.block_slowdown /= speed;
    enter(j, Phase::kSteps);
    move_steps(j, left);
  }

  void find_slow(std::size_t j) {
    schedule_slow_node(j);
    const Phase phase = jobs_[j].phase;
    if (phase == Phase::kDone || jobs_[j].speed == 1.0) return;
    interrupt(j, true);
  }

  // --- load over time ---

  void sample(EventId ending) {
    if (engine_.now() == sampled_at_) {
      // Flows that end in the same tick have nothing left to add.
      return;
    }
    double read = 0.0;
    double written = 0.0;
    double peak_write = 0.0;
    const double seconds = (engine_.now() - sampled_at_).duration().base();
    const auto take = [&](Moving& moving, double peak_factor) {
      if (!moving.is_under_way()) return;
      const double left = moving.event == ending ? 0.0 : engine_.remaining(moving.flow);
      const double moved = static_cast<double>(moving.size) - left;
      const double bytes = (moved - moving.sampled) * moving.bytes_per_unit;
      moving.sampled = moved;
      (moving.is_write ? written : read) += bytes;
      if (moving.is_write) peak_write += bytes / seconds * peak_factor;
    };
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      take(jobs_[j].moving, model_.jobs[j].write_peak_factor);
      take(jobs_[j].drain, model_.jobs[j].write_peak_factor);
    }
    for (Moving& other : others_) take(other, 1.0);
    series_->add(sampled_at_, engine_.now(), read, written, peak_write);
    sampled_at_ = engine_.now();
  }

  const RunModel& model_;
  LoadSeries* series_;
  core::Engine<RunTime> engine_;
  std::vector<Job> jobs_;
  std::vector<Event> events_;
  std::vector<EventId> free_events_;
  std::vector<std::vector<models::FailureProcess>> processes_;  // by job, then storage's; by rate
  std::vector<core::RandomStream> slow_random_;
  std::vector<std::size_t> waiting_;  // jobs without a spare, in turn
  std::vector<core::LinkUse> step_uses_;
  core::LinkUse offline_;
  Moving rebuild_;
  std::vector<Moving> others_;
  RunTime sampled_at_;
  std::size_t num_done_ = 0;
  int spares_ = 0;
  int storage_down_ = 0;
  double used_ = 0.0;
  double most_used_ = 0.0;
};

}  // namespace

RunRecord simulate_replica(const RunModel& model, std::uint64_t replica, LoadSeries* series) {
  return RunSimulation(model, replica, series).run();
}

}  // namespace railwright::planner
