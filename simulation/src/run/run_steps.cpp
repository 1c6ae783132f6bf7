// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "run_simulation.hpp"

namespace railwright::simulation::replication {

void RunSimulation::begin(Job& job) {
  job.steps_since_start = 0;
  job.last_checkpoint = engine_.now();
  if (starts_epochs(job.model) && job.step < job.model.num_steps) return start_epoch(job);
  step_on(job);
}

const StepReads& RunSimulation::step_reads(const Job& job) const {
  static const StepReads kNothing;
  if (!job.model.has_storage) return kNothing;
  const JobTransfers& transfers = flows_.transfers(job.model);
  const bool first = job.model.steps_per_epoch == 0 || job.step < job.model.steps_per_epoch;
  return first ? transfers.first_epoch : transfers.later_epochs;
}

void RunSimulation::start_epoch(Job& job) {
  const double seconds =
      job.model.epoch_start_up->base() + models::first_batch_seconds(step_reads(job).loader);
  wait(job, Phase::kEpochStart, ticks(Duration::from_base(seconds)));
}

void RunSimulation::step_on(Job& job) {
  if (job.step == job.model.num_steps) return finish(job);
  if (starts_epochs(job.model) && job.step > 0 && job.step % job.model.steps_per_epoch == 0) {
    return start_epoch(job);
  }
  start_block(job);
}

void RunSimulation::start_block(Job& job) {
  job.block = next_block(job.model, {.step = job.step,
                                     .steps_since_start = job.steps_since_start,
                                     .write_speed = job.speed_by(SlowedBy::kWrite),
                                     .speed = job.speed(),
                                     .last_checkpoint = job.last_checkpoint,
                                     .now = engine_.now()});
  job.uncounted_steps = static_cast<double>(job.block.num_steps);
  enter(job, Phase::kSteps);
  job.flow = {};
  job.flow.event = events_.add(EventKind::kPhaseEnd, job.index);
  move_steps(job, job.block.num_steps * kUnitsPerStep);
}

void RunSimulation::move_steps(Job& job, std::int64_t units) {
  const StepReads& reads = step_reads(job);
  job.flow.bytes_per_unit = reads.bytes / kUnitsPerStep;
  job.flow.weight = reads.shared_bytes > 0.0 ? 1.0 / (reads.shared_bytes / kUnitsPerStep) : 1.0;
  job.flow.request = reads.request;
  const double period = periods_.of(reads, job.model.step_seconds, job.block.slowdown);
  const double steps_per_second = std::min(1.0 / period, reads.ceiling);
  flows_.start(job.flow, units, loads_of(reads), steps_per_second * kUnitsPerStep);
}

void RunSimulation::count_steps(Job& job, double steps) {
  const std::int64_t elapsed = (engine_.now() - job.phase_start).count;
  const double ideal = steps * job.model.step_seconds * static_cast<double>(RunTime::kPerSecond);
  StepTicks counted = divide(elapsed, ideal, job.block.slowdown);
  add(counted, job.since_checkpoint);
  job.uncounted_steps -= steps;
  job.record.sample_bytes += steps * job.flow.bytes_per_unit * kUnitsPerStep;
}

void RunSimulation::end_block(Job& job) {
  job.step += job.block.num_steps;
  job.steps_since_start += job.block.num_steps;
  const bool is_last = job.step == job.model.num_steps;
  const bool ends_with_one = job.model.checkpoint.at_end && job.model.writes_checkpoints;
  if (job.step == job.block.checkpoint_step || (is_last && ends_with_one)) return checkpoint(job);
  go_on(job);
}

void RunSimulation::go_on(Job& job) {
  const RunPlan& plan = job.model.plan;
  if (job.step == job.block.evaluation_step && plan.evaluation_steps > 0) {
    const double seconds =
        static_cast<double>(plan.evaluation_steps) * job.model.step_seconds / 3.0 / job.speed();
    return wait(job, Phase::kEvaluation, ticks(Duration::from_base(seconds)));
  }
  step_on(job);
}

}  // namespace railwright::simulation::replication
