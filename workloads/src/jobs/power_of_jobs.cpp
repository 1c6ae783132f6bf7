// SPDX-License-Identifier: Apache-2.0
#include "power_of_jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/models/money/ownership.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/run/job_phase.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/pools.hpp"
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

/// Returns the most nodes of a pool that have a job at one time: at the start of one of them.
/// `nodes` are those of each job in the pool.
int most_nodes_at_once(const JobsResult& result, std::span<const int> nodes) {
  int most = 0;
  for (const JobPlace& at : result.places) {
    int at_once = 0;
    for (std::size_t j = 0; j < result.places.size(); ++j) {
      const JobPlace& other = result.places[j];
      const core::Duration end = other.start + result.run.jobs[j].training_time();
      if (other.start <= at.start && at.start < end) at_once += nodes[j];
    }
    most = std::max(most, at_once);
  }
  return most;
}

/// Powers of the nodes of a pool, energies of those with a job in it.
struct PowerOfPool {
  double clock = 1.0;
  NodePowerByPart of_nodes;  ///< times seconds
  core::Power in_steps;      ///< times seconds, as the next two
  core::Power waiting;
  core::Power without_job;
  NodePowerByPart idle;
  NodePowerByPart peak;
  std::vector<core::Power> above;  ///< what a step of each job draws above idle
  double with_job = 0.0;           ///< nodes times seconds
};

PowerOfPool power_of_pool(const CheckedJobs& checked, std::size_t pool,
                          std::span<const PlacedJob> placed, std::span<const JobStep> steps,
                          const JobsResult& result) {
  const topologies::Cluster& cluster = checked.pools[pool].cluster;
  const models::NodePower node = models::node_power(cluster.node, checked.power);
  const NodePowerByPart& idle = node.parts_of(Activity::kIdle);
  const int num_nodes = cluster.num_nodes + checked.run.num_spares;
  PowerOfPool power{.clock = node.clock};
  power.above.resize(result.places.size());
  std::vector<int> nodes_of_job(result.places.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (pool_of(checked, placed[i]) != pool) continue;
    const std::size_t j = placed[i].job;
    const JobTimes times = times_of(result.run.jobs[j]);
    nodes_of_job[j] = scenario_of(checked, placed[i]).scenario.cluster.num_nodes;
    const double nodes = nodes_of_job[j];
    const NodePowerByPart in_a_step = power_in_a_step(node, steps[i].breakdown);
    power.above[j] = (in_a_step.total() - idle.total()) * nodes;
    power.of_nodes += in_a_step * (nodes * times.like_steps);
    power.in_steps += in_a_step.total() * (nodes * times.like_steps);
    power.waiting += idle.total() * (nodes * times.waiting);
    power.of_nodes += idle * (nodes * times.waiting);
    power.with_job += nodes * (times.like_steps + times.waiting);
  }
  const double without_job = remainder_of(num_nodes * makespan(result).base(), power.with_job);
  power.of_nodes += idle * without_job;
  power.without_job = idle.total() * without_job;
  power.idle = idle * num_nodes;
  const int most = most_nodes_at_once(result, nodes_of_job);
  power.peak = node.parts_of(Activity::kCompute) * most + idle * (num_nodes - most);
  return power;
}

/// Returns the samples of a step that the replicas of a part take.
double samples_per_step(const CheckedJobs& checked, const PlacedJob& part,
                        const JobsResult& result) {
  const CheckedScenario& scenario = scenario_of(checked, part);
  const std::string& pool = checked.pools[pool_of(checked, part)].name;
  for (const DividedStep& step : result.divided_steps) {
    if (step.index != part.job) continue;
    const Division& division = step.is_balanced ? step.balanced : step.even;
    const auto own = std::ranges::find(division.parts, pool, &PartOfStep::pool);
    return static_cast<double>(own->micro_batches) * own->num_replicas *
           scenario.scenario.workload.micro_batch;
  }
  return scenario.scenario.workload.global_batch;
}

