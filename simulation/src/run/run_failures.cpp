// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "run_simulation.hpp"

namespace railwright::simulation::replication {

void RunSimulation::schedule_failures(std::size_t owner) {
  for (std::size_t rate = 0; rate < clocks_.num_rates(owner); ++rate) {
    schedule_failure(owner, rate);
  }
}

void RunSimulation::fail(std::size_t owner, std::size_t rate) {
  // Attempts are independent draws: after so many failures, a success is not worth waiting for.
  constexpr std::int64_t kMaxWithoutProgress = 100'000;
  if (++failures_without_progress_ > kMaxWithoutProgress) return strand();
  schedule_failure(owner, rate);
  break_component(model_.reliability->failures[rate].component, owner);
}

void RunSimulation::break_component(Component component, std::size_t owner) {
  if (component == Component::kStorageNode) return lose_storage_node();
  if (component == Component::kPower) return lose_power();
  Job& job = jobs_[owner];
  if (job.phase == Phase::kWaiting || job.is_done()) return;
  ++job.record.failures[static_cast<std::size_t>(component)];
  interrupt(job, component != Component::kSoftware);
}

void RunSimulation::lose_power() {
  for (Job& job : jobs_) {
    if (job.phase == Phase::kWaiting || job.is_done()) continue;
    ++job.record.failures[static_cast<std::size_t>(Component::kPower)];
    const auto& local = job.model.checkpoint.local;
    if (local && local->tier.medium == models::OffloadMedium::kMemory) lose_tier(job);
    interrupt(job, false);
  }
}

void RunSimulation::lose_storage_node() {
  // Jobs without failures of their own would wait for storage until the clock ends.
  for (Job& job : jobs_) {
    if (flows_.is_offline() && !job.is_done() && is_late(job)) interrupt(job, false);
  }
  if (flows_.num_nodes_down() >= model_.num_storage_nodes) return;
  flows_.lose_node();
  if (model_.reliability) {
    schedule_after(model_.reliability->repair.value, EventKind::kStorageRepaired, 0);
  }
  reroute();
  background_.rebuild(std::llround(room_.used(engine_.now()) * model_.held_per_byte));
}

void RunSimulation::reroute() {
  for (Job& job : jobs_) {
    flows_.move_on(job.copy.flow, job.model);
    if (job.tier) flows_.move_on(job.tier->drain().flow, job.model);
    if (job.phase != Phase::kSteps) {
      flows_.move_on(job.flow, job.model);
    } else if (job.flow.is_under_way()) {
      move_steps(job, flows_.pause(job.flow));
    }
  }
  background_.move_on();
}

void RunSimulation::strand() {
  is_stranded_ = true;
  for (Job& job : jobs_) {
    if (!job.is_done()) interrupt(job, false);
  }
}

void RunSimulation::interrupt(Job& job, bool loses_node) {
  if (job.timer) events_.abandon(*job.timer);
  job.timer.reset();
  if (job.phase == Phase::kSteps) {
    const double left = static_cast<double>(flows_.stop(job.flow)) / kUnitsPerStep;
    count_steps(job, job.uncounted_steps - left);
  } else {
    if (job.flow.is_under_way()) cancel_transfer(job, job.flow);
    account(job);
  }
  if (job.copy.flow.is_under_way()) cancel_write(job, job.copy);
  job.ticks_of(RunCause::kLostWork) += sum(job.since_checkpoint) + sum(job.copy.ticks);
  job.since_checkpoint = {};
  job.copy.ticks = {};
  if (loses_node && job.tier) lose_tier(job);
  job.step = job.tier && !job.tier->is_empty() ? job.tier->newest() : job.saved_step;
  job.is_finishing = false;
  job.needs_node = job.needs_node || loses_node;
  ++job.record.num_interruptions;
  if (is_late(job) || is_stranded_) return give_up(job);
  wait(job, Phase::kDetection, fleet_time(&models::Reliability::detection));
}

void RunSimulation::give_up(Job& job) {
  if (job.tier) lose_tier(job);
  job.record.gave_up = true;
  job.record.end = engine_.now();
  enter(job, Phase::kDone);
  ++num_done_;
}

void RunSimulation::replace(Job& job) {
  if (!job.needs_node) return restart(job);
  // Without a fleet there are always nodes.
  if (!model_.reliability) return install_spare(job);
  schedule_after(model_.reliability->repair.value, EventKind::kNodeRepaired, job.index);
  if (!spares_.take(job.index)) return enter(job, Phase::kNoSpare);
  install_spare(job);
}

void RunSimulation::install_spare(Job& job) {
  job.needs_node = false;
  wait(job, Phase::kReplacement, fleet_time(&models::Reliability::replacement));
}

void RunSimulation::return_node() {
  const auto next =
      spares_.give_back([&](std::size_t j) { return jobs_[j].phase == Phase::kNoSpare; });
  if (!next) return;
  account(jobs_[*next]);
  install_spare(jobs_[*next]);
}

void RunSimulation::restart(Job& job) {
  job.speed = 1.0;
  wait(job, Phase::kRestart, fleet_time(&models::Reliability::restart));
}

void RunSimulation::schedule_slow_node(const Job& job) {
  schedule_after(clocks_.until_slow_node(job.index), EventKind::kSlowNode, job.index);
}

void RunSimulation::turn_slow(Job& job) {
  if (job.is_done()) return;
  if (job.phase == Phase::kWaiting || job.speed < 1.0) return schedule_slow_node(job);
  const models::SlowNodes& slow = *model_.reliability->slow_nodes;
  if (job.phase == Phase::kSteps) {
    slow_block(job, slow.speed.value);
  } else {
    job.speed = slow.speed.value;
  }
  schedule_after(slow.detection.value, EventKind::kSlowNodeFound, job.index);
}

void RunSimulation::slow_block(Job& job, double speed) {
  const std::int64_t left = flows_.pause(job.flow);
  count_steps(job, job.uncounted_steps - static_cast<double>(left) / kUnitsPerStep);
  job.speed = speed;
  job.block.slowdown /= speed;
  enter(job, Phase::kSteps);
  move_steps(job, left);
}

void RunSimulation::find_slow(Job& job) {
  schedule_slow_node(job);
  if (job.is_done() || job.speed == 1.0) return;
  interrupt(job, true);
}

}  // namespace railwright::simulation::replication
