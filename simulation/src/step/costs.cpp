// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/costs.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "buckets.hpp"
#include "layer_passes.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/models/compute/orthogonalization.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/offload/offload.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "step_transfers.hpp"

namespace railwright::simulation {

namespace {

using models::CollectiveFlow;
using models::Layout;

using core::index;

/// Returns the passes of the layer or block in a place; empty if the place has none.
LayerPasses::PerPass passes_of(const CheckedScenario& checked, const LayerPasses& passes, int stage,
                               int place) {
  const auto layer = checked.layout.layer_at(stage, place);
  if (!layer) return {};
  const auto* transformer = std::get_if<models::Transformer>(&checked.scenario.workload.model);
  if (transformer == nullptr) return passes.blocks[static_cast<std::size_t>(*layer)];
  const auto kind = static_cast<std::size_t>(models::layer_kind(*transformer, *layer));
  const bool is_kept = checked.scenario.software.is_kept(place % checked.layout.layers_per_chunk);
  const LayerPasses::PerPass& both = (is_kept ? passes.kept_layers : passes.layers)[kind];
  if (!models::is_frozen_layer(checked.scenario.workload, *layer)) return both;
  return {.forward = both.forward, .backward = {}, .weight = {}};
}

/// Adds the passes through the places of a stage.
void add_passes(const CheckedScenario& checked, const LayerPasses& passes, int stage,
                StageCosts& costs) {
  const Layout& layout = checked.layout;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const LayerPasses::PerPass both = passes_of(checked, passes, stage, place);
    costs.forward.push_back(both.forward);
    costs.backward.push_back(both.backward);
    if (layout.schedule->splits_backward) costs.weight.push_back(both.weight);
  }
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    const std::size_t first =
        static_cast<std::size_t>(chunk) * static_cast<std::size_t>(layout.layers_per_chunk);
    const std::size_t last = first + static_cast<std::size_t>(layout.layers_per_chunk) - 1;
    const bool is_first = layout.is_first_chunk(stage, chunk);
    const bool is_last = layout.is_last_chunk(stage, chunk);
    costs.forward[first] += is_first ? passes.embedding.forward : passes.share_gather;
    if (is_first) costs.backward[first] += passes.embedding.backward;
    if (!is_last) {
      costs.backward[last] += passes.share_gather;
      continue;
    }
    for (const LayerPasses::PerPass* behind : {&passes.mtp, &passes.head}) {
      costs.forward[last] += behind->forward;
      costs.backward[last] += behind->backward;
      if (!costs.weight.empty()) costs.weight[last] += behind->weight;
    }
  }
}

/// Returns a chunk's forward pass together with the other chunk's whole backward pass.
LayerPass together(const Layout& layout, const StageCosts& costs, int forward_chunk) {
  LayerPass sum = sum_of_chunk(costs.forward, layout, forward_chunk);
  sum += sum_of_chunk(costs.backward, layout, 1 - forward_chunk);
  sum += sum_of_chunk(costs.weight, layout, 1 - forward_chunk);
  return sum;
}

bool offloads(const models::Offload& offload) { return offload.optimizer || offload.parameters; }

/// Limits a collective by the tier that gradients go to or parameters come from while it runs: each
/// accelerator of a node moves its shard of the buffer, and all of them share `rate`.
void limit(CollectiveFlow& flow, core::Bandwidth rate, double num_accelerators, int num_shards) {
  flow.ceiling = std::min(flow.ceiling, rate.base() / num_accelerators * num_shards);
}

void limit_by_tiers(const Scenario& scenario, const Layout& layout, bool of_experts,
                    ParameterSync& sync) {
  const models::Offload& offload = scenario.software.offload;
  const core::ComputeNode& compute_node = scenario.cluster.node;
  const double num_accelerators = compute_node.num_accelerators.value;
  const int num_shards =
      scenario.software.zero_stage.value == 0 ? 1 : models::zero_group(layout, of_experts);
  if (offload.optimizer) {
    limit(sync.gradient_sync, models::send_rate(*offload.optimizer, compute_node), num_accelerators,
          num_shards);
  }
  if (offload.parameters) {
    limit(sync.parameter_gather, models::stream_rate(*offload.parameters, compute_node),
          num_accelerators, num_shards);
  }
}

