// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "run_simulation.hpp"

namespace railwright::simulation::replica {

namespace {

std::int64_t sum(const StepTicks& ticks) { return ticks[0] + ticks[1] + ticks[2]; }

}  // namespace

void RunSimulation::lose_local(std::size_t j) {
  Job& job = jobs_[j];
  if (job.drain.moving.is_under_way()) {
    const std::int64_t written = job.record.bytes_written;
    cancel_behind(job.drain, j);
    job.record.local_read += job.record.bytes_written - written;
  }
  auto& lost = job.record.ticks[static_cast<std::size_t>(RunCause::kLostWork)];
  lost += sum(job.drain.ticks) + sum(job.pending.ticks) + sum(job.since_pending);
  job.drain = {};
  job.pending = {};
  job.since_pending = {};
  job.local_steps.clear();
}

void RunSimulation::add_failures(std::size_t j, std::uint64_t replica) {
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

void RunSimulation::add_storage_failures(std::uint64_t replica) {
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

void RunSimulation::schedule_later(Duration when, EventKind kind, std::size_t owner,
                                   std::int32_t which) {
  constexpr double kClockEnd = 9e9;  // s
  if (!(when.base() < kClockEnd)) return;
  const RunTime at = std::max(ticks(when), engine_.now());
  engine_.schedule(at, make_event(kind, owner, which));
}

void RunSimulation::fail(std::size_t owner, std::int32_t rate) {
  // Attempts are independent draws: after so many failures, a success is not worth waiting for.
  constexpr std::int64_t kMaxWithoutProgress = 100'000;
  if (++failures_without_progress_ > kMaxWithoutProgress) return strand();
  schedule_failure(owner, static_cast<std::size_t>(rate));
  const Component component =
      model_.reliability->failures[static_cast<std::size_t>(rate)].component;
  break_component(component, owner);
}

void RunSimulation::break_component(Component component, std::size_t j) {
  if (component == Component::kStorageNode) return lose_storage_node();
  Job& job = jobs_[j];
  if (job.phase == Phase::kWaiting || job.phase == Phase::kDone) return;
  ++job.record.failures[static_cast<std::size_t>(component)];
  interrupt(j, component != Component::kSoftware);
}

void RunSimulation::lose_storage_node() {
  // Jobs without failures of their own would wait for storage until the clock ends.
  for (std::size_t j = 0; is_offline() && j < jobs_.size(); ++j) {
    if (jobs_[j].phase != Phase::kDone && is_late(j)) interrupt(j, false);
  }
  if (storage_down_ >= model_.num_storage_nodes) return;
  const double held = used() * model_.held_per_byte;
  ++storage_down_;
  if (model_.reliability) {
    schedule_later(engine_.now().duration() + model_.reliability->repair.value,
                   EventKind::kStorageRepaired, 0);
  }
  reroute();
  const std::int64_t left = rebuild_.is_under_way() ? pause(rebuild_) : 0;
  move_rebuild(left + std::llround(held));
}

void RunSimulation::interrupt(std::size_t j, bool loses_node) {
  Job& job = jobs_[j];
  if (job.has_timer) {
    events_[job.timer].is_live = false;
    job.has_timer = false;
  }
  if (job.phase == Phase::kSteps) {
    count_steps(job, model_.jobs[j], job.uncounted_steps - in_steps(stop(job.moving)));
  } else {
    if (job.moving.is_under_way()) cancel_transfer(job.moving, j);
    account(job);
  }
  if (job.copy.moving.is_under_way()) cancel_behind(job.copy, j);
  auto& lost = job.record.ticks[static_cast<std::size_t>(RunCause::kLostWork)];
  lost += sum(job.since_checkpoint) + sum(job.copy.ticks);
  job.since_checkpoint = {};
  job.copy.ticks = {};
  if (loses_node && has_local(j)) lose_local(j);
  job.step = job.local_steps.empty() ? job.saved_step : job.local_steps.back();
  job.is_finishing = false;
  job.needs_node = job.needs_node || loses_node;
  ++job.record.num_interruptions;
  if (is_late(j) || is_stranded_) return give_up(j);
  wait(j, Phase::kDetection, fleet_time(&models::Reliability::detection));
}

void RunSimulation::give_up(std::size_t j) {
  if (has_local(j)) lose_local(j);
  jobs_[j].record.gave_up = true;
  jobs_[j].record.end = engine_.now();
  enter(j, Phase::kDone);
  ++num_done_;
}

void RunSimulation::cancel_transfer(Moving& moving, std::size_t j) {
  JobRecord& record = jobs_[j].record;
  const std::int64_t moved = (transfers(j).*moving.what).bytes - stop(moving);
  if (moving.is_local) {
    (moving.is_write ? record.local_written : record.local_read) += moved;
  } else if (moving.is_write) {
    record.bytes_written += moved;
    kept_ -= room(j);
  } else {
    record.bytes_read += moved;
  }
}

void RunSimulation::cancel_behind(Behind& behind, std::size_t j) {
  note_behind(j, behind);
  cancel_transfer(behind.moving, j);
}

void RunSimulation::replace(std::size_t j) {
  Job& job = jobs_[j];
  if (!job.needs_node) return restart(j);
  if (model_.reliability) {
    schedule_later(engine_.now().duration() + model_.reliability->repair.value,
                   EventKind::kNodeRepaired, j);
  }
  if (spares_ == 0 && model_.reliability) {
    waiting_.push_back(j);
    return enter(j, Phase::kNoSpare);
  }
  take_spare(j);
}

void RunSimulation::take_spare(std::size_t j) {
  spares_ = std::max(0, spares_ - 1);
  jobs_[j].needs_node = false;
  wait(j, Phase::kReplacement, fleet_time(&models::Reliability::replacement));
}

void RunSimulation::return_node() {
  ++spares_;
  while (!waiting_.empty()) {
    const std::size_t j = waiting_.front();
    waiting_.erase(waiting_.begin());
    if (jobs_[j].phase != Phase::kNoSpare) continue;
    account(jobs_[j]);
    return take_spare(j);
  }
}

void RunSimulation::schedule_slow_node(std::size_t j) {
  const models::SlowNodes& slow = *model_.reliability->slow_nodes;
  const double mean = slow.mtbf.value.base() / model_.jobs[j].fleet.num_nodes;
  schedule_later(engine_.now().duration() + Duration::from_base(slow_random_[j].exponential(mean)),
                 EventKind::kSlowNode, j);
}

void RunSimulation::turn_slow(std::size_t j) {
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

void RunSimulation::slow_block(std::size_t j, double speed) {
  Job& job = jobs_[j];
  const std::int64_t left = pause(job.moving);
  count_steps(job, model_.jobs[j], job.uncounted_steps - in_steps(left));
  job.speed = speed;
  job.block_slowdown /= speed;
  enter(j, Phase::kSteps);
  move_steps(j, left);
}

void RunSimulation::find_slow(std::size_t j) {
  schedule_slow_node(j);
  const Phase phase = jobs_[j].phase;
  if (phase == Phase::kDone || jobs_[j].speed == 1.0) return;
  interrupt(j, true);
}

}  // namespace railwright::simulation::replica
