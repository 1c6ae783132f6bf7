// SPDX-License-Identifier: Apache-2.0
#include "local_tier_state.hpp"

namespace railwright::simulation::replication {

void LocalTierState::complete(std::int64_t step, StepTicks& ticks, bool is_last_step) {
  steps_.push_back(step);
  add(ticks, since_due_);
  const bool is_due = ++num_completed_ % plan_.drain_every == 0 || is_last_step;
  if (is_due && has_storage_) {
    due_step_ = step;
    add(since_due_, due_ticks_);
  }
  drop_old();
}

bool LocalTierState::next_drain() {
  drain_ = {.flow = {}, .step = std::exchange(due_step_, -1), .start = {}, .ticks = {}};
  drain_.ticks = std::exchange(due_ticks_, {});
  drop_old();
  return drain_.step >= 0;
}

void LocalTierState::drop_old() {
  for (auto it = steps_.begin(); static_cast<int>(steps_.end() - it) > plan_.retention;) {
    const bool is_needed = *it == drain_.step || *it == due_step_;
    it = is_needed ? it + 1 : steps_.erase(it);
  }
}

std::int64_t LocalTierState::lose() {
  const std::int64_t lost = sum(drain_.ticks) + sum(due_ticks_) + sum(since_due_);
  steps_.clear();
  drain_ = {};
  due_step_ = -1;
  due_ticks_ = {};
  since_due_ = {};
  return lost;
}

}  // namespace railwright::simulation::replication
