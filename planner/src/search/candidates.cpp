// SPDX-License-Identifier: Apache-2.0
#include "candidates.hpp"

#include <algorithm>

namespace railwright::planner {

Score score(simulation::Objective objective, const Candidate& candidate, double value) {
  if (objective == simulation::Objective::kMemory) {
    return {.first = candidate.memory, .second = value, .candidate = candidate};
  }
  return {.first = value, .second = candidate.memory, .candidate = candidate};
}

bool Best::is_beaten(const Candidate& candidate) const {
  if (best_.size() < num_best_) return false;
  if (score(objective_, candidate, candidate.min_value).first <= best_.back().first) return false;
  return !has_front_ || is_dominated(candidate.min_time, candidate.memory);
}

void Best::add(const Candidate& candidate, double time, double value) {
  const Score made = score(objective_, candidate, value);
  if (best_.size() < num_best_ || made < best_.back()) {
    best_.insert(std::ranges::upper_bound(best_, made), made);
    if (best_.size() > num_best_) best_.pop_back();
  }
  if (!has_front_) return;
  const auto same = [&](const Timed& other) {
    return other.time == time && other.candidate.memory == candidate.memory;
  };
  if (const auto equal = std::ranges::find_if(front_, same); equal != front_.end()) {
    equal->candidate = std::min(equal->candidate, candidate);
    return;
  }
  if (is_dominated(time, candidate.memory)) return;
  std::erase_if(front_, [&](const Timed& other) {
    return other.time >= time && other.candidate.memory >= candidate.memory;
  });
  front_.insert(std::ranges::upper_bound(front_, time, {}, &Timed::time), {candidate, time});
}

bool Best::is_dominated(double time, double memory) const {
  return std::ranges::any_of(front_, [&](const Timed& other) {
    return other.time <= time && other.candidate.memory <= memory;
  });
}

}  // namespace railwright::planner
