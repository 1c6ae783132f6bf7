// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/step/costs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "buckets.hpp"
#include "flows.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::planner {

namespace {

using models::CollectiveFlow;
using models::Layout;

std::size_t index(LayerCall call) { return static_cast<std::size_t>(call); }

/// How many calls a layer's forward pass makes.
struct CallCounts {
  double tensor = 0.0;
  double expert = 0.0;
  double context = 0.0;
};

/// An all-reduce behind attention and one behind each further block [@narayanan2021megatron]. With
/// experts on several ranks tokens are sent to them and back, and where an expert is cut over
/// tensor-parallel ranks these gather and reduce top_k copies of each token. [@megatron_core_moe]
CallCounts calls_of_layer(const models::Transformer& model, const Layout& layout,
                          models::LayerKind kind) {
  CallCounts calls;
  if (layout.cp > 1) calls.context = 1.0;
  if (layout.tp > 1) calls.tensor = models::num_blocks(kind);
  if (kind != models::LayerKind::kExperts || layout.ep == 1) return calls;
  calls.expert = 2.0;
  if (layout.tp > 1) {
    calls.tensor = 1.0 + (layout.etp > 1 ? model.experts->top_k : 0) +
                   (model.experts->shared_ffn_size > 0 ? 1.0 : 0.0);
  }
  return calls;
}

/// Builds the passes through the places of stages.
class PassCosts {
 public:
  PassCosts(const CheckedScenario& checked, const models::ComputeModel& compute,
            const StepCosts& costs)
      : model_(checked.scenario.workload.model),
        software_(checked.scenario.software),
        layout_(checked.layout),
        compute_(compute) {
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      const GroupCalls& calls = costs.calls[call];
      for (const CollectiveFlow& flow : calls.flows) {
        slowest_[call] =
            std::max(slowest_[call],
                     models::isolated_time(flow, static_cast<double>(calls.bytes), costs.capacity));
      }
    }
  }

  void add_to(StageCosts& costs, int stage) const {
    for (int place = 0; place < layout_.layers_per_stage(); ++place) {
      const auto layer = layout_.layer_at(stage, place);
      costs.forward.push_back(layer ? forward(models::layer_kind(model_, *layer)) : LayerPass{});
      costs.backward.push_back(layer ? backward(models::layer_kind(model_, *layer)) : LayerPass{});
    }
    const double all_reduce =
        layout_.tp > 1 ? 1.0 : 0.0;  // Gathering shares that arrive is half an all-reduce.
    if (layout_.tp > 1 && !layout_.sequence_parallel && software_.scatter_pipeline.value) {
      for (int chunk = 0; chunk < layout_.virtual_stages; ++chunk) {
        const auto first = static_cast<std::size_t>(chunk * layout_.layers_per_chunk);
        const std::size_t last = first + static_cast<std::size_t>(layout_.layers_per_chunk) - 1;
        if (stage + chunk > 0) costs.forward[first] += plain({}, 0.5);
        const bool is_end = stage + 1 == layout_.pp && chunk + 1 == layout_.virtual_stages;
        if (!is_end) costs.backward[last] += plain({}, 0.5);
      }
    }
    if (stage == 0) {
      costs.forward.front() += plain(compute_.embedding().forward, all_reduce);
      costs.backward.front() += plain(compute_.embedding().backward, 0.0);
    }
    if (stage == layout_.pp - 1) {
      costs.forward.back() += plain(compute_.head().forward, 0.0);
      costs.backward.back() += plain(compute_.head().backward, all_reduce);
    }
  }

 private:
  static LayerPass plain(const models::ComputeCost& compute, double num_all_reduces) {
    LayerPass pass{.compute = compute};
    pass.calls[index(LayerCall::kTensor)] = num_all_reduces;
    return pass;
  }

  [[nodiscard]] LayerPass forward(models::LayerKind kind) const {
    return pass_of(compute_.layer(kind).forward, calls_of_layer(model_, layout_, kind));
  }