PoolRun run_of_pool(const CheckedJobs& checked, std::size_t pool, const PowerOfPool& power,
                    std::span<const PlacedJob> placed, const JobsResult& result) {
  const topologies::Pool& own = checked.pools[pool];
  PoolRun run{.name = own.name,
              .node = own.cluster.node.name,
              .num_nodes = own.cluster.num_nodes,
              .num_accelerators =
                  std::int64_t{own.cluster.num_nodes} * own.cluster.node.num_accelerators.value,
              .mean_power = power.of_nodes.total() * (checked.power.pue / makespan(result).base()),
              .energy = (power.in_steps + power.waiting) * checked.power.pue *
                        core::Duration::from_base(1.0),
              .node_time = core::Duration::from_base(power.with_job)};
  for (const PlacedJob& part : placed) {
    if (pool_of(checked, part) != pool) continue;
    const models::Training& training = scenario_of(checked, part).scenario.workload;
    const double tokens_of_sample = static_cast<double>(models::tokens_per_step(training)) /
                                    static_cast<double>(training.global_batch);
    const double tokens = samples_per_step(checked, part, result) * tokens_of_sample *
                          static_cast<double>(training.steps);
    run.tokens += tokens;
    run.tokens_per_s += tokens / result.run.jobs[part.job].training_time().base();
  }
  return run;
}

/// Adds what it costs to own the nodes and the fabric of a pool.
void add_cost(const CheckedJobs& checked, const topologies::Pool& pool,
              const core::PartsList& parts, const PowerOfPool& power, PoolRun& run) {
  const models::Prices& prices = *checked.prices;
  const core::Power network = models::power_by_part(parts, {}).equipment();
  const core::Power idle = power.idle.total();
  const core::Power busy = power.with_job > 0.0
                               ? (power.in_steps + power.waiting) * (run.num_nodes / power.with_job)
                               : idle;
  const core::Power mean = network + busy * prices.utilization + idle * (1.0 - prices.utilization);
  run.ownership = models::cost_of_ownership(
      prices, models::purchases(parts, pool.cluster.node, checked.run.num_spares),
      mean * checked.power.pue);
  if (run.tokens == 0.0) return;
  const core::Duration time = run.node_time / static_cast<double>(run.num_nodes);
  run.per_million_tokens =
      models::share_of_ownership(prices, run.ownership->total(), time) * (1e6 / run.tokens);
}

/// Returns the parts of each pool and those that they share: none where storage is on the fabric of
/// the only pool.
topologies::BuiltPools apart(const CheckedJobs& checked, const core::PartsList& parts) {
  const auto& storage = checked.storage();
  if (storage && storage->network == topologies::StorageAttachment::kScaleOut) {
    topologies::BuiltPools whole;
    whole.parts.push_back(parts);
    return whole;
  }
  return topologies::build_apart(checked.pools);
}

/// Returns what it costs to own what no pool has alone.
models::Ownership shared_cost(const CheckedJobs& checked, const core::PartsList& parts) {
  return models::cost_of_ownership(
      *checked.prices, models::purchases(parts, checked.pools.front().cluster.node, 0),
      models::power_by_part(parts, {}).equipment() * checked.power.pue);
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
                        std::span<const PlacedJob> placed, std::span<const JobStep> steps,
                        JobsResult& result) {
  JobsPower power{.time = makespan(result),
                  .pue = checked.power.pue,
                  .carbon_intensity = checked.power.carbon_intensity};
  NodePowerByPart of_nodes;  // times seconds
  NodePowerByPart idle;
  NodePowerByPart peak;
  std::vector<core::Power> above(result.places.size());
  const double per_second = 1.0 / power.time.base();
  std::optional<topologies::BuiltPools> built;
  if (checked.prices) built = apart(checked, parts);
  for (std::size_t p = 0; p < checked.pools.size(); ++p) {
    const PowerOfPool of_pool = power_of_pool(checked, p, placed, steps, result);
    for (std::size_t j = 0; j < above.size(); ++j) above[j] += of_pool.above[j];
    of_nodes += of_pool.of_nodes;
    power.in_steps += of_pool.in_steps * per_second;
    power.waiting += of_pool.waiting * per_second;
    power.without_job += of_pool.without_job * per_second;
    idle += of_pool.idle;
    peak += of_pool.peak;
    power.clock = std::min(power.clock, of_pool.clock);
    PoolRun& run = result.pools.emplace_back(run_of_pool(checked, p, of_pool, placed, result));
    if (built) add_cost(checked, checked.pools[p], built->parts[p], of_pool, run);
  }
  if (built) result.shared_ownership = shared_cost(checked, built->shared.parts);
  power.mean = models::power_by_part(parts, of_nodes * per_second);
  power.idle = models::power_by_part(parts, idle);
  power.peak = models::power_by_part(parts, peak);
  if (!result.run.spans.empty()) {
    PowerSeries& series =
        power.over_time.emplace(over_time(result.run, above, power.idle.equipment()));
    series *= power.pue;
  }
  return power;
}

}  // namespace railwright::simulation
