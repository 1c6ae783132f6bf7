// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/queue/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "endless_jobs.hpp"
#include "free_nodes.hpp"
#include "node_failures.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "scheduler.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

constexpr int kMaxSamples = 400;
constexpr std::size_t kMaxNamed = 5;  ///< jobs that a reason names

/// Returns which leaf the first NIC of each node hangs on; 0 for all without a fabric.
std::vector<int> leaf_of_node(const core::Fabric& fabric) {
  std::vector<int> leaves(static_cast<std::size_t>(fabric.num_nodes()), 0);
  std::map<core::VertexId, int> number_of;
  for (const core::VertexId nic : fabric.vertices_with(core::Role::kNic)) {
    const core::Vertex& vertex = fabric.vertices()[static_cast<std::size_t>(nic)];
    if (vertex.local_index != 0) continue;
    const auto reached = fabric.leaves_of(nic);
    const core::VertexId leaf = reached.empty() ? -1 : reached.front();
    leaves[static_cast<std::size_t>(vertex.node)] =
        number_of.try_emplace(leaf, static_cast<int>(number_of.size())).first->second;
  }
  return leaves;
}

std::string jobs_too_large(const std::vector<QueuedJob>& jobs, int num_accelerators) {
  std::string named;
  std::size_t count = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (jobs[job].accelerators <= num_accelerators) continue;
    if (count++ < kMaxNamed) {
      named += fmt::format("{}job {} wants {}", named.empty() ? "" : ", ", job + 1,
                           jobs[job].accelerators);
    }
  }
  if (count == 0) return "";
  return fmt::format("{} of {} jobs want more than the {} accelerators there are: {}{}", count,
                     jobs.size(), num_accelerators, named, count > kMaxNamed ? ", ..." : "");
}

struct ClassRange {
  const char* name;
  double most;  ///< accelerators; in nodes where negative
};
constexpr auto kClasses = std::to_array<ClassRange>({{"one accelerator", 1},
                                                     {"up to a node", -1},
                                                     {"2 to 4 nodes", -4},
                                                     {"5 to 16 nodes", -16},
                                                     {"17 to 64 nodes", -64},
                                                     {"more nodes", -1e9}});

std::vector<SizeClass> size_classes(const CheckedQueue& checked,
                                    const std::vector<JobHistory>& histories, int per_node) {
  std::vector<SizeClass> classes;
  double all = 0.0;
  double least = 0.0;
  for (const ClassRange& range : kClasses) {
    const double most = range.most > 0.0 ? range.most : -range.most * per_node;
    SizeClass one{.name = range.name};
    std::vector<double> waits;
    double time = 0.0;
    for (std::size_t job = 0; job < histories.size(); ++job) {
      const QueuedJob& asked = checked.jobs[job];
      if (asked.accelerators <= least || asked.accelerators > most) continue;
      waits.push_back(histories[job].start - asked.submit);
      time += histories[job].ran * held(asked.accelerators, per_node);
    }
    least = std::max(least, most);
    all += time;
    if (waits.empty()) continue;
    one.num_jobs = std::ssize(waits);
    one.share_of_time = time;
    one.wait = percentiles(waits);
    classes.push_back(std::move(one));
  }
  for (SizeClass& one : classes) one.share_of_time = all > 0.0 ? one.share_of_time / all : 0.0;
  return classes;
}

/// Power of the nodes with so many accelerators occupied: these compute, the others idle.
class NodesPower {
 public:
  NodesPower(const CheckedQueue& checked, int num_nodes)
      : num_nodes_(num_nodes),
        per_node_(checked.cluster.cluster.node.num_accelerators.value),
        pue_(checked.power.pue),
        node_(models::node_power(checked.cluster.cluster.node, checked.power)) {}

  [[nodiscard]] core::Power at(double occupied) const {
    const core::Power idle = node_.of(models::Activity::kIdle);
    const core::Power added = node_.of(models::Activity::kCompute) - idle;
    return (idle * num_nodes_ + added * (occupied / per_node_)) * pue_;
  }
  /// Returns the most accelerators that may be occupied under a cap; below 0 if idle nodes exceed
  /// it.
  [[nodiscard]] double most_occupied(core::Power cap) const {
    const core::Power of_one = at(1.0) - at(0.0);
    return std::floor((cap - at(0.0)) / of_one + 1e-9);
  }