  /// Gradients take the same ways as activations; round the ring go keys and values and their
  /// gradients. What is computed again calls again.
  [[nodiscard]] LayerPass backward(models::LayerKind kind) const {
    CallCounts calls = calls_of_layer(model_, layout_, kind);
    const double passes = software_.recompute.value == models::Recompute::kFull ? 2.0 : 1.0;
    calls.tensor *= passes;
    calls.expert *= passes;
    calls.context *= passes + 1.0;
    return pass_of(compute_.layer(kind).backward, calls);
  }

  [[nodiscard]] LayerPass pass_of(const models::ComputeCost& compute,
                                  const CallCounts& calls) const {
    LayerPass pass{.compute = compute, .calls = {calls.tensor, calls.expert, calls.context}};
    if (software_.overlap_tensor_parallel.value && layout_.sequence_parallel) {
      // The first of tp pieces has nothing to go along with.
      lay_beside(LayerCall::kTensor, {.matrix = compute.matrix * (1.0 - 1.0 / layout_.tp)}, pass);
    }
    if (software_.overlap_context_parallel.value) {
      lay_beside(LayerCall::kContext, {.attention = compute.attention * (1.0 - 1.0 / layout_.cp)},
                 pass);
    }
    return pass;
  }

  /// Computation is slower while a call goes along with it.
  void lay_beside(LayerCall call, models::ComputeCost part, LayerPass& pass) const {
    const std::size_t i = index(call);
    if (pass.calls[i] == 0.0 || part.total() == core::Duration{}) return;
    const core::Duration together = std::min(slowest_[i] * pass.calls[i], part.total());
    const double slower = (software_.overlap_slowdown.value - 1.0) * (together / part.total());
    pass.compute += part * slower;
    pass.beside[i] = part * (1.0 + slower);
  }

  const models::Transformer& model_;
  const models::SoftwareProfile& software_;
  const Layout& layout_;
  const models::ComputeModel& compute_;
  std::array<core::Duration, kNumLayerCalls> slowest_{};
};

/// What keeps replicas alike, of dense parameters and of experts.
void add_syncs(const CheckedScenario& checked, const core::Fabric& fabric, int stage,
               StageCosts& costs) {
  const Scenario& scenario = checked.scenario;
  const Layout& layout = checked.layout;
  const auto held = models::parameters_by_layer(scenario.workload.model, layout, stage);
  const auto trained = models::trained_by_layer(scenario.workload, layout, stage);
  const auto of = [](const std::vector<models::ShardParameters>& places, bool experts) {
    std::vector<double> parameters;
    for (const auto& place : places) parameters.push_back(experts ? place.expert : place.dense);
    return parameters;
  };
  for (const bool of_experts : {false, true}) {
    if ((of_experts ? layout.num_expert_replicas() : layout.num_replicas()) == 1) continue;
    auto buckets = make_buckets(of(trained, of_experts), of(held, of_experts), scenario.software);
    if (buckets.empty()) continue;
    double largest = 0.0;
    for (const Bucket& bucket : buckets) {
      const auto bytes = std::max(bucket.gradient_bytes, bucket.parameter_bytes);
      largest = std::max(largest, static_cast<double>(bytes) / bucket.num_calls);
    }
    const double size =
        cuts_by_layer(scenario.software) ? largest : scenario.software.bucket.value.base();
    ParameterSync sync = sync_flows(scenario, layout, fabric, stage, of_experts, size);
    sync.buckets = std::move(buckets);
    costs.syncs.push_back(std::move(sync));
  }
}

/// Parameters whose optimizer state is on one rank.
double optimized_parameters(const CheckedScenario& checked, int stage) {
  const auto parameters =
      models::sum(models::trained_by_layer(checked.scenario.workload, checked.layout, stage));
  if (checked.scenario.software.zero_stage.value == 0) return parameters.total();
  return models::on_one_shard(parameters, checked.layout);
}

/// The speed of the slowest node of each tensor-parallel group; empty where no node is slow.
std::vector<double> group_speeds(const topologies::Faults& faults, const core::Fabric& fabric,
                                 const Layout& layout) {
  if (faults.nodes_slow.empty()) return {};
  std::vector<double> of_node(static_cast<std::size_t>(fabric.num_nodes()), 1.0);
  for (const topologies::SlowNode& slow : faults.nodes_slow) {
    double& speed = of_node.at(static_cast<std::size_t>(slow.node));
    speed = std::min(speed, slow.speed);
  }
  std::vector<double> speeds;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      double slowest = 1.0;
      for (int tensor = 0; tensor < layout.tp; ++tensor) {
        const int node = fabric.endpoint(layout.accelerator(tensor, replica, stage)).node;
        slowest = std::min(slowest, of_node[static_cast<std::size_t>(node)]);
      }
      speeds.push_back(slowest);
    }
  }
  return speeds;
}