/// Adds the collectives that keep replicas identical and the transfers to tiers and back, of dense
/// parameters and of experts.
void add_syncs(const CheckedScenario& checked, const StepTransfers& transfers, int stage,
               StageCosts& costs) {
  const Scenario& scenario = checked.scenario;
  const Layout& layout = checked.layout;
  // The first half of the stages also stands for its mirror image.
  if (stage >= layout.pp / layout.num_directions()) return;
  const auto held = models::parameters_by_layer(scenario.workload.model, layout, stage);
  const auto trained = models::trained_by_layer(scenario.workload, layout, stage);
  const auto of = [](const std::vector<models::ShardParameters>& places, bool experts) {
    std::vector<double> parameters;
    for (const auto& place : places) parameters.push_back(experts ? place.expert : place.dense);
    return parameters;
  };
  const core::DataSize bucket_size =
      scenario.software.bucket_among(layout.num_parameter_replicas());
  for (const bool of_experts : {false, true}) {
    const bool is_alone =
        (of_experts ? layout.num_expert_replicas() : layout.num_parameter_replicas()) == 1;
    if (is_alone && !offloads(scenario.software.offload)) continue;
    auto buckets = make_buckets(of(trained, of_experts), of(held, of_experts), scenario.software,
                                layout.pp, bucket_size);
    if (buckets.empty()) continue;
    double largest = 0.0;
    for (const Bucket& bucket : buckets) {
      const auto bytes = std::max(bucket.gradient_bytes, bucket.parameter_bytes);
      largest = std::max(largest, static_cast<double>(bytes) / bucket.num_calls);
    }
    const double size = cuts_by_layer(scenario.software, layout.pp) ? largest : bucket_size.base();
    ParameterSync sync = is_alone ? ParameterSync{} : transfers.sync({stage, of_experts}, size);
    limit_by_tiers(scenario, layout, of_experts, sync);
    sync.buckets = std::move(buckets);
    sync.of_experts = of_experts;
    if (!is_alone) sync.bucket_bytes = size;
    costs.syncs.push_back(std::move(sync));
  }
}

/// Parameters whose optimizer state is on one rank.
double optimized_parameters(const CheckedScenario& checked, int stage) {
  return models::on_one_rank(
      models::sum(models::trained_by_layer(checked.scenario.workload, checked.layout, stage)),
      checked.layout, checked.scenario.software.zero_stage.value >= 1);
}

/// Returns the time in which the fullest rank of a stage orthogonalizes its matrices.
core::Duration orthogonalization_time(const CheckedScenario& checked, int stage) {
  const Scenario& scenario = checked.scenario;
  const models::Orthogonalization all = models::orthogonalization_of_stage(
      scenario.running_accelerator(), scenario.workload, checked.layout, scenario.software, stage);
  return models::on_fullest_rank(all, checked.layout, scenario.software.zero_stage.value >= 1) /
         compute_efficiency(scenario);
}

/// Returns the time of an optimizer step. Accelerators update the state they hold, and the node's
/// processors the state in a tier.
core::Duration optimizer_time(const CheckedScenario& checked, const models::ComputeModel& compute,
                              int stage) {
  const models::SoftwareProfile& software = checked.scenario.software;
  const core::ComputeNode& compute_node = checked.scenario.cluster.node;
  const double of_rank = optimized_parameters(checked, stage);
  const double of_node = of_rank * compute_node.num_accelerators.value;
  const models::StateBytes bytes = models::state_bytes(software);
  if (software.offload.optimizer) {
    return models::offloaded_step_time(software.offload, bytes, of_node, compute_node);
  }
  const core::Duration step =
      compute.optimizer_time(of_rank) + orthogonalization_time(checked, stage);
  if (!software.offload.parameters) return step;
  return step + core::DataSize::from_base(bytes.weight * of_node) /
                    models::write_rate(*software.offload.parameters, compute_node);
}

/// Adds the transfers from each stage to the next and to the previous one.
void add_sends(const StepTransfers& transfers, StepCosts& costs) {
  const Layout& layout = costs.layout;
  if (layout.pp == 1) return;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int replica = 0; replica < costs.num_replicas; ++replica) {
      core::check_stop();
      const auto send_to = [&](int to) {
        // Only interleaved chunks continue from the last stage to the first.
        if (std::abs(to - stage) > 1 && layout.virtual_stages == 1) return CollectiveFlow{};
        return transfers.send({replica, stage, to}, static_cast<double>(costs.send_bytes));
      };
      costs.send_forward.push_back(send_to((stage + 1) % layout.pp));
      costs.send_backward.push_back(send_to((stage + layout.pp - 1) % layout.pp));
    }
  }
}

}  // namespace

