// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/estimate/estimate.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "busy_links.hpp"
#include "layer_sync_time.hpp"
#include "railwright/topologies/nic_plan.hpp"
#include "stage_work.hpp"

namespace railwright::planner {

namespace {

using core::Duration;

Duration bytes_time(const models::CollectiveFlow& flow, double bytes,
                    const std::vector<double>& capacity) {
  return models::isolated_time({.route = flow.route, .latency = {}, .ceiling = flow.ceiling}, bytes,
                               capacity);
}

/// Seconds a byte that every stage's collective puts on the busiest link, all of them at once.
Duration shared_time_per_byte(const StepCosts& costs,
                              models::CollectiveFlow ParameterSync::* flow) {
  std::vector<models::CollectiveFlow> flows;
  for (const StageCosts& stage : costs.stages) {
    for (const ParameterSync& sync : stage.syncs) flows.push_back(sync.*flow);
  }
  return bytes_time(models::merge(flows), 1.0, costs.capacity);
}

struct CollectiveTime {
  Duration all;   ///< all buckets one after another
  Duration last;  ///< the one that nothing can hide
};

/// Seconds that the busiest link needs for all buckets of all stages.
Duration busiest_link(const StepCosts& costs, models::CollectiveFlow ParameterSync::* flow,
                      std::int64_t Bucket::* bytes) {
  BusyLinks links(costs.capacity);
  for (const StageCosts& stage : costs.stages) {
    for (const ParameterSync& sync : stage.syncs) {
      double size = 0.0;
      for (const Bucket& bucket : sync.buckets) size += static_cast<double>(bucket.*bytes);
      links.add(sync.*flow, size);
    }
  }
  return links.longest();
}

/// Dense parameters and experts go side by side: no faster than each alone, nor than the links that
/// they share with one another and with other stages.
CollectiveTime buckets_time(const StepCosts& costs, models::CollectiveFlow ParameterSync::* flow,
                            std::int64_t Bucket::* bytes) {
  const Duration links = busiest_link(costs, flow, bytes);
  const Duration per_byte = shared_time_per_byte(costs, flow);
  CollectiveTime longest;
  for (const StageCosts& stage : costs.stages) {
    for (const ParameterSync& sync : stage.syncs) {
      const models::CollectiveFlow& own = sync.*flow;
      Duration latencies;
      CollectiveTime time;
      for (const Bucket& bucket : sync.buckets) {
        const auto size = static_cast<double>(bucket.*bytes);
        latencies += own.latency * bucket.num_calls;
        time.all += bytes_time(own, size, costs.capacity);
        time.last = own.latency * bucket.num_calls + per_byte * size;
      }
      longest.all = std::max(longest.all, latencies + std::max(time.all, links));
      longest.last = std::max(longest.last, time.last);
    }
  }
  return longest;
}

/// What is left of a collective behind a pass of length `window`.
Duration exposed(const CollectiveTime& time, Duration window, bool overlaps) {
  if (!overlaps || time.all == Duration{}) return time.all;
  return std::max(time.last, time.all - window);
}

/// Time in which all replicas of a stage send to one of its neighbours at once.
std::vector<Duration> send_times(const StepCosts& costs,
                                 const std::vector<models::CollectiveFlow>& flows) {
  const auto dp = static_cast<std::size_t>(costs.num_replicas);
  std::vector<Duration> times;
  for (std::size_t first = 0; first < flows.size(); first += dp) {
    times.push_back(models::isolated_time(models::merge(std::span(flows).subspan(first, dp)),
                                          static_cast<double>(costs.send_bytes), costs.capacity));
  }
  return times;
}

/// What a pipeline adds to the work of its stages, by micro-batch where not said otherwise.
struct PipelinePace {
  std::vector<Duration> blocked;  ///< of each stage, while its own sends go out
  Duration loop;                  ///< least time between micro-batches: see below
  Duration fill;                  ///< transfers of the way through the pipeline and back, once
};

/// A stage of plain 1F1B has as many micro-batches in flight as there are stages from it to the
/// end. So that many are the most that can finish in the time of the way to the end and back, work
/// and transfers together. Interleaving keeps more in flight, and hides that way.
PipelinePace pipeline_pace(const StepCosts& costs, const std::vector<StageWork>& work) {
  const auto pp = static_cast<std::size_t>(costs.layout.pp);
  const double v = costs.layout.virtual_stages;
  PipelinePace pace{.blocked = std::vector<Duration>(pp), .loop = {}, .fill = {}};
  if (pp == 1) return pace;
  const auto forward = send_times(costs, costs.send_forward);
  const auto backward = send_times(costs, costs.send_backward);
  Duration way = work.back().total();
  for (std::size_t stage = pp - 1; stage-- > 0;) {
    const Duration round_trip = forward[stage] + backward[stage + 1];
    pace.fill += round_trip;
    way += work[stage].total() + round_trip;
    if (costs.layout.virtual_stages == 1 && costs.layout.schedule == models::Schedule::k1F1B) {
      pace.loop = std::max(pace.loop, way / static_cast<double>(pp - stage));
    }
  }
  if (costs.overlap_pipeline) return pace;
  for (std::size_t stage = 0; stage < pp; ++stage) {
    // The last chunk has no next stage, the first none before it.
    pace.blocked[stage] = forward[stage] * (stage + 1 == pp ? v - 1.0 : v) +
                          backward[stage] * (stage == 0 ? v - 1.0 : v);
    pace.blocked[stage] = pace.blocked[stage] * costs.layout.num_directions();
  }
  return pace;
}

/// What a stage waits for others in a step: a chunk of each of them, less what weight gradients
/// fill. [@narayanan2021megatron] [@qi2023zero] [@deepseek_v3]
Duration bubble(const models::Layout& layout, const std::vector<StageWork>& work,
                std::size_t stage) {
  Duration bubble;
  for (std::size_t other = 0; other < work.size(); ++other) {
    const StageWork& its = work[other];
    if (layout.num_directions() == 2) {
      const double each = (layout.pp / 2.0 - 1.0) / layout.pp;
      bubble += (its.total() + its.backward - its.weight * 2.0) * (each / 2.0);
    } else if (other != stage) {
      bubble += (its.total() - its.weight * 2.0) * (1.0 / layout.virtual_stages);
    }
  }
  return bubble;
}

/// Time that the busiest link needs for all bytes of a step.
Duration link_time(const StepCosts& costs) {
  const models::Layout& layout = costs.layout;
  BusyLinks links(costs.capacity);
  const double m = layout.num_microbatches;
  const double v = layout.virtual_stages;
  const auto send_bytes = static_cast<double>(costs.send_bytes);
  for (int stage = 0; stage < layout.pp; ++stage) {
    const StageCosts& stage_costs = costs.stages[static_cast<std::size_t>(stage)];
    const double passes_of_chunk = layout.microbatches_per_chunk();
    LayerPass all;
    for (const auto* passes : {&stage_costs.forward, &stage_costs.backward}) {
      for (const LayerPass& pass : *passes) all += pass;
    }
    for (int replica = 0; replica < costs.num_replicas; ++replica) {
      const std::size_t group = costs.group(stage, replica);
      for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
        if (all.calls[call] == 0.0) continue;
        links.add(costs.calls[call].flows[group],
                  passes_of_chunk * all.calls[call] * static_cast<double>(costs.calls[call].bytes));
      }
      if (layout.pp == 1) continue;
      links.add(costs.send_forward[group], m * (stage + 1 == layout.pp ? v - 1.0 : v) * send_bytes);
      links.add(costs.send_backward[group], m * (stage == 0 ? v - 1.0 : v) * send_bytes);
    }
    const double reduces = costs.reduces_every_microbatch ? m : 1.0;
    const double gathers = costs.gathers_every_pass ? 2.0 * m : 1.0;
    for (const ParameterSync& sync : stage_costs.syncs) {
      for (const Bucket& bucket : sync.buckets) {
        links.add(sync.gradient_sync, reduces * static_cast<double>(bucket.gradient_bytes));
        links.add(sync.parameter_gather, gathers * static_cast<double>(bucket.parameter_bytes));
      }
    }
  }
  return links.longest();
}

/// The step as it is when stage `slowest` sets the pace.
Breakdown paced_by(std::size_t slowest, const StepCosts& costs, const std::vector<StageWork>& work,
                   const PipelinePace& pace) {
  const models::Layout& layout = costs.layout;
  const StageWork& own = work[slowest];
  const double m = layout.microbatches_per_chunk();
  const double p = layout.pp;
  const double v = layout.virtual_stages;
  Breakdown breakdown;
  breakdown[Cause::kMatrixProducts] = own.compute.matrix * m;
  breakdown[Cause::kAttention] = own.compute.attention * m;
  breakdown[Cause::kElementwise] = own.compute.elementwise * m;
  breakdown[Cause::kKernelGaps] = own.compute.gaps * m;
  breakdown[Cause::kTensorParallel] = own.calls[0] * m;
  breakdown[Cause::kExpertParallel] = own.calls[1] * m;
  breakdown[Cause::kContextParallel] = own.calls[2] * m;
  if (layout.pp > 1) {
    breakdown[Cause::kPipelineBubble] = bubble(layout, work, slowest);
    const Duration busy = own.total() + pace.blocked[slowest];
    const Duration waits = std::max(pace.loop - busy, Duration{}) * (m - 1.0);
    breakdown[Cause::kPipelineTransfer] = pace.blocked[slowest] * m + waits + pace.fill;
  }
  // The first and the last micro-batch pass the chunks of a stage with p - 1 others in between.
  const double window = ((v - 1.0) * p + 1.0) / v;
  const LayerSyncTime layer_syncs = layer_sync_time(costs);
  breakdown[Cause::kGradientReduce] =
      costs.reduces_every_microbatch
          ? layer_syncs.reduce
          : exposed(buckets_time(costs, &ParameterSync::gradient_sync, &Bucket::gradient_bytes),
                    (own.backward + own.weight) * window, costs.overlap_gradient_reduce);
  if (costs.gathers_every_pass) {
    breakdown[Cause::kParameterGather] = layer_syncs.gather;
  } else if (costs.gathers_parameters) {
    breakdown[Cause::kParameterGather] =
        exposed(buckets_time(costs, &ParameterSync::parameter_gather, &Bucket::parameter_bytes),
                own.forward * window, costs.overlap_parameter_gather);
  }
  breakdown[Cause::kOverhead] = costs.overhead;
  for (int stage = 0; stage < layout.pp; ++stage) {
    breakdown[Cause::kOptimizer] = std::max(
        breakdown[Cause::kOptimizer],
        costs.stages[static_cast<std::size_t>(stage)].optimizer / slowest_speed(costs, stage));
  }
  return breakdown;
}

}  // namespace

