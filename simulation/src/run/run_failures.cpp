// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "run_simulation.hpp"

namespace railwright::simulation::replication {

void RunSimulation::schedule_failures(std::size_t owner) {
  for (std::size_t rate = 0; rate < clocks_.num_rates(owner); ++rate) {
    schedule_failure(owner, rate);
  }
}

bool RunSimulation::note_failure() {
  // Attempts are independent draws: after so many failures, a success is not worth waiting for.
  constexpr std::int64_t kMaxWithoutProgress = 100'000;
  if (++failures_without_progress_ <= kMaxWithoutProgress) return true;
  strand();
  return false;
}

void RunSimulation::fail(std::size_t owner, std::size_t rate) {
  if (!note_failure()) return;
  schedule_failure(owner, rate);
  const models::FailureRate& kind = model_.reliability->failures[rate];
  const core::Duration repair = (kind.repair ? *kind.repair : model_.reliability->repair).value;
  break_component(kind.component, owner, kind.num_nodes, repair);
}

void RunSimulation::break_component(Component component, std::size_t owner, int num_nodes,
                                    core::Duration repair) {
  if (component == Component::kStorageNode) return lose_storage_node();
  if (component == Component::kPower) return lose_power();
  Job& job = jobs_[owner];
  if (job.phase == Phase::kWaiting || job.phase == Phase::kNoSpare || job.is_done()) return;
  ++job.record.failures[static_cast<std::size_t>(component)];
  const int num_trays = num_nodes * job.model.fleet.trays_per_node;
  const bool takes_all = models::is_group(component) || num_nodes > 1;
  const int num_lost = component == Component::kSoftware ? 0 : takes_all ? num_trays : 1;
  const int num_own = job.model.fleet.num_nodes * job.model.fleet.trays_per_node;
  interrupt(job, std::min(num_lost, num_own), repair);
}

void RunSimulation::break_by_plan(const Incident& incident, std::size_t owner) {
  // Without a fleet there are always nodes, and none is repaired.
  const auto& fleet = model_.reliability;
  break_component(incident.component, owner, incident.num_nodes,
                  fleet ? fleet->repair.value : core::Duration{});
}

void RunSimulation::schedule_lemon_failure(std::size_t job, std::size_t lemon) {
  schedule_after(clocks_.until_lemon_fails(job, lemon), EventKind::kLemonFailure, job,
                 static_cast<std::int32_t>(lemon));
}

void RunSimulation::fail_lemon(std::size_t job, std::size_t lemon) {
  if (!note_failure()) return;
  schedule_lemon_failure(job, lemon);
  break_component(Component::kNode, job, 1, model_.reliability->repair.value);
}

void RunSimulation::lose_power() {
  for (Job& job : jobs_) {
    if (job.phase == Phase::kWaiting || job.is_done()) continue;
    ++job.record.failures[static_cast<std::size_t>(Component::kPower)];
    const auto& local = job.model.checkpoint.local;
    if (local && local->tier.medium == models::OffloadMedium::kMemory) lose_tier(job);
    interrupt(job, 0);
  }
}

void RunSimulation::lose_storage_node() {
  // Jobs without failures of their own would wait for storage until the clock ends.
  for (Job& job : jobs_) {
    if (flows_.is_offline() && !job.is_done() && is_late(job)) interrupt(job, 0);
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
    if (!job.is_done()) interrupt(job, 0);
  }
}

void RunSimulation::interrupt(Job& job, int num_lost, core::Duration repair) {
  go_back(job, num_lost);
  job.lost_nodes.insert(job.lost_nodes.end(), static_cast<std::size_t>(num_lost), repair);
  ++job.record.num_interruptions;
  if (is_late(job) || is_stranded_) return give_up(job);
  wait(job, Phase::kDetection, fleet_time(&models::Reliability::detection));
}

void RunSimulation::go_back(Job& job, int num_lost) {
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
  if (num_lost > 0 && job.tier) {
    // Nodes that fail together may be those with all copies.
    if (job.model.checkpoint.local->copies > num_lost) {
      job.reads_of_peer = true;
    } else {
      lose_tier(job);
    }
  }
  job.step = job.tier && !job.tier->is_empty() ? job.tier->newest() : job.saved_step;
  job.is_finishing = false;
}

void RunSimulation::give_up(Job& job) {
  if (job.tier) lose_tier(job);
  job.record.gave_up = true;
  job.record.end = engine_.now();
  enter(job, Phase::kDone);
  ++num_done_;
}

void RunSimulation::replace(Job& job) {
  const std::vector<core::Duration> lost = std::exchange(job.lost_nodes, {});
  if (lost.empty()) return restart(job);
  // Without a fleet there are always nodes.
  if (!model_.reliability) return take_new_nodes(job);
  take_ready_nodes(job);
  int num_spares = 0;
  for (const core::Duration repair : lost) {
    schedule_after(repair, EventKind::kNodeRepaired, job.index);
    ++(spares_[job.model.pool].take(job.index) ? num_spares : job.num_nodes_out);
  }
  if (!trains_without(job, job.num_nodes_out)) return enter(job, Phase::kNoSpare);
  return num_spares > 0 ? take_new_nodes(job) : restart(job);
}

bool RunSimulation::trains_without(const Job& job, int num_nodes) {
  if (num_nodes == 0) return true;
  const auto& fewest = job.model.plan.min_replicas;
  return fewest && job.model.num_replicas - num_nodes * job.model.replicas_of_node >= *fewest;
}

void RunSimulation::take_ready_nodes(Job& job) {
  job.num_nodes_out -= std::exchange(job.num_nodes_ready, 0);
  const double idle = static_cast<double>(job.num_nodes_out) * job.model.replicas_of_node;
  set_speed(job, SlowedBy::kMissingReplicas, 1.0 - idle / job.model.num_replicas);
}

bool RunSimulation::is_worth_growing(const Job& job) const {
  if (job.num_nodes_ready == 0) return false;
  const double share = static_cast<double>(job.num_nodes_ready) * job.model.replicas_of_node /
                       job.model.num_replicas;
  const Duration cost = model_.reliability->replacement.value + model_.reliability->restart.value;
  return share * job.model.seconds_to_interruption > cost.base();
}

void RunSimulation::take_new_nodes(Job& job) {
  wait(job, Phase::kReplacement, fleet_time(&models::Reliability::replacement));
}

void RunSimulation::return_node(std::size_t pool) {
  const auto next = spares_[pool].give_back([&](std::size_t j) {
    return !jobs_[j].is_done() && jobs_[j].num_nodes_ready < jobs_[j].num_nodes_out;
  });
  if (!next) return;
  Job& job = jobs_[*next];
  ++job.num_nodes_ready;
  if (job.phase != Phase::kNoSpare) return;
  if (!trains_without(job, job.num_nodes_out - job.num_nodes_ready)) return;
  account(job);
  take_new_nodes(job);
}

void RunSimulation::restart(Job& job) {
  take_ready_nodes(job);
  job.speed_by(SlowedBy::kNode) = 1.0;
  job.speed_by(SlowedBy::kLink) = 1.0;
  slow_by_writes(job);
  wait(job, Phase::kRestart, fleet_time(&models::Reliability::restart));
}

void RunSimulation::schedule_slow(const Job& job, SlowPart part) {
  schedule_after(clocks_.until_slow(part, job.index), EventKind::kSlowPart, job.index,
                 static_cast<std::int32_t>(part));
}

void RunSimulation::turn_slow(Job& job, SlowPart part) {
  if (job.is_done()) return;
  const bool is_node = part == SlowPart::kNode;
  const SlowedBy reason = is_node ? SlowedBy::kNode : SlowedBy::kLink;
  if (job.phase == Phase::kWaiting || job.speed_by(reason) < 1.0) return schedule_slow(job, part);
  const models::Reliability& fleet = *model_.reliability;
  set_speed(job, reason, is_node ? fleet.slow_nodes->speed.value : job.model.degraded_link_speed);
  schedule_after(
      is_node ? fleet.slow_nodes->detection.value : fleet.degraded_links->detection.value,
      EventKind::kSlowPartFound, job.index, static_cast<std::int32_t>(part));
}

void RunSimulation::find_slow(Job& job, SlowPart part) {
  schedule_slow(job, part);
  const SlowedBy reason = part == SlowPart::kNode ? SlowedBy::kNode : SlowedBy::kLink;
  if (job.is_done() || job.speed_by(reason) == 1.0) return;
  interrupt(job, 1, model_.reliability->repair.value);
}

void RunSimulation::set_speed(Job& job, SlowedBy reason, double speed) {
  const double before = std::exchange(job.speed_by(reason), speed);
  if (speed == before || job.phase != Phase::kSteps || !job.flow.is_under_way()) return;
  const std::int64_t left = flows_.pause(job.flow);
  count_steps(job, job.uncounted_steps - static_cast<double>(left) / kUnitsPerStep);
  job.block.slowdown *= before / speed;
  enter(job, Phase::kSteps);
  move_steps(job, left);
}

}  // namespace railwright::simulation::replication
