// SPDX-License-Identifier: Apache-2.0
#include "group_cache.hpp"

#include <algorithm>

namespace railwright::planner {

std::shared_ptr<SweepGroup> GroupCache::at(std::int64_t group) {
  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Slot>& known = slots_[group];
    if (!known) known = std::make_shared<Slot>();
    slot = known;
    slot->last_asked = ++num_asked_;
    drop_oldest();
  }
  const std::lock_guard lock(slot->making);
  if (!slot->made) {
    slot->made = std::make_shared<SweepGroup>(base_, group);
    const std::lock_guard all(mutex_);
    slot->weight = slot->made->weight();
  }
  return slot->made;
}

void GroupCache::drop_oldest() {
  constexpr std::size_t kMin = 2;
  std::int64_t weight = 0;
  for (const auto& [group, slot] : slots_) weight += slot->weight;
  while (weight > kMaxWeight && slots_.size() > kMin) {
    const auto oldest = std::ranges::min_element(
        slots_, {}, [](const auto& entry) { return entry.second->last_asked; });
    weight -= oldest->second->weight;
    slots_.erase(oldest);
  }
}

}  // namespace railwright::planner
