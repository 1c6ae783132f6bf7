// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "run_simulation.hpp"

namespace railwright::simulation::replica {

void RunSimulation::move(Moving& moving, std::int64_t size, std::span<const core::LinkUse> uses,
                         double ceiling) {
  const bool needs_storage = !uses.empty() && moving.bytes_per_unit > 0.0 && !moving.is_local;
  moving.size = size;
  moving.sampled = 0.0;
  moving.flow =
      engine_.start({.route = needs_storage && is_offline() ? std::span(&offline_, 1) : uses,
                     .size = size,
                     .ceiling = ceiling,
                     .weight = moving.weight},
                    moving.event);
}

void RunSimulation::move_transfer(Moving& moving, Transfer JobTransfers::* what, EventKind kind,
                                  std::size_t j, bool is_write) {
  const Transfer& transfer = transfers(j).*what;
  moving = {.flow = -1,
            .event = make_event(kind, j),
            .size = 0,
            .sampled = 0.0,
            .bytes_per_unit = 1.0,
            .request = transfer.request,
            .busiest_node = transfer.busiest_node,
            .what = what,
            .is_write = is_write,
            .is_local = transfer.is_local};
  move(moving, transfer.bytes, transfer.uses, transfer.ceiling);
}

std::int64_t RunSimulation::pause(Moving& moving) {
  const std::int64_t left = engine_.cancel(moving.flow);
  moving.flow = -1;
  return left;
}

void RunSimulation::move_on(std::size_t j, Moving& moving) {
  const std::int64_t left = pause(moving);
  const Transfer& transfer = transfers(j).*moving.what;
  move(moving, left, transfer.uses, transfer.ceiling);
}

void RunSimulation::reroute() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    Job& job = jobs_[j];
    if (job.copy.moving.is_under_way()) move_on(j, job.copy.moving);
    if (job.drain.moving.is_under_way()) move_on(j, job.drain.moving);
    if (!job.moving.is_under_way()) continue;
    if (job.phase == Phase::kSteps) {
      move_steps(j, pause(job.moving));
    } else {
      move_on(j, job.moving);
    }
  }
  if (rebuild_.is_under_way()) move_rebuild(pause(rebuild_));
  for (std::size_t i = 0; i < others_.size(); ++i) {
    if (others_[i].is_under_way()) move_others(i, pause(others_[i]));
  }
}

void RunSimulation::move_rebuild(std::int64_t bytes) {
  if (is_offline() || bytes == 0) {
    rebuild_ = {};
    return;
  }
  const Transfer& transfer = model_.rebuilds[static_cast<std::size_t>(storage_down_)];
  if (rebuild_.size == 0) rebuild_.event = make_event(EventKind::kRebuilt, 0);
  rebuild_.is_write = true;
  move(rebuild_, bytes, transfer.uses, transfer.ceiling);
}

void RunSimulation::start_others(std::size_t i) {
  const OtherLoad& load = model_.plan.other_loads[i / 2];
  const bool is_write = i % 2 == 1;
  const core::Bandwidth rate = is_write ? load.write : load.read;
  if (rate.base() == 0.0) return;
  others_[i].event = make_event(EventKind::kOthersEnd, 0, static_cast<std::int32_t>(i));
  others_[i].is_write = is_write;
  move_others(i, std::llround((rate * load.duration).base()));
}

void RunSimulation::move_others(std::size_t i, std::int64_t bytes) {
  const OtherLoad& load = model_.plan.other_loads[i / 2];
  const std::size_t state = is_offline() ? 0 : static_cast<std::size_t>(storage_down_);
  move(others_[i], bytes, model_.outside[state][i % 2].uses,
       (i % 2 == 1 ? load.write : load.read).base());
}

}  // namespace railwright::simulation::replica