std::array<core::Duration, kNumLayerCalls> longest_calls(const StepCosts& costs) {
  std::array<core::Duration, kNumLayerCalls> longest{};
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    const GroupCalls& calls = costs.calls[call];
    for (const CollectiveFlow& flow : calls.flows) {
      longest[call] =
          std::max(longest[call],
                   models::isolated_time(flow, static_cast<double>(calls.bytes), costs.capacity));
    }
  }
  return longest;
}

LayerPass& LayerPass::operator+=(const LayerPass& other) {
  compute += other.compute;
  waiting_calls += other.waiting_calls;
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    calls[call] += other.calls[call];
    beside[call] += other.beside[call];
  }
  return *this;
}

LayerPass sum_of_chunk(const std::vector<LayerPass>& places, const Layout& layout, int chunk) {
  LayerPass sum;
  const auto num_places = static_cast<std::size_t>(layout.layers_per_chunk);
  const std::size_t first = static_cast<std::size_t>(chunk) * num_places;
  for (std::size_t i = first; i < first + num_places; ++i) sum += places[i];
  return sum;
}

double link_capacity(const Scenario& scenario, const core::Link& link) {
  const double factor =
      link.tier == core::Tier::kInjection ? scenario.installation.nic_efficiency.value : 1.0;
  return link.bandwidth.base() * factor;
}

std::vector<double> link_capacities(const Scenario& scenario, const core::Fabric& fabric) {
  std::vector<double> capacity;
  capacity.reserve(fabric.links().size());
  for (const core::Link& link : fabric.links()) capacity.push_back(link_capacity(scenario, link));
  return capacity;
}

StepCosts step_costs(const CheckedScenario& checked, const core::Fabric& fabric) {
  return costs_with(checked, EveryReplica(checked, fabric));
}

StepCosts costs_with(const CheckedScenario& checked, const StepTransfers& transfers) {
  const Scenario& scenario = checked.scenario;
  const Layout& layout = checked.layout;
  const auto& software = scenario.software;

  StepCosts costs;
  costs.layout = layout;
  costs.num_replicas = transfers.num_replicas();
  costs.has_replicas = layout.num_parameter_replicas() > 1 || offloads(software.offload);
  costs.gathers_parameters = costs.has_replicas && software.zero_stage.value >= 1;
  costs.gathers_every_pass =
      costs.has_replicas && software.zero_stage.value == 3 && software.reshard_after_forward.value;
  costs.reduces_every_microbatch =
      costs.has_replicas && software.reduces_every_microbatch(software.zero_stage.value, layout.pp);
  costs.overlap_gradient_reduce = software.overlap_gradient_reduce.value;
  costs.overlap_parameter_gather = software.overlap_parameter_gather.value;
  costs.overlap_pipeline = software.overlap_pipeline.value;
  costs.overlap_slowdown = software.overlap_slowdown.value;
  costs.overhead = software.step_overhead.value;
  costs.capacity = transfers.capacity();
  costs.speeds = transfers.speeds();
  costs.calls = transfers.calls();
  const bool sends_shares = layout.sequence_parallel || software.scatter_pipeline.value;
  costs.send_bytes = costs.calls[index(LayerCall::kTensor)].bytes / (sends_shares ? layout.tp : 1);
  add_sends(transfers, costs);

  const models::ComputeModel compute(scenario.running_accelerator(), scenario.workload, layout,
                                     software, compute_efficiency(scenario));
  LayerPasses passes = layer_passes(scenario, layout, compute);
  const Overlaps overlaps(software, layout);
  const auto one_call = longest_calls(costs);
  for (auto* layers : {&passes.layers, &passes.kept_layers}) {
    for (LayerPasses::PerPass& layer : *layers) {
      overlaps.apply(one_call, layer.forward);
      overlaps.apply(one_call, layer.backward);
    }
  }
  overlaps.apply(one_call, passes.mtp.forward);
  overlaps.apply(one_call, passes.mtp.backward);
  for (int stage = 0; stage < layout.pp; ++stage) {
    StageCosts stage_costs;
    add_passes(checked, passes, stage, stage_costs);
    for (int chunk = 0; layout.num_directions() == 2 && chunk < 2; ++chunk) {
      stage_costs.together.push_back(together(layout, stage_costs, chunk));
      overlaps.run_together(one_call, stage_costs.together.back());
    }
    add_syncs(checked, transfers, stage, stage_costs);
    stage_costs.optimizer =
        optimizer_time(checked, compute, stage) +
        compute.weight_cast_time(
            models::parameters_in_layers(scenario.workload.model, layout, stage).total());
    costs.stages.push_back(std::move(stage_costs));
  }
  return costs;
}

}  // namespace railwright::simulation
