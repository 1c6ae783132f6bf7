// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "run_simulation.hpp"

namespace railwright::simulation::replica {

void RunSimulation::begin_write(std::size_t j) {
  Job& job = jobs_[j];
  if (!has_local(j)) return keep(room(j));
  const auto kept = static_cast<std::int64_t>(job.local_steps.size());
  job.record.max_local = std::max(job.record.max_local, kept + 1);
}

void RunSimulation::complete_on_tier(std::size_t j, std::int64_t step, StepTicks& ticks) {
  Job& job = jobs_[j];
  const LocalCheckpoints& plan = *model_.jobs[j].checkpoint.local;
  job.record.local_written += transfers(j).local_checkpoint.bytes;
  job.local_steps.push_back(step);
  add(ticks, job.since_pending);
  const bool is_due = ++job.num_local % plan.drain_every == 0 || step == model_.jobs[j].num_steps;
  if (is_due && model_.jobs[j].has_storage) {
    job.pending.step = step;
    add(job.since_pending, job.pending.ticks);
    if (!job.drain.moving.is_under_way()) return drain_next(j);
  }
  drop_local(job, plan.retention);
}

void RunSimulation::drop_local(Job& job, int retention) {
  auto& steps = job.local_steps;
  for (auto it = steps.begin(); static_cast<int>(steps.end() - it) > retention;) {
    const bool is_needed = *it == job.drain.step || *it == job.pending.step;
    it = is_needed ? it + 1 : steps.erase(it);
  }
}

void RunSimulation::drain_next(std::size_t j) {
  Job& job = jobs_[j];
  job.drain = std::exchange(job.pending, {});
  drop_local(job, model_.jobs[j].checkpoint.local->retention);
  if (job.drain.step < 0) return;
  job.drain.start = engine_.now();
  keep(room(j));
  move_transfer(job.drain.moving, &JobTransfers::checkpoint, EventKind::kDrainEnd, j, true);
}

void RunSimulation::end_drain(std::size_t j) {
  Job& job = jobs_[j];
  job.drain.moving.flow = -1;
  note_behind(j, job.drain);
  ++job.record.num_drained;
  job.record.local_read += transfers(j).checkpoint.bytes;
  complete_on_storage(j, job.drain.step, job.drain.ticks);
  drain_next(j);
  if (job.phase != Phase::kDrainWait || !job.is_finishing) return;
  account(job);
  finish(j);
}

void RunSimulation::restore(std::size_t j) {
  Job& job = jobs_[j];
  const bool is_local = !job.local_steps.empty();
  if (is_local) ++job.record.num_local_restores;
  transfer(j, Phase::kRestore, is_local ? &JobTransfers::local_restore : &JobTransfers::restore,
           false);
}

}  // namespace railwright::simulation::replica
