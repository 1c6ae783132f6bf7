// SPDX-License-Identifier: Apache-2.0
#include "sizer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace railwright::planner {

namespace {

std::string servers(int count) { return fmt::format("{} server{}", count, count == 1 ? "" : "s"); }

}  // namespace

std::variant<Sized, Missed> Sizer::smallest() {
  const int most = this->most();
  int late = 0;  // the largest number that is too late
  int n = 1;
  while (!at(n).meets()) {
    const Trial& trial = at(n);
    if (trial.is_too_large || n == most) return missed(n);
    if (trial.shortage > 0.0) late = n;
    // A larger cluster does hardly more a server; what divides nothing is passed by.
    constexpr double kSlack = 0.98;
    const double next = trial.shortage > 0.0 ? n * trial.shortage * kSlack
                        : trial.lacks_memory ? n * 1.25
                                             : 0.0;
    n = std::min(most, std::max(n + 1, static_cast<int>(std::min(next, 1e6))));
  }
  for (int fewer = n - 1; fewer > late && !at(fewer).lacks_memory; --fewer) {
    if (at(fewer).meets()) n = fewer;
  }
  const SizedCluster& cluster = *at(n).cluster;
  Sized sized{.cluster = cluster, .binds = {}, .steps_down = steps_down(cluster)};
  const Trial* smaller = next_smaller(n);
  if (n == 1) {
    sized.binds = "nothing: one server is the least";
  } else {
    sized.binds = smaller != nullptr ? "the deadline: " + cluster.result.limit : at(n - 1).why_not;
  }
  return sized;
}

/// The largest cluster below `num_nodes` that can be built and is too late.
const Trial* Sizer::next_smaller(int num_nodes) const {
  const Trial* found = nullptr;
  for (const auto& [n, trial] : trials_.known()) {
    if (n < num_nodes && trial.shortage > 0.0) found = &trial;
  }
  return found;
}

/// What the largest cluster misses that could be built.
Missed Sizer::missed(int num_nodes) {
  const Trial* trial = &at(num_nodes);
  if (!trial->cluster) {
    if (const Trial* smaller = next_smaller(num_nodes)) trial = smaller;
  }
  const int n = trial->cluster ? trial->cluster->num_nodes : num_nodes;
  return {trials_.option().name, fmt::format("{}: {}", servers(n), trial->why_not)};
}

std::vector<StepDown> Sizer::steps_down(const SizedCluster& cluster) {
  std::vector<StepDown> steps;
  if (const Trial* smaller = next_smaller(cluster.num_nodes)) {
    steps.push_back({servers(smaller->cluster->num_nodes), smaller->why_not});
  } else if (cluster.num_nodes > 1) {
    steps.push_back({"one server less", at(cluster.num_nodes - 1).why_not});
  }
  if (cluster.num_storage_nodes > 0) {
    steps.push_back({"one storage node less", trials_.with_less_storage(cluster)});
  }
  return steps;
}

SizedCluster Sizer::fastest(int from) {
  int low = from;
  int high = most();
  const auto is_within = [&](int n) { return at(n).cluster && !at(n).is_too_large; };
  if (is_within(high)) low = high;
  // To a sixteenth: the best number is decided by what divides, not by one server.
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