Breakdown estimate_step(const StepCosts& costs) {
  std::vector<StageWork> work;
  for (int stage = 0; stage < costs.layout.pp; ++stage) work.push_back(stage_work(costs, stage));
  const PipelinePace pace = pipeline_pace(costs, work);
  // The slowest stage is the one that makes the longest step, hidden collectives included: to take
  // the one with most work would let the step jump down where two stages change places.
  Breakdown longest = paced_by(0, costs, work, pace);
  for (std::size_t stage = 1; stage < work.size(); ++stage) {
    const Breakdown breakdown = paced_by(stage, costs, work, pace);
    if (breakdown.total() > longest.total()) longest = breakdown;
  }
  const Duration links = link_time(costs);
  if (costs.layout.pp > 1 && links > longest.total()) {
    longest[Cause::kPipelineTransfer] += links - longest.total();
  }
  return longest;
}

Breakdown estimate_step(const CheckedScenario& checked, const topologies::Topology& topology) {
  CheckedScenario system = checked;
  int& num_nics = system.scenario.cluster.node.nics.count;
  Breakdown best;
  for (const int most = num_nics; num_nics >= 1; --num_nics) {
    if (!topologies::find_problems(system.scenario.cluster.node).empty()) continue;
    const auto built = topology.build(system.scenario.cluster);
    const Breakdown breakdown = estimate_step(step_costs(system, built.fabric));
    if (num_nics == most || breakdown.total() < best.total()) best = breakdown;
  }
  return best;
}

}  // namespace railwright::planner
