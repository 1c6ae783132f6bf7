// SPDX-License-Identifier: Apache-2.0
// The keys of queue.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/power/node_power_fields.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/simulation/scenario/sweep_space_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::simulation {

constexpr auto JobSize::fields() {
  using core::field;
  return core::field_list(
      field("accelerators", &JobSize::accelerators,
            "Accelerators of a job; more than a node has are whole nodes.", core::between(1, 1e7)),
      field("share", &JobSize::share, "Its share of the jobs, over the sum of all.",
            core::positive));
}

constexpr auto DrawnJobs::fields() {
  using core::between;
  using core::field;
  using core::optional;
  using core::positive;
  using D = DrawnJobs;
  return core::field_list(
      field("jobs", &D::jobs, "Jobs of the run.", between(1, 2'000'000)),
      field("jobs_per_hour", &D::jobs_per_hour, "Rate of a Poisson process of submissions.",
            positive),
      field("sizes", &D::sizes, "Accelerators of a job, by share of the jobs."),
      field("duration", &D::duration, "Mean time that a job runs.", positive),
      field("duration_spread", &D::duration_spread,
            "Standard deviation of these times over their mean, lognormal; 0: all alike.",
            between(0, 100), optional),
      field("max_duration", &D::max_duration, "Longest that a job may run: longer ones end there.",
            positive),
      field("limit_over_duration", &D::limit_over_duration,
            "Time limit that users give, over the time that the job runs.", between(1, 1000),
            optional),
      field("seed", &D::seed, "Of the draws.", between(0, 2'000'000'000), optional));
}

constexpr auto JobQueue::fields() {
  using core::field;
  using core::optional;
  using Q = JobQueue;
  return core::field_list(
      field("policy", &Q::policy, "Which waiting job starts next.", optional),
      field("placement", &Q::placement, "Which free accelerators it gets.", optional),
      field("spread_slowdown", &Q::spread_slowdown,
            "Time of a job of several nodes on more leaves than it needs, over its time on as "
            "few as can be; `simulate` with cluster.placement gives it.",
            core::between(1, 10), optional),
      field("trace", &Q::trace,
            "Jobs as lines of comma-separated values under a line of names: submit_s, "
            "accelerators, duration_s and, if users give one, limit_s.",
            optional),
      field("drawn", &Q::drawn, "Jobs that are drawn, in place of a trace."),
      field("checkpoint_interval", &Q::checkpoint_interval,
            "Time between the checkpoints of a job: what a failure sends back.", core::positive,
            optional),
      field("power_cap", &Q::power_cap,
            "Most that the nodes may draw, with what the building adds: jobs that would exceed "
            "it wait.",
            core::positive),
      field("max_wait", &Q::max_wait, "Longest that `percentile` of the jobs may wait.",
            core::positive),
      field("percentile", &Q::percentile, "Share of the jobs that max_wait holds for.",
            core::between(0.01, 1), optional));
}

constexpr auto QueueScenario::fields() {
  using core::field;
  return core::field_list(
      field("name", &QueueScenario::name, "The scenario in a few words."),
      field("queue", &QueueScenario::queue, "The jobs, and who is served first."),
      field("cluster", &QueueScenario::cluster, "Nodes and fabric."),
      field("reliability", &QueueScenario::reliability, "Failures of the nodes; none without it."),
      field("power", &QueueScenario::power, "What the building adds to the power of nodes.",
            core::optional),
      field("sweep", &QueueScenario::sweep, "The points of `sweep`."));
}

}  // namespace railwright::simulation
