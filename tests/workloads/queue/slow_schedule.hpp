// SPDX-License-Identifier: Apache-2.0
// A queue second by second, with nothing remembered between two seconds but the jobs themselves: a
// second simulation of what run_schedule() does without failures, for whole seconds and a slowdown
// in whole numbers.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../../../workloads/src/queue/scheduler.hpp"

namespace railwright::test {

class SlowSchedule {
 public:
  SlowSchedule(const std::vector<simulation::QueuedJob>& jobs, int num_nodes, int per_node,
               int max_occupied = std::numeric_limits<int>::max())
      : jobs_(jobs), num_nodes_(num_nodes), per_node_(per_node), max_occupied_(max_occupied) {
    for (const simulation::QueuedJob& job : jobs) states_.push_back({.job = &job});
  }

  /// Lets jobs take `slowdown` times as long on more leaves than they need.
  void slow_down(std::vector<int> leaf_of_node, double slowdown) {
    leaf_of_node_ = std::move(leaf_of_node);
    slowdown_ = slowdown;
  }

  std::vector<simulation::JobHistory> run(simulation::QueuePolicy policy) {
    for (double now = 0.0; std::ranges::any_of(states_, [](auto& s) { return s.end < 0.0; });
         now += 1.0) {
      for (State& one : states_) {
        if (one.start >= 0.0 && one.end < 0.0 &&
            one.start + one.job->duration * one.slowdown <= now) {
          one.end = now;
        }
      }
      while (schedule(now, policy)) {
      }
    }
    std::vector<simulation::JobHistory> histories;
    for (const State& one : states_) histories.push_back({.start = one.start, .end = one.end});
    return histories;
  }

 private:
  struct State {
    const simulation::QueuedJob* job;
    double start = -1.0;
    double end = -1.0;
    std::vector<int> used{};  ///< accelerators, by node
    double slowdown = 1.0;
  };

  [[nodiscard]] std::vector<int> free_at(double time, double now) const {
    std::vector<int> free(static_cast<std::size_t>(num_nodes_), per_node_);
    for (const State& one : states_) {
      const bool holds = one.start >= 0.0 && one.end < 0.0 &&
                         (time == now || one.start + one.job->limit * one.slowdown > time);
      if (!holds) continue;
      for (std::size_t n = 0; n < free.size(); ++n) free[n] -= one.used[n];
    }
    return free;
  }

  [[nodiscard]] static int sum(const std::vector<int>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0);
  }
  /// Whether so many more may be occupied beside what is not free.
  [[nodiscard]] bool is_within_limit(const std::vector<int>& free,
                                     const std::vector<int>& used) const {
    return num_nodes_ * per_node_ - sum(free) + sum(used) <= max_occupied_;
  }

  [[nodiscard]] std::optional<std::vector<int>> place(const std::vector<int>& free,
                                                      int accelerators) const {
    auto used = first_fit(free, accelerators);
    return used && is_within_limit(free, *used) ? used : std::nullopt;
  }

  [[nodiscard]] std::optional<std::vector<int>> first_fit(const std::vector<int>& free,
                                                          int accelerators) const {
    std::vector<int> used(free.size(), 0);
    for (std::size_t n = 0; n < free.size() && accelerators > 0; ++n) {
      if (accelerators <= per_node_ && std::ranges::count(used, per_node_) == 0) {
        if (free[n] < accelerators) continue;
        used[n] = accelerators;
        return used;
      }
      if (free[n] < per_node_) continue;
      used[n] = per_node_;
      accelerators -= per_node_;
    }
    return accelerators > 0 ? std::nullopt : std::optional(used);
  }

  static bool fit(const std::vector<int>& free, const std::vector<int>& used) {
    for (std::size_t n = 0; n < free.size(); ++n) {
      if (free[n] < used[n]) return false;
    }
    return true;
  }

  [[nodiscard]] double slowdown_of(const std::vector<int>& used) const {
    std::map<int, int> sizes;
    std::set<int> touched;
    int needed = 0;
    for (std::size_t n = 0; n < leaf_of_node_.size(); ++n) {
      ++sizes[leaf_of_node_[n]];
      if (used[n] == 0) continue;
      ++needed;
      touched.insert(leaf_of_node_[n]);
    }
    std::vector<int> largest;
    for (const auto& [leaf, size] : sizes) largest.push_back(size);
    std::ranges::sort(largest, std::ranges::greater{});
    const bool is_of_several = needed > 1;
    std::size_t fewest = 0;
    while (needed > 0) needed -= largest[fewest++];
    return is_of_several && touched.size() > fewest ? slowdown_ : 1.0;
  }

  static void start(State& one, double now, const std::vector<int>& used, double slowdown) {
    one.start = now;
    one.used = used;
    one.slowdown = slowdown;
  }

  /// Returns whether a job has started.
  bool schedule(double now, simulation::QueuePolicy policy) {
    bool has_started = false;
    std::optional<double> reserved;
    std::vector<int> later;  ///< free at that time, with the first job there
    for (State& one : states_) {
      if (one.start >= 0.0 || one.job->submit > now) continue;
      const auto used = place(free_at(now, now), one.job->accelerators);
      if (!reserved) {
        if (used) {
          start(one, now, *used, slowdown_of(*used));
          has_started = true;
          continue;
        }
        if (policy == simulation::QueuePolicy::kFifo) return has_started;
        double time = now;
        while (!place(free_at(time, now), one.job->accelerators)) time += 1.0;
        reserved = time;
        later = free_at(time, now);
        const auto there = place(later, one.job->accelerators);
        for (std::size_t n = 0; n < later.size(); ++n) later[n] -= (*there)[n];
        continue;
      }
      if (!used) continue;
      const double slowdown = slowdown_of(*used);
      const bool is_short = now + one.job->limit * slowdown <= *reserved;
      if (!is_short && !(fit(later, *used) && is_within_limit(later, *used))) continue;
      start(one, now, *used, slowdown);
      has_started = true;
      if (is_short) continue;
      for (std::size_t n = 0; n < later.size(); ++n) later[n] -= (*used)[n];
    }
    return has_started;
  }

  const std::vector<simulation::QueuedJob>& jobs_;
  int num_nodes_;
  int per_node_;
  int max_occupied_;
  std::vector<int> leaf_of_node_;  ///< empty: all nodes are on one leaf
  double slowdown_ = 1.0;
  std::vector<State> states_;
};

}  // namespace railwright::test
