// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "run_simulation.hpp"

namespace railwright::simulation::replica {

void RunSimulation::begin(std::size_t j) {
  jobs_[j].steps_since_start = 0;
  jobs_[j].last_checkpoint = engine_.now();
  if (starts_epochs(j) && jobs_[j].step < model_.jobs[j].num_steps) return start_epoch(j);
  step_on(j);
}

void RunSimulation::start_epoch(std::size_t j) {
  const double seconds =
      model_.jobs[j].epoch_start_up->base() + models::first_batch_seconds(step_reads(j).loader);
  wait(j, Phase::kEpochStart, ticks(Duration::from_base(seconds)));
}

const StepReads& RunSimulation::step_reads(std::size_t j) const {
  static const StepReads kNothing;
  const JobModel& model = model_.jobs[j];
  if (!model.has_storage) return kNothing;
  const bool first = model.steps_per_epoch == 0 || jobs_[j].step < model.steps_per_epoch;
  return first ? transfers(j).first_epoch : transfers(j).later_epochs;
}

void RunSimulation::step_on(std::size_t j) {
  Job& job = jobs_[j];
  const JobModel& model = model_.jobs[j];
  if (job.step == model.num_steps) return finish(j);
  if (starts_epochs(j) && job.step > 0 && job.step % model.steps_per_epoch == 0) {
    return start_epoch(j);
  }
  start_block(j);
}

void RunSimulation::start_block(std::size_t j) {
  Job& job = jobs_[j];
  const JobModel& model = model_.jobs[j];
  const bool is_warming_up = job.steps_since_start < model.plan.warm_up_steps;
  job.block_slowdown = (is_warming_up ? model.plan.warm_up_slowdown : 1.0) / job.speed;
  std::int64_t stop = model.num_steps;
  if (is_warming_up) {
    stop = std::min(stop, job.step + model.plan.warm_up_steps - job.steps_since_start);
  }
  if (starts_epochs(j)) {
    stop = std::min(stop, (job.step / model.steps_per_epoch + 1) * model.steps_per_epoch);
  } else if (job.step < model.steps_per_epoch) {
    stop = std::min(stop, model.steps_per_epoch);
  }
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
                .bytes_per_unit = 0.0};
  move_steps(j, job.block_steps * kUnitsPerStep);
}

void RunSimulation::move_steps(std::size_t j, std::int64_t units) {
  Job& job = jobs_[j];
  const StepReads& reads = step_reads(j);
  job.moving.bytes_per_unit = reads.bytes / kUnitsPerStep;
  job.moving.weight = reads.shared_bytes > 0.0 ? 1.0 / (reads.shared_bytes / kUnitsPerStep) : 1.0;
  job.moving.request = reads.request;
  job.moving.busiest_node = reads.busiest_node;
  const double seconds = model_.jobs[j].step_seconds * job.block_slowdown;
  const double ceiling = std::min(1.0 / step_period(j, reads, seconds), reads.ceiling);
  move(job.moving, units, reads.uses, ceiling * kUnitsPerStep);
}

double RunSimulation::step_period(std::size_t j, const StepReads& reads, double seconds) {
  if (seconds == model_.jobs[j].step_seconds && reads.period > 0.0) return reads.period;
  const auto seed = static_cast<std::uint64_t>(model_.plan.seed);
  if (reads.loader.jitter == 0.0) return models::step_period(reads.loader, seconds, seed);
  const auto [known, is_new] = periods_.try_emplace({&reads, seconds});
  if (is_new) known->second = models::step_period(reads.loader, seconds, seed);
  return known->second;
}

void RunSimulation::plan_checkpoint(Job& job, const JobModel& model) {
  job.checkpoint_step = -1;
  if (!model.writes_checkpoints) return;
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

void RunSimulation::end_block(std::size_t j) {
  Job& job = jobs_[j];
  job.step += job.block_steps;
  job.steps_since_start += job.block_steps;
  const bool is_last = job.step == model_.jobs[j].num_steps;
  if (job.step == job.checkpoint_step ||
      (is_last && model_.jobs[j].checkpoint.at_end && model_.jobs[j].writes_checkpoints)) {
    return checkpoint(j);
  }
  behind_checkpoint(j);
}

void RunSimulation::behind_checkpoint(std::size_t j) {
  Job& job = jobs_[j];
  const RunPlan& plan = model_.jobs[j].plan;
  if (job.step == job.evaluation_step && plan.evaluation_steps > 0) {
    const double seconds =
        static_cast<double>(plan.evaluation_steps) * model_.jobs[j].step_seconds / 3.0 / job.speed;
    return wait(j, Phase::kEvaluation, ticks(Duration::from_base(seconds)));
  }
  step_on(j);
}

void RunSimulation::finish(std::size_t j) {
  Job& job = jobs_[j];
  if (job.copy.moving.is_under_way() || job.drain.moving.is_under_way()) {
    job.is_finishing = true;
    return enter(j, Phase::kDrainWait);
  }
  commit(job.since_pending, job.record);
  commit(job.since_checkpoint, job.record);
  enter(j, Phase::kDone);
  job.record.end = engine_.now();
  ++num_done_;
}

void RunSimulation::checkpoint(std::size_t j) {
  Job& job = jobs_[j];
  if (model_.jobs[j].checkpoint.mode == CheckpointMode::kSynchronous) {
    job.last_checkpoint = engine_.now();
    begin_write(j);
    return transfer(j, Phase::kCheckpoint, first_checkpoint(j), true);
  }
  if (job.copy.moving.is_under_way()) return enter(j, Phase::kDrainWait);
  snapshot(j);
}

void RunSimulation::end_checkpoint(std::size_t j) {
  Job& job = jobs_[j];
  complete_checkpoint(j, job.step, job.since_checkpoint);
  behind_checkpoint(j);
}

void RunSimulation::begin_copy(std::size_t j) {
  Job& job = jobs_[j];
  job.copy.step = job.step;
  job.copy.start = engine_.now();
  job.copy.ticks = std::exchange(job.since_checkpoint, {});
  begin_write(j);
  move_transfer(job.copy.moving, first_checkpoint(j), EventKind::kCopyEnd, j, true);
  behind_checkpoint(j);
}

void RunSimulation::end_copy(std::size_t j) {
  Job& job = jobs_[j];
  job.copy.moving.flow = -1;
  note_behind(j, job.copy);
  complete_checkpoint(j, job.copy.step, job.copy.ticks);
  if (job.phase != Phase::kDrainWait) return;
  account(job);
  if (job.is_finishing) return finish(j);
  snapshot(j);
}

void RunSimulation::complete_checkpoint(std::size_t j, std::int64_t step, StepTicks& ticks) {
  ++jobs_[j].record.num_checkpoints;
  if (has_local(j)) return complete_on_tier(j, step, ticks);
  complete_on_storage(j, step, ticks);
}

void RunSimulation::complete_on_storage(std::size_t j, std::int64_t step, StepTicks& ticks) {
  Job& job = jobs_[j];
  job.saved_step = step;
  failures_without_progress_ = 0;
  job.record.bytes_written += transfers(j).checkpoint.bytes;
  commit(ticks, job.record);
  const int retention = model_.jobs[j].checkpoint.retention;
  if (retention > 0 && job.num_kept == retention) {
    kept_ -= room(j);
  } else {
    ++job.num_kept;
  }
}

}  // namespace railwright::simulation::replica