 private:
  double num_nodes_;
  double per_node_;
  double pue_;
  models::NodePower node_;
};

/// Means over a piece of the time.
struct ClusterMeans {
  double occupied = 0.0;
  double waiting = 0.0;
  double wanted = 0.0;
  double down = 0.0;
};

/// Returns the means from `begin` to `end`; `at` is a state not after `begin`, and moves to the
/// last one before `end`.
ClusterMeans means_of(const std::vector<ClusterState>& states, std::size_t& at, double begin,
                      double end) {
  ClusterMeans means;
  const double span = end - begin;
  while (at + 1 < states.size()) {
    const ClusterState& state = states[at];
    const double next = states[at + 1].time;
    const double share = (std::min(next, end) - std::max(state.time, begin)) / span;
    if (share > 0.0) {
      means.occupied += state.occupied * share;
      means.waiting += state.waiting * share;
      means.wanted += static_cast<double>(state.wanted) * share;
      means.down += state.down * share;
    }
    if (next >= end) break;
    ++at;
  }
  return means;
}

/// Fills in the state of the cluster over the whole time, and its means while jobs are submitted.
void add_states(const std::vector<ClusterState>& states, double last_submission,
                const NodesPower& power, int num_nodes, QueueResult& result) {
  const double first = states.front().time;
  const double span = states.back().time - first;
  result.duration = Duration::from_base(span);
  int most_occupied = 0;
  for (const ClusterState& state : states) {
    most_occupied = std::max(most_occupied, state.occupied);
    result.most_waiting = std::max<std::int64_t>(result.most_waiting, state.waiting);
  }
  result.peak_power = power.at(most_occupied);
  if (span <= 0.0) return;
  std::size_t at = 0;
  for (int piece = 0; piece < kMaxSamples; ++piece) {
    const double begin = span * piece / kMaxSamples;
    const double end = span * (piece + 1) / kMaxSamples;
    const ClusterMeans means = means_of(states, at, first + begin, first + end);
    result.over_time.push_back({.time = Duration::from_base(begin),
                                .occupied = means.occupied,
                                .waiting = means.waiting,
                                .wanted = means.wanted,
                                .power = power.at(means.occupied)});
  }
  at = 0;
  const ClusterMeans of_all = means_of(states, at, first, states.back().time);
  result.energy = power.at(of_all.occupied) * result.duration;
  at = 0;
  const double until = last_submission > first ? last_submission : states.back().time;
  const ClusterMeans means = means_of(states, at, first, until);
  result.occupied_fraction = means.occupied / static_cast<double>(result.num_accelerators);
  result.down_fraction = means.down / num_nodes;
  result.mean_power = power.at(means.occupied);
}

/// Says by how much jobs wait longer than is wanted.
void check_wait(const JobQueue& queue, std::vector<double>& waits, QueueResult& result) {
  if (!queue.max_wait) return;
  const Duration wait = quantile(waits, queue.percentile);
  if (wait <= *queue.max_wait) return;
  result.infeasible.push_back(
      fmt::format("{:.3g} % of the jobs wait up to {}, {} longer than the {} "
                  "wanted",
                  100.0 * queue.percentile, core::to_text(wait),
                  core::to_text(wait - *queue.max_wait), core::to_text(*queue.max_wait)));
}

/// Fills in waits and interruptions.
void add_histories(const CheckedQueue& checked, std::vector<JobHistory> histories, int per_node,
                   QueueResult& result) {
  std::vector<double> waits;
  for (std::size_t job = 0; job < histories.size(); ++job) {
    waits.push_back(histories[job].start - checked.jobs[job].submit);
    result.num_interruptions += histories[job].num_interruptions;
  }
  result.wait = percentiles(waits);
  check_wait(checked.queue, waits, result);
  result.sizes = size_classes(checked, histories, per_node);
  result.histories = std::move(histories);
}

