// SPDX-License-Identifier: Apache-2.0
#include "power_of_jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "railwright/simulation/run/job_phase.hpp"
#include "railwright/workloads/training/run_power.hpp"

namespace railwright::simulation {

namespace {

using models::Activity;
using models::NodePowerByPart;
using replication::kPhaseNames;
using replication::Phase;

/// Seconds in which a job's nodes draw what a step does, and in which they wait.
struct JobTimes {
  double like_steps = 0.0;
  double waiting = 0.0;
};

JobTimes times_of(const JobRun& run) {
  JobTimes times;
  for (std::size_t i = 0; i < kNumRunCauses; ++i) {
    const bool is_step = is_like_steps(static_cast<RunCause>(i));
    (is_step ? times.like_steps : times.waiting) += run.time_s[i];
  }
  return times;
}

/// Returns what `part` leaves of `whole`: nothing, where only rounding is left.
double remainder_of(double whole, double part) {
  constexpr double kRounding = 1e-12;
  const double left = whole - part;
  return left > kRounding * whole ? left : 0.0;
}

/// Returns the most nodes that have a job at one time: at the start of one of them.
int most_nodes_at_once(const JobsResult& result) {
  int most = 0;
  for (const JobPlace& at : result.places) {
    int nodes = 0;
    for (std::size_t j = 0; j < result.places.size(); ++j) {
      const JobPlace& other = result.places[j];
      const core::Duration end = other.start + result.run.jobs[j].training_time();
      if (other.start <= at.start && at.start < end) nodes += other.num_nodes;
    }
    most = std::max(most, nodes);
  }
  return most;
}

bool is_like_steps(const RunSpan& span) {
  return !span.is_behind &&
         (span.what == kPhaseNames[static_cast<std::size_t>(Phase::kSteps)] ||
          span.what == kPhaseNames[static_cast<std::size_t>(Phase::kEvaluation)]);
}

/// Returns the power over the first replication; `above` is what a step of each job's nodes draws
/// above idle.
PowerSeries over_time(const RunResult& run, const std::vector<core::Power>& above,
                      core::Power idle) {
  std::vector<PowerSpan> spans;
  core::Duration end;
  for (const RunSpan& span : run.spans) {
    end = std::max(end, span.end.duration());
    if (!is_like_steps(span)) continue;
    spans.push_back({.start = span.start.duration(),
                     .end = span.end.duration(),
                     .above = above[static_cast<std::size_t>(span.job)]});
  }
  return power_over(spans, end, idle);
}

}  // namespace

JobsPower power_of_jobs(const CheckedJobs& checked, const core::PartsList& parts,
                        std::span<const JobStep> steps, const JobsResult& result) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const models::NodePower node = models::node_power(cluster.node, checked.power);
  const NodePowerByPart& idle = node.parts_of(Activity::kIdle);
  const int num_nodes = cluster.num_nodes + checked.run.num_spares;
  JobsPower power{.time = makespan(result),
                  .pue = checked.power.pue,
                  .carbon_intensity = checked.power.carbon_intensity,
                  .clock = node.clock};

  NodePowerByPart of_nodes;  // times seconds
  std::vector<core::Power> above;
  double with_job = 0.0;  // nodes times seconds
  for (std::size_t j = 0; j < steps.size(); ++j) {
    const JobTimes times = times_of(result.run.jobs[j]);
    const double nodes = result.places[j].num_nodes;
    const NodePowerByPart in_a_step = power_in_a_step(node, steps[j].breakdown);
    above.push_back((in_a_step.total() - idle.total()) * nodes);
    of_nodes += in_a_step * (nodes * times.like_steps);
    power.in_steps += in_a_step.total() * (nodes * times.like_steps);
    power.waiting += idle.total() * (nodes * times.waiting);
    of_nodes += idle * (nodes * times.waiting);
    with_job += nodes * (times.like_steps + times.waiting);
  }
  const double without_job = remainder_of(num_nodes * power.time.base(), with_job);
  of_nodes += idle * without_job;
  const double per_second = 1.0 / power.time.base();
  power.in_steps *= per_second;
  power.waiting *= per_second;
  power.without_job = idle.total() * (without_job * per_second);
  power.mean = models::power_by_part(parts, of_nodes * per_second);
  power.idle = models::power_by_part(parts, idle * num_nodes);
  const int most = most_nodes_at_once(result);
  power.peak = models::power_by_part(
      parts, node.parts_of(Activity::kCompute) * most + idle * (num_nodes - most));
  if (!result.run.spans.empty()) {
    PowerSeries& series =
        power.over_time.emplace(over_time(result.run, above, power.idle.equipment()));
    series *= power.pue;
  }
  return power;
}

}  // namespace railwright::simulation
