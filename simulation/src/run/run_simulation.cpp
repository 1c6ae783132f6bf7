// SPDX-License-Identifier: Apache-2.0
#include "run_simulation.hpp"

#include <algorithm>

#include "interval_load.hpp"
#include "railwright/core/error.hpp"

namespace railwright::simulation::replication {

RunSimulation::RunSimulation(const RunModel& model, std::uint64_t replication, RunNotes* notes)
    : model_(model),
      notes_(notes),
      flows_(model, engine_, events_),
      background_(model, flows_, events_),
      clocks_(model, replication),
      spares_(model.num_spares.begin(), model.num_spares.end()),
      room_(model.used_before, model.growth, model.snapshot_retention),
      periods_(static_cast<std::uint64_t>(model.plan.seed)) {
  jobs_.reserve(model.jobs.size());
  for (std::size_t j = 0; j < model.jobs.size(); ++j) {
    const Job& job = jobs_.emplace_back(j, model.jobs[j]);
    engine_.schedule(job.model.start, events_.add(EventKind::kStart, j));
    schedule_failures(j);
    for (const SlowPart part : kSlowParts) {
      if (clocks_.has_slow(part)) schedule_slow(job, part);
    }
    for (std::size_t lemon = 0; lemon < clocks_.num_lemons(j); ++lemon) {
      schedule_lemon_failure(j, lemon);
    }
  }
  schedule_failures(jobs_.size());
  for (std::size_t i = 0; i < background_.others().size(); ++i) {
    engine_.schedule(background_.start_of(i),
                     events_.add(EventKind::kOthersStart, 0, static_cast<std::int32_t>(i)));
  }
  for (std::size_t i = 0; i < model.plan.incidents.size(); ++i) {
    engine_.schedule(
        ticks(model.plan.incidents[i].time),
        events_.add(EventKind::kIncident, model.struck[i], static_cast<std::int32_t>(i)));
  }
}

RunRecord RunSimulation::run() {
  EventId id = 0;
  while (num_done_ < jobs_.size() && next(id)) {
    if (notes_ != nullptr && notes_->series) sample(id);
    const Event event = events_.take(id);
    if (event.is_live) handle(event);
  }
  RunRecord record{.jobs = {},
                   .end = {},
                   .max_kept = room_.max_kept(),
                   .max_used = room_.max_used(engine_.now()),
                   .max_archived = max_archived_};
  for (const CopyDestination destination : kCopyDestinations) {
    record.copies[static_cast<std::size_t>(destination)] =
        background_.copies(destination).record(engine_.now());
  }
  for (const Job& job : jobs_) {
    record.end = std::max(record.end, job.record.end);
    record.jobs.push_back(job.record);
  }
  return record;
}

bool RunSimulation::next(EventId& id) {
  try {
    return engine_.next(id);
  } catch (const core::SimulationError&) {
    if (!flows_.is_offline()) throw;
  }
  strand();  // nothing will bring storage back
  return false;
}

void RunSimulation::handle(const Event& event) {
  const auto owner = static_cast<std::size_t>(event.owner);
  const auto which = static_cast<std::size_t>(event.which);
  switch (event.kind) {
    case EventKind::kStart:
      return start(jobs_[owner]);
    case EventKind::kPhaseEnd:
      return end_phase(jobs_[owner]);
    case EventKind::kCopyEnd:
      return end_copy(jobs_[owner]);
    case EventKind::kDrainEnd:
      return end_drain(jobs_[owner]);
    case EventKind::kFailure:
      return fail(owner, which);
    case EventKind::kLemonFailure:
      return fail_lemon(owner, which);
    case EventKind::kSlowPart:
      return turn_slow(jobs_[owner], kSlowParts[which]);
    case EventKind::kSlowPartFound:
      return find_slow(jobs_[owner], kSlowParts[which]);
    case EventKind::kNodeRepaired:
      return return_node(jobs_[owner].model.pool);
    case EventKind::kStorageRepaired:
      flows_.regain_node();
      return reroute();
    case EventKind::kRebuilt:
      return background_.end_rebuild();
    case EventKind::kOthersStart:
      return background_.start(which);
    case EventKind::kOthersEnd:
      return background_.end(which);
    case EventKind::kIncident:
      return break_by_plan(model_.plan.incidents[which], owner);
    case EventKind::kCopied:
      return end_copy_to(static_cast<CopyDestination>(which));
  }
}

void RunSimulation::schedule(std::optional<RunTime> when, EventKind kind, std::size_t owner,
                             std::int32_t which) {
  if (!when) return;
  engine_.schedule(std::max(*when, engine_.now()), events_.add(kind, owner, which));
}

void RunSimulation::enter(Job& job, Phase phase) {
  note_phase(job);
  job.phase = phase;
  job.phase_start = engine_.now();
  job.phase_step = job.step;
}

void RunSimulation::wait(Job& job, Phase phase, RunTime time) {
  enter(job, phase);
  job.timer = events_.add(EventKind::kPhaseEnd, job.index);
  engine_.schedule(engine_.now() + time, *job.timer);
}

void RunSimulation::transfer(Job& job, Phase phase, Transfer JobTransfers::* what, bool is_write) {
  enter(job, phase);
  flows_.start(job.flow, job.model, what, events_.add(EventKind::kPhaseEnd, job.index), is_write);
}

void RunSimulation::start(Job& job) {
  job.record.end = job.model.start;
  job.last_checkpoint = engine_.now();
  const RunPlan& plan = job.model.plan;
  wait(job, Phase::kStartUp, ticks(plan.start_up + plan.communicator_initialization));
}

void RunSimulation::end_phase(Job& job) {
  job.timer.reset();
  job.flow.end();
  if (job.phase == Phase::kSteps) {
    count_steps(job, job.uncounted_steps);
    return end_block(job);
  }
  account(job);
  switch (job.phase) {
    case Phase::kStartUp:
      return prepare_data(job);
    case Phase::kStaging:
      job.is_staged = true;
      job.record.bytes_written += flows_.transfers(job.model).staging.bytes;
      return read_index(job);
    case Phase::kIndex:
    case Phase::kRestore:
      (job.flow.is_local ? job.record.local_read : job.record.bytes_read) +=
          (flows_.transfers(job.model).*job.flow.transfer).bytes;
      return begin(job);
    case Phase::kEpochStart:
      return start_block(job);
    case Phase::kSnapshot:
      return begin_copy(job);
    case Phase::kCheckpoint:
      complete(job, job.step, job.since_checkpoint);
      return job.step < job.model.num_steps && is_worth_growing(job) ? take_new_nodes(job)
                                                                     : go_on(job);
    case Phase::kEvaluation:
      return step_on(job);
    case Phase::kDetection:
      return replace(job);
    case Phase::kReplacement:
      return restart(job);
    case Phase::kRestart:
      if (job.step > 0) return restore(job);
      if (needs_staging(job)) return prepare_data(job);
      return begin(job);
    default:
      return;
  }
}

void RunSimulation::prepare_data(Job& job) {
  if (!needs_staging(job)) return read_index(job);
  transfer(job, Phase::kStaging, &JobTransfers::staging, true);
}

void RunSimulation::read_index(Job& job) {
  if (!job.model.has_storage || flows_.transfers(job.model).index.bytes == 0) return begin(job);
  transfer(job, Phase::kIndex, &JobTransfers::index, false);
}

void RunSimulation::finish(Job& job) {
  if (job.is_writing()) {
    job.is_finishing = true;
    return enter(job, Phase::kDrainWait);
  }
  if (job.tier) {
    StepTicks undrained = job.tier->take_undrained();
    job.commit(undrained);
  }
  job.commit(job.since_checkpoint);
  enter(job, Phase::kDone);
  job.record.end = engine_.now();
  ++num_done_;
}

void RunSimulation::sample(EventId ending) {
  // Flows that end in the same tick have nothing left to add.
  if (engine_.now() == sampled_at_) return;
  IntervalLoad load(sampled_at_, engine_.now(), room_.used(engine_.now()));
  const auto take = [&](ActiveFlow& flow, double peak_factor) {
    if (!flow.is_under_way() || flow.is_local) return;
    load.add(flow, flow.event == ending ? 0.0 : engine_.remaining(flow.id), peak_factor);
  };
  for (Job& job : jobs_) {
    const bool is_staging = job.flow.transfer == &JobTransfers::staging;
    take(job.flow, is_staging ? 1.0 : job.model.write_peak_factor);
    take(job.copy.flow, job.model.write_peak_factor);
    if (job.tier) take(job.tier->drain().flow, job.model.write_peak_factor);
  }
  for (ActiveFlow& other : background_.others()) take(other, 1.0);
  for (const CopyDestination destination : kCopyDestinations) {
    take(background_.copies(destination).flow(), 1.0);
  }
  notes_->series->add(load.sample());
  sampled_at_ = engine_.now();
}

void RunSimulation::note(RunSpan span) {
  if (span.start == engine_.now()) return;
  span.end = engine_.now();
  notes_->spans.push_back(span);
}

void RunSimulation::note_phase(const Job& job) {
  if (!notes_spans() || job.phase == Phase::kWaiting) return;
  note({.job = static_cast<std::int32_t>(job.index),
        .what = kPhaseNames[static_cast<std::size_t>(job.phase)],
        .start = job.phase_start,
        .step = job.phase_step});
}

void RunSimulation::note_write(const Job& job, const AsyncWrite& write) {
  if (!notes_spans()) return;
  note({.job = static_cast<std::int32_t>(job.index),
        .is_behind = true,
        .is_drain = &write != &job.copy,
        .what = "checkpoint",
        .start = write.start,
        .step = write.step});
}

}  // namespace railwright::simulation::replication

namespace railwright::simulation {

RunRecord simulate_replication(const RunModel& model, std::uint64_t replication, RunNotes* notes) {
  return replication::RunSimulation(model, replication, notes).run();
}

}  // namespace railwright::simulation
