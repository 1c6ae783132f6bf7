// SPDX-License-Identifier: Apache-2.0
#include "run_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/core/error.hpp"

namespace railwright::simulation::replica {

RunCause cause_of(Phase phase) {
  switch (phase) {
    case Phase::kEvaluation:
      return RunCause::kEvaluation;
    case Phase::kEpochStart:
      return RunCause::kDataStall;
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

RunSimulation::RunSimulation(const RunModel& model, std::uint64_t replica, RunNotes* notes)
    : model_(model), notes_(notes), jobs_(model.jobs.size()), spares_(model.plan.num_spares) {
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

bool RunSimulation::next(EventId& id) {
  try {
    return engine_.next(id);
  } catch (const core::SimulationError&) {
    if (!is_offline()) throw;
  }
  strand();  // nothing will bring storage back
  return false;
}

void RunSimulation::strand() {
  is_stranded_ = true;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (jobs_[j].phase != Phase::kDone) interrupt(j, false);
  }
}

RunRecord RunSimulation::run() {
  EventId id = 0;
  while (num_done_ < jobs_.size() && next(id)) {
    const Event event = events_[id];
    if (notes_ != nullptr && notes_->series) sample(id);
    free_events_.push_back(id);
    if (event.is_live) handle(event);
  }
  RunRecord record{
      .jobs = {}, .end = {}, .max_kept = max_kept_, .max_used = std::max(max_used_, used())};
  for (Job& job : jobs_) {
    record.end = std::max(record.end, job.record.end);
    record.jobs.push_back(job.record);
  }
  return record;
}

EventId RunSimulation::make_event(EventKind kind, std::size_t job, std::int32_t which) {
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

void RunSimulation::handle(const Event& event) {
  const auto j = static_cast<std::size_t>(event.job);
  switch (event.kind) {
    case EventKind::kStart:
      return start(j);
    case EventKind::kPhaseEnd:
      return end_phase(j);
    case EventKind::kCopyEnd:
      return end_copy(j);
    case EventKind::kDrainEnd:
      return end_drain(j);
    case EventKind::kFailure:
      return fail(j, event.which);
    case EventKind::kSlowNode:
      return turn_slow(j);
    case EventKind::kSlowNodeFound:
      return find_slow(j);
    case EventKind::kNodeRepaired:
      return return_node();
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
      return break_component(model_.plan.incidents[static_cast<std::size_t>(event.which)].component,
                             0);
  }
}

void RunSimulation::enter(std::size_t j, Phase phase) {
  Job& job = jobs_[j];
  if (job.phase != Phase::kWaiting) {
    note_span(j, kPhaseNames[static_cast<std::size_t>(job.phase)], job.phase_start, job.phase_step,
              false);
  }
  job.phase = phase;
  job.phase_start = engine_.now();
  job.phase_step = job.step;
}

void RunSimulation::wait(std::size_t j, Phase phase, RunTime time) {
  enter(j, phase);
  Job& job = jobs_[j];
  job.timer = make_event(EventKind::kPhaseEnd, j);
  job.has_timer = true;
  engine_.schedule(engine_.now() + time, job.timer);
}

void RunSimulation::start(std::size_t j) {
  jobs_[j].record.end = model_.jobs[j].start;
  jobs_[j].last_checkpoint = engine_.now();
  const RunPlan& plan = model_.jobs[j].plan;
  wait(j, Phase::kStartUp, ticks(plan.start_up + plan.communicator_initialization));
}

void RunSimulation::end_phase(std::size_t j) {
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
        return transfer(j, Phase::kIndex, &JobTransfers::index, false);
      }
      return begin(j);
    case Phase::kIndex:
    case Phase::kRestore: {
      const bool is_local = job.moving.is_local;
      (is_local ? job.record.local_read : job.record.bytes_read) +=
          (transfers(j).*job.moving.what).bytes;
      return begin(j);
    }
    case Phase::kEpochStart:
      return start_block(j);
    case Phase::kSnapshot:
      return begin_copy(j);
    case Phase::kCheckpoint:
      return end_checkpoint(j);
    case Phase::kEvaluation:
      return step_on(j);
    case Phase::kDetection:
      return replace(j);
    case Phase::kReplacement:
      return restart(j);
    case Phase::kRestart:
      if (job.step > 0) return restore(j);
      return begin(j);
    default:
      return;
  }
}

void RunSimulation::count_steps(Job& job, const JobModel& model, double steps) {
  const std::int64_t elapsed = (engine_.now() - job.phase_start).count;
  const double ideal = steps * model.step_seconds * static_cast<double>(RunTime::kPerSecond);
  std::int64_t productive = std::min<std::int64_t>(elapsed, std::llround(ideal));
  const std::int64_t slow = std::min<std::int64_t>(
      elapsed - productive, std::llround(ideal * (job.block_slowdown - 1.0)));
  // Both ends of a flow are rounded to a tick, which is no stall.
  if (elapsed - productive - slow <= 2) productive = elapsed - slow;
  job.since_checkpoint[0] += productive;
  job.since_checkpoint[1] += slow;
  job.since_checkpoint[2] += elapsed - productive - slow;
  job.uncounted_steps -= steps;
  job.record.sample_bytes += steps * job.moving.bytes_per_unit * kUnitsPerStep;
}

void RunSimulation::sample(EventId ending) {
  // Flows that end in the same tick have nothing left to add.
  if (engine_.now() == sampled_at_) return;
  LoadSample load{.start = sampled_at_, .end = engine_.now(), .used = used()};
  const double seconds = (load.end - load.start).duration().base();
  const double of_node = 1.0 / std::max(1, model_.num_storage_nodes - storage_down_);
  const auto take = [&](Moving& moving, double peak_factor) {
    if (!moving.is_under_way() || moving.is_local) return;
    const double left = moving.event == ending ? 0.0 : engine_.remaining(moving.flow);
    const double moved = static_cast<double>(moving.size) - left;
    const double bytes = (moved - moving.sampled) * moving.bytes_per_unit;
    moving.sampled = moved;
    load.operations += bytes / moving.request;
    const double at_node = bytes / seconds * of_node * moving.busiest_node;
    if (moving.is_write) {
      load.written_bytes += bytes;
      load.peak_write += bytes / seconds * peak_factor;
      load.peak_node_write += at_node * peak_factor;
    } else {
      load.read_bytes += bytes;
      load.peak_node_read += at_node;
    }
  };
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    take(jobs_[j].moving, model_.jobs[j].write_peak_factor);
    take(jobs_[j].copy.moving, model_.jobs[j].write_peak_factor);
    take(jobs_[j].drain.moving, model_.jobs[j].write_peak_factor);
  }
  for (Moving& other : others_) take(other, 1.0);
  notes_->series->add(load);
  sampled_at_ = engine_.now();
}

void RunSimulation::note_span(std::size_t j, std::string_view what, RunTime start,
                              std::int64_t step, bool is_behind, bool is_drain) {
  if (notes_ == nullptr || !notes_->has_spans || start == engine_.now()) return;
  notes_->spans.push_back({.job = static_cast<std::int32_t>(j),
                           .is_behind = is_behind,
                           .is_drain = is_drain,
                           .what = what,
                           .start = start,
                           .end = engine_.now(),
                           .step = step});
}

}  // namespace railwright::simulation::replica

namespace railwright::simulation {

RunRecord simulate_replica(const RunModel& model, std::uint64_t replica, RunNotes* notes) {
  return replica::RunSimulation(model, replica, notes).run();
}

}  // namespace railwright::simulation