/// Returns the share of the jobs' accelerator time that neither failures nor spreading cost.
double useful_share(const CheckedQueue& checked, const std::vector<JobHistory>& histories,
                    int per_node) {
  double useful = 0.0;
  double ran = 0.0;
  for (std::size_t job = 0; job < histories.size(); ++job) {
    const double accelerators = held(checked.jobs[job].accelerators, per_node);
    useful += checked.jobs[job].duration * accelerators;
    ran += histories[job].ran * accelerators;
  }
  return ran > 0.0 ? useful / ran : 0.0;
}

/// Says which jobs never run under the cap; empty if all do.
std::string above_cap(const CheckedQueue& checked, double most_occupied, const NodesPower& power) {
  if (!checked.queue.power_cap) return "";
  int largest = 0;
  for (const QueuedJob& job : checked.jobs) {
    largest = std::max(largest,
                       held(job.accelerators, checked.cluster.cluster.node.num_accelerators.value));
  }
  if (largest <= most_occupied) return "";
  return fmt::format("the largest job makes the nodes draw {}, {} more than queue.power_cap allows",
                     core::to_text(power.at(largest)),
                     core::to_text(power.at(largest) - *checked.queue.power_cap));
}

ScheduleLimits limits_of(const CheckedQueue& checked, double most_occupied) {
  ScheduleLimits limits{.policy = checked.queue.policy,
                        .checkpoint_interval = checked.queue.checkpoint_interval.base(),
                        .spread_slowdown = checked.queue.spread_slowdown};
  if (const auto& reliability = checked.reliability) {
    limits.restart = reliability->restart.value.base();
    limits.repair = reliability->detection.value.base() + reliability->repair.value.base();
  }
  if (checked.queue.power_cap) {
    limits.max_occupied = static_cast<int>(std::min(most_occupied, 1e9));
  }
  return limits;
}

}  // namespace

QueueResult simulate(const CheckedQueue& checked) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const core::ComputeNode& node = cluster.node;
  const topologies::BuiltCluster built = checked.cluster.topology->build(cluster);
  const int per_node = node.num_accelerators.value;
  QueueResult result{.name = checked.cluster.name,
                     .num_jobs = std::ssize(checked.jobs),
                     .num_accelerators = std::int64_t{cluster.num_nodes} * per_node,
                     .carbon_intensity = checked.power.carbon_intensity};
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back(shortfall.what);
  }
  const auto reason = jobs_too_large(checked.jobs, static_cast<int>(result.num_accelerators));
  if (!reason.empty()) result.infeasible.push_back(reason);
  const NodesPower power(checked, cluster.num_nodes);
  const double most_occupied = power.most_occupied(checked.queue.power_cap.value_or(power.at(0.0)));
  const std::string too_hungry = above_cap(checked, most_occupied, power);
  if (!too_hungry.empty()) result.infeasible.push_back(too_hungry);
  const std::string too_often = result.feasible() ? endless_jobs(checked) : "";
  if (!too_often.empty()) result.infeasible.push_back(too_often);
  if (!result.feasible()) return result;

  const std::uint64_t seed =
      checked.queue.drawn ? static_cast<std::uint64_t>(checked.queue.drawn->seed) : 1;
  NodeFailures failures(checked.reliability, models::fleet_of(node, cluster.num_nodes), seed);
  const ScheduleLimits limits = limits_of(checked, most_occupied);
  const LeafNodes leaves = LeafNodes::of(leaf_of_node(built.fabric));
  ScheduleResult schedule =
      run_schedule(checked.jobs, FreeNodes(leaves, per_node, checked.queue.placement), limits,
                   [&] { return failures.next(); });
  const std::string unfinished = unfinished_schedule(checked, schedule);
  if (!unfinished.empty()) {
    result.infeasible.push_back(unfinished);
    return result;
  }
  add_histories(checked, std::move(schedule.histories), per_node, result);
  add_states(schedule.states, checked.jobs.back().submit, power, cluster.num_nodes, result);
  if (schedule.num_of_several > 0) {
    result.spread_fraction =
        static_cast<double>(schedule.num_spread) / static_cast<double>(schedule.num_of_several);
  }
  result.useful_fraction =
      result.occupied_fraction * useful_share(checked, result.histories, per_node);
  return result;
}

}  // namespace railwright::simulation
