// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/estimate/estimate.hpp"

#include <algorithm>
#include <numeric>

namespace railwright::planner {

namespace {

using core::Duration;

/// What a stage does for one micro-batch, all its chunks together.
struct StageWork {
  models::ComputeCost compute;
  Duration tensor_parallel;
  Duration forward;  ///< part of the total
  Duration backward;

  [[nodiscard]] Duration total() const { return compute.total() + tensor_parallel; }
};

Duration bytes_time(const models::CollectiveFlow& flow, double bytes,
                    const std::vector<double>& capacity) {
  return models::isolated_time({.route = flow.route, .latency = {}}, bytes, capacity);
}

StageWork stage_work(const StepCosts& costs, int stage) {
  const StageCosts& stage_costs = costs.stages[static_cast<std::size_t>(stage)];
  // Replicas differ only in where their tensor-parallel groups sit; the slowest counts.
  Duration per_byte;
  for (int data = 0; data < costs.layout.dp; ++data) {
    per_byte = std::max(
        per_byte, bytes_time(costs.tensor_flows[costs.group(stage, data)], 1.0, costs.capacity));
  }
  StageWork work;
  const auto add = [&](const LayerPass& pass, Duration& direction) {
    const Duration communication =
        per_byte * static_cast<double>(pass.tensor_bytes) + pass.tensor_latency;
    work.compute += pass.compute;
    work.tensor_parallel += communication;
    direction += pass.compute.total() + communication;
  };
  for (const LayerPass& pass : stage_costs.forward) add(pass, work.forward);
  for (const LayerPass& pass : stage_costs.backward) add(pass, work.backward);
  return work;
}

/// Seconds a byte that every stage's collective puts on the busiest link, all of them at once.
Duration shared_time_per_byte(const StepCosts& costs, models::CollectiveFlow StageCosts::* flow) {
  std::vector<models::CollectiveFlow> flows;
  for (const StageCosts& stage : costs.stages) flows.push_back(stage.*flow);
  return bytes_time(models::merge(flows), 1.0, costs.capacity);
}

struct CollectiveTime {
  Duration all;   ///< all buckets one after another
  Duration last;  ///< the one that nothing can hide
};

CollectiveTime buckets_time(const StepCosts& costs, models::CollectiveFlow StageCosts::* flow,
                            std::int64_t Bucket::* bytes) {
  const Duration per_byte = shared_time_per_byte(costs, flow);
  CollectiveTime longest;
  for (const StageCosts& stage : costs.stages) {
    CollectiveTime time;
    for (const Bucket& bucket : stage.buckets) {
      time.last = (stage.*flow).latency + per_byte * static_cast<double>(bucket.*bytes);
      time.all += time.last;
    }
    longest.all = std::max(longest.all, time.all);
    longest.last = std::max(longest.last, time.last);
  }
  return longest;
}

/// What is left of a collective behind a pass of length `window`.
Duration exposed(const CollectiveTime& time, Duration window, bool overlaps) {
  if (!overlaps || time.all == Duration{}) return time.all;
  return std::max(time.last, time.all - window);
}

/// Longest transfer to a neighbouring stage, both directions together.
Duration round_trip(const StepCosts& costs) {
  const auto longest = [&](const std::vector<models::CollectiveFlow>& flows) {
    Duration time;
    for (const auto& flow : flows) {
      time = std::max(
          time, models::isolated_time(flow, static_cast<double>(costs.send_bytes), costs.capacity));
    }
    return time;
  };
  return longest(costs.send_forward) + longest(costs.send_backward);
}

/// Transfers that stand in the way of a stage's passes, besides those that fill the pipeline.
Duration steady_transfers(const StepCosts& costs) {
  const models::Layout& layout = costs.layout;
  const double passes = static_cast<double>(layout.num_microbatches) * layout.virtual_stages;
  if (!costs.overlap_pipeline) return round_trip(costs) * passes;
  // Plain 1F1B keeps as many micro-batches in flight as there are stages between here and the end,
  // so a round trip is waited for; interleaving keeps more.
  if (layout.virtual_stages > 1) return {};
  return round_trip(costs) * (passes * (layout.pp - 1) / layout.pp);
}

}  // namespace

Breakdown estimate_step(const StepCosts& costs) {
  const models::Layout& layout = costs.layout;
  std::vector<StageWork> work;
  for (int stage = 0; stage < layout.pp; ++stage) work.push_back(stage_work(costs, stage));
  const auto slowest =
      std::ranges::max_element(work, {}, [](const StageWork& w) { return w.total().base(); });

  Breakdown breakdown;
  const double num_microbatches = layout.num_microbatches;
  breakdown[Cause::kMatrixProducts] = slowest->compute.matrix * num_microbatches;
  breakdown[Cause::kAttention] = slowest->compute.attention * num_microbatches;
  breakdown[Cause::kElementwise] = slowest->compute.elementwise * num_microbatches;
  breakdown[Cause::kKernelGaps] = slowest->compute.gaps * num_microbatches;
  breakdown[Cause::kTensorParallel] = slowest->tensor_parallel * num_microbatches;
  if (layout.pp > 1) {
    Duration fill;
    for (const StageWork& w : work) fill += w.total() / layout.virtual_stages;
    breakdown[Cause::kPipelineBubble] = fill - slowest->total() / layout.virtual_stages;
    breakdown[Cause::kPipelineTransfer] =
        steady_transfers(costs) + round_trip(costs) * static_cast<double>(layout.pp - 1);
  }
  const double chunk = 1.0 / layout.virtual_stages;
  breakdown[Cause::kGradientReduce] =
      exposed(buckets_time(costs, &StageCosts::gradient_sync, &Bucket::gradient_bytes),
              slowest->backward * chunk, costs.overlap_gradient_reduce);
  if (costs.gathers_parameters) {
    breakdown[Cause::kParameterGather] =
        exposed(buckets_time(costs, &StageCosts::parameter_gather, &Bucket::parameter_bytes),
                slowest->forward * chunk, costs.overlap_parameter_gather);
  }
  for (const StageCosts& stage : costs.stages) {
    breakdown[Cause::kOptimizer] = std::max(breakdown[Cause::kOptimizer], stage.optimizer);
  }
  return breakdown;
}

Breakdown estimate_step(const CheckedScenario& checked, const topologies::Topology& topology) {
  CheckedScenario system = checked;
  int& num_nics = system.scenario.cluster.node.nics.count;
  Breakdown best;
  for (const int most = num_nics; num_nics >= 1; --num_nics) {
    const auto built = topology.build(system.scenario.cluster);
    const Breakdown breakdown = estimate_step(step_costs(system, built.fabric));
    if (num_nics == most || breakdown.total() < best.total()) best = breakdown;
  }
  return best;
}

}  // namespace railwright::planner
