// SPDX-License-Identifier: Apache-2.0
#include "sizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "railwright/core/arithmetic.hpp"

namespace railwright::planner {

namespace {

std::string nodes(int count) { return fmt::format("{} node{}", count, count == 1 ? "" : "s"); }

/// Returns the step between counts to try: 1 up to 256, then 128 counts for each doubling. Larger
/// designs divide powers of two, and a single node more or less changes nothing.
int step_at(int num_nodes) {
  int step = 1;
  while (num_nodes >= step * 256) step *= 2;
  return step;
}

int next_count(int num_nodes) { return (num_nodes / step_at(num_nodes) + 1) * step_at(num_nodes); }

int previous_count(int num_nodes) {
  const int step = step_at(num_nodes - 1);
  return (num_nodes - 1) / step * step;
}

/// Returns the first count to try that is at least `num_nodes`.
int count_from(double num_nodes) {
  const int n = static_cast<int>(std::ceil(std::clamp(num_nodes, 1.0, 1e6)));
  const int step = step_at(n);
  return core::ceil_div(n, step) * step;
}

}  // namespace

double speed_of(const SizedCluster& cluster) {
  const auto samples = static_cast<double>(cluster.result.samples_per_step);
  return samples * static_cast<double>(cluster.result.steps) / cluster.training_time.base();
}

/// Tries every count that peak rates do not rule out. Neither memory nor speed is monotone in the
/// number of nodes, which must divide layers, heads and batch.
std::variant<Sized, Missed> Sizer::smallest() {
  int last = first();
  for (int n = last; n <= most(); n = next_count(n)) {
    last = n;
    if (trials_.surely_misses(n)) continue;
    const Trial& trial = at(n);
    if (trial.meets()) {
      trials_.take_fewest_storage_nodes(n);
      return sized(n);
    }
    if (trial.stays_too_large || trial.lacks_ports) break;
  }
  return missed(last);
}

/// Returns the least count that peak rates do not rule out.
int Sizer::first() const { return std::min(most(), count_from(trials_.min_nodes())); }

Sized Sizer::sized(int num_nodes) {
  const SizedCluster& cluster = *at(num_nodes).cluster;
  Sized made{.cluster = cluster, .binds = {}, .steps_down = steps_down(cluster)};
  if (num_nodes == 1) {
    made.binds = "nothing: one node is the least";
  } else {
    const Trial& fewer = at(next_tried_below(num_nodes));
    made.binds = fewer.is_late() ? "the deadline: " + cluster.result.limit : fewer.why_not;
  }
  return made;
}

/// Returns the largest count below `num_nodes` that is too late; `num_nodes` if none is.
int Sizer::largest_late(int num_nodes) {
  for (int n = previous_count(num_nodes); n >= first(); n = previous_count(n)) {
    if (at(n).is_late()) return n;
  }
  return num_nodes;
}

/// Reports the goal that the largest cluster misses which holds the job. If another goal than the
/// deadline rejects larger ones, reports that of the largest too.
Missed Sizer::missed(int num_nodes) {
  if (at(num_nodes).lacks_ports) return missed_on_fabric(num_nodes);
  const auto of = [&](int n) { return fmt::format("{}: {}", nodes(n), at(n).why_not); };
  const Trial& last = at(num_nodes);
  if (last.cluster || last.is_late()) return {trials_.option().name, of(num_nodes)};
  const int late = largest_late(num_nodes);
  std::string why = of(late);
  for (int n = num_nodes; n > late; n = previous_count(n)) {
    if (at(n).lacks_division) continue;
    if (late != num_nodes) why += "; " + of(n);
    break;
  }
  return {trials_.option().name, std::move(why)};
}

/// Reports what the most nodes miss that can be plugged in.
Missed Sizer::missed_on_fabric(int too_many) {
  const int most = trials_.most_nodes_of_fabric(too_many);
  if (most == 0) return {trials_.option().name, at(1).why_not};
  return {trials_.option().name, fmt::format("{}, the most that can be plugged in ({}): {}",
                                             nodes(most), at(most + 1).why_not, at(most).why_not)};
}

/// Returns the next smaller count that holds the job, else the largest that lacks memory. Stops at
/// half, since smaller clusters do not explain this one.
int Sizer::next_tried_below(int num_nodes) {
  int short_of_memory = 0;
  for (int n = previous_count(num_nodes); n >= std::max(1, num_nodes / 2); n = previous_count(n)) {
    if (at(n).cluster || at(n).is_late()) return n;
    if (short_of_memory == 0 && at(n).lacks_memory) short_of_memory = n;
  }
  return short_of_memory > 0 ? short_of_memory : previous_count(num_nodes);
}

std::vector<StepDown> Sizer::steps_down(const SizedCluster& cluster) {
  std::vector<StepDown> steps;
  if (cluster.num_nodes > 1) {
    const int fewer = next_tried_below(cluster.num_nodes);
    steps.push_back({nodes(fewer), at(fewer).why_not});
  }
  if (cluster.num_storage_nodes > 0) {
    steps.push_back({"one storage node less", trials_.with_less_storage(cluster)});
  }
  return steps;
}

bool Sizer::is_within(int num_nodes) {
  const Trial& trial = at(num_nodes);
  return !trial.is_too_large && !trial.lacks_ports;
}

std::string Sizer::limit_above(int num_nodes, int too_many) {
  if (too_many <= most()) return fmt::format("{}: {}", nodes(too_many), at(too_many).why_not);
  return fmt::format("{}, the most that `goals.parts.max_nodes` allows", nodes(num_nodes));
}

std::variant<Sized, Missed> Sizer::best_within() {
  constexpr int kLookedAt = 6;  // of each, the best division is found
  int low = 0;
  int high = most() + 1;
  const double halves = std::log2(static_cast<double>(high)) + 1.0;
  trials_.count_trials(trials_.option().name + ", within the limits",
                       2 * static_cast<int>(halves) + kLookedAt);
  for (int n = 1; low < most(); n = std::min(2 * n, most())) {
    if (!is_within(n)) {
      high = n;
      break;
    }
    low = n;
  }
  while (high - low > step_at(std::max(1, low))) {
    const int middle = low + (high - low) / 2;
    (is_within(middle) ? low : high) = middle;
  }
  if (low == 0) return Missed{trials_.option().name, limit_above(0, 1)};
  int num_met = 0;
  for (int n = low; n > low * 3 / 4 && num_met < kLookedAt; n = previous_count(n)) {
    if (at(n).meets()) ++num_met;
  }
  int best = 0;
  for (const auto& [n, trial] : trials_.known()) {
    if (!trial.meets()) continue;
    if (best == 0 || speed_of(*trial.cluster) > speed_of(*at(best).cluster)) best = n;
  }
  if (best == 0) return missed(low);
  trials_.fill_time(best);
  // Something else decides where the largest counts are within the limits and do not do.
  std::string binds = best > low * 3 / 4 || at(low).meets()
                          ? limit_above(low, high)
                          : fmt::format("{}: {}", nodes(low), at(low).why_not);
  return Sized{.cluster = *at(best).cluster, .binds = std::move(binds), .steps_down = {}};
}

SizedCluster Sizer::fastest(int from) {
  int low = from;
  int high = most();
  // Halves of what lies between, down to a sixteenth of the least.
  const double halves = std::log2(std::max(2.0, 1.0 * (high - low) / std::max(1, low / 16)));
  trials_.count_trials(trials_.option().name + ", fastest",
                       1 + static_cast<int>(std::ceil(halves)));
  const auto is_within = [&](int n) {
    return (at(n).cluster || at(n).is_late()) && !at(n).is_too_large;
  };
  if (is_within(high)) low = high;
  // Stops within a sixteenth: divisibility decides on the best number, not single nodes.
  while (high - low > std::max(1, low / 16)) {
    const int middle = low + (high - low) / 2;
    (is_within(middle) ? low : high) = middle;
  }
  const SizedCluster* best = &*at(from).cluster;
  for (const auto& [n, trial] : trials_.known()) {
    if (trial.meets() && trial.cluster->training_time < best->training_time) best = &*trial.cluster;
  }
  return *best;
}

}  // namespace railwright::planner
