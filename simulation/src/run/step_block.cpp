// SPDX-License-Identifier: Apache-2.0
#include "step_block.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::simulation::replication {

namespace {

std::int64_t next_checkpoint_step(const JobModel& job, const BlockStart& start, double slowdown) {
  if (!job.writes_checkpoints) return -1;
  const CheckpointPlan& plan = job.checkpoint;
  if (plan.interval) {
    const core::RunTime due = start.last_checkpoint + ticks(*plan.interval);
    const double left = (due - start.now).duration().base() / (job.step_seconds * slowdown);
    constexpr double kRounding = 1e-9;
    const double steps = std::max(1.0, std::ceil(left * (1.0 - kRounding)));
    if (steps >= static_cast<double>(job.num_steps - start.step)) return -1;
    return start.step + static_cast<std::int64_t>(steps);
  }
  if (plan.interval_steps == 0) return -1;
  return (start.step / plan.interval_steps + 1) * plan.interval_steps;
}

}  // namespace

StepBlock next_block(const JobModel& job, const BlockStart& start) {
  const RunPlan& plan = job.plan;
  const bool is_warming_up = start.steps_since_start < plan.warm_up_steps;
  StepBlock block;
  block.slowdown = (is_warming_up ? plan.warm_up_slowdown : 1.0) / start.speed;
  std::int64_t stop = job.num_steps;
  if (is_warming_up) {
    stop = std::min(stop, start.step + plan.warm_up_steps - start.steps_since_start);
  }
  if (starts_epochs(job)) {
    stop = std::min(stop, (start.step / job.steps_per_epoch + 1) * job.steps_per_epoch);
  } else if (start.step < job.steps_per_epoch) {
    stop = std::min(stop, job.steps_per_epoch);
  }
  block.checkpoint_step = next_checkpoint_step(job, start, block.slowdown * start.write_speed);
  if (block.checkpoint_step > start.step) stop = std::min(stop, block.checkpoint_step);
  if (plan.evaluation_interval_steps > 0) {
    const std::int64_t interval = plan.evaluation_interval_steps;
    block.evaluation_step = (start.step / interval + 1) * interval;
    stop = std::min(stop, block.evaluation_step);
  }
  block.num_steps = stop - start.step;
  return block;
}

}  // namespace railwright::simulation::replication