/// Transfers from each stage to the next and to the one before it.
void add_sends(const CheckedScenario& checked, const core::Fabric& fabric, StepCosts& costs) {
  const Layout& layout = checked.layout;
  if (layout.pp == 1) return;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      const auto send_to = [&](int to) {
        // Only interleaved chunks go on from the last stage to the first.
        if (std::abs(to - stage) > 1 && layout.virtual_stages == 1) return CollectiveFlow{};
        return send_flow(checked.scenario, layout, fabric, replica, stage, to,
                         static_cast<double>(costs.send_bytes));
      };
      costs.send_forward.push_back(send_to((stage + 1) % layout.pp));
      costs.send_backward.push_back(send_to((stage + layout.pp - 1) % layout.pp));
    }
  }
}

/// The efficiency with which all of a step is computed: of site and stack, and of the slowest node
/// by chance. The largest of n normal deviates is about sqrt(2 ln n). [@david2003order]
double compute_efficiency(const Scenario& scenario) {
  const double slowest = std::sqrt(2.0 * std::log(scenario.cluster.num_nodes));
  return scenario.installation.compute_efficiency.value *
         scenario.software.compute_efficiency.value /
         (1.0 + scenario.software.jitter.value * slowest);
}

}  // namespace

LayerPass& LayerPass::operator+=(const LayerPass& other) {
  compute += other.compute;
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    calls[call] += other.calls[call];
    beside[call] += other.beside[call];
  }
  return *this;
}

StepCosts step_costs(const CheckedScenario& checked, const core::Fabric& fabric) {
  const Scenario& scenario = checked.scenario;
  const Layout& layout = checked.layout;
  const auto& software = scenario.software;

  StepCosts costs;
  costs.layout = layout;
  costs.num_replicas = layout.num_replicas();
  costs.has_replicas = costs.num_replicas > 1;
  costs.gathers_parameters = costs.has_replicas && software.zero_stage.value >= 1;
  costs.gathers_every_pass =
      costs.has_replicas && software.zero_stage.value == 3 && software.reshard_after_forward.value;
  costs.reduces_every_microbatch = costs.has_replicas && software.sync_every_microbatch.value;
  costs.overlap_gradient_reduce = software.overlap_gradient_reduce.value;
  costs.overlap_parameter_gather = software.overlap_parameter_gather.value;
  costs.overlap_pipeline = software.overlap_pipeline.value;
  costs.overhead = software.step_overhead.value;
  for (const core::Link& link : fabric.links()) {
    const double factor =
        link.tier == core::Tier::kInjection ? scenario.installation.nic_efficiency.value : 1.0;
    costs.capacity.push_back(link.bandwidth.base() * factor);
  }
  costs.speeds = group_speeds(scenario.cluster.faults, fabric, layout);
  costs.calls = layer_calls(scenario, layout, fabric);
  const bool sends_shares = layout.sequence_parallel || software.scatter_pipeline.value;
  costs.send_bytes = costs.calls[index(LayerCall::kTensor)].bytes / (sends_shares ? layout.tp : 1);
  add_sends(checked, fabric, costs);

  const models::ComputeModel compute(scenario.cluster.node.accelerator, scenario.workload, layout,
                                     software, compute_efficiency(scenario));
  const PassCosts passes(checked, compute, costs);
  for (int stage = 0; stage < layout.pp; ++stage) {
    StageCosts stage_costs;
    passes.add_to(stage_costs, stage);
    add_syncs(checked, fabric, stage, stage_costs);
    stage_costs.optimizer = compute.optimizer_time(optimized_parameters(checked, stage));
    costs.stages.push_back(std::move(stage_costs));
  }
  return costs;
}

}  // namespace railwright::planner
