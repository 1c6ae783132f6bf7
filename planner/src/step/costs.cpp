// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/step/costs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::planner {

namespace {

using models::CollectiveFlow;
using models::CollectiveOp;
using models::Layout;

/// Cuts the stage's parameters, met from the last layer to the first, into buckets of equal size.
std::vector<Bucket> make_buckets(const std::vector<double>& parameters,
                                 const models::SoftwareProfile& software) {
  const double gradient_bytes = software.gradient_reduce_bytes.value;
  const double parameter_bytes = software.parameter_gather_bytes.value;
  const double bucket_parameters = software.bucket.value.base() / gradient_bytes;
  std::vector<Bucket> buckets;
  double filled = 0.0;
  int last_layer = static_cast<int>(parameters.size()) - 1;
  const auto close = [&](int layer) {
    buckets.push_back({.gradient_bytes = std::llround(filled * gradient_bytes),
                       .parameter_bytes = std::llround(filled * parameter_bytes),
                       .first_layer = layer,
                       .last_layer = last_layer});
    filled = 0.0;
    last_layer = layer;
  };
  for (int layer = static_cast<int>(parameters.size()) - 1; layer >= 0; --layer) {
    double left = parameters[static_cast<std::size_t>(layer)];
    if (filled == 0.0) last_layer = layer;
    while (filled + left >= bucket_parameters) {
      left -= bucket_parameters - filled;
      filled = bucket_parameters;
      close(layer);
    }
    filled += left;
  }
  if (filled > 0.5) close(0);
  return buckets;
}

/// Collectives of the data-parallel groups of all tensor ranks of a stage, side by side: those of
/// `ops`, in their order.
std::vector<CollectiveFlow> data_parallel_flows(const core::Fabric& fabric, const Layout& layout,
                                                int stage, std::span<const CollectiveOp> ops,
                                                const models::SoftwareProfile& software) {
  std::vector<std::vector<CollectiveFlow>> by_op(ops.size());
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    std::vector<int> members;
    for (int data = 0; data < layout.dp; ++data) {
      members.push_back(layout.accelerator(tensor, data, stage));
    }
    const models::Communicator group(fabric, std::move(members), software.collectives);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      by_op[i].push_back(group.flow(ops[i], software.bucket.value.base()));
    }
  }
  std::vector<CollectiveFlow> merged;
  for (const auto& flows : by_op) merged.push_back(models::merge(flows));
  return merged;
}

/// The all-reduce of a residual stream. Sequence parallelism runs it as a reduce-scatter and an
/// all-gather of the same bytes. [@korthikanti2022reducing]
CollectiveFlow tensor_flow(const core::Fabric& fabric, const Layout& layout, int stage, int data,
                           const Scenario& scenario) {
  std::vector<int> members;
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    members.push_back(layout.accelerator(tensor, data, stage));
  }
  const models::Communicator group(fabric, std::move(members), scenario.software.collectives);
  const auto bytes = static_cast<double>(models::residual_bytes(scenario.workload));
  if (!layout.sequence_parallel) return group.flow(CollectiveOp::kAllReduce, bytes);
  return models::in_sequence(group.flow(CollectiveOp::kReduceScatter, bytes),
                             group.flow(CollectiveOp::kAllGather, bytes));
}

CollectiveFlow send_flow(const core::Fabric& fabric, const Layout& layout, int data, int from,
                         int to, double bytes, const models::SoftwareProfile& software) {
  std::vector<CollectiveFlow> flows;
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    flows.push_back(
        models::Communicator(
            fabric, {layout.accelerator(tensor, data, from), layout.accelerator(tensor, data, to)},
            software.collectives)
            .flow(CollectiveOp::kSendReceive, bytes));
  }
  return models::merge(flows);
}

/// Two all-reduces a layer and direction, one behind attention and one behind the feed-forward
/// block; one behind the embedding; one for the gradient of the head's input.
/// [@narayanan2021megatron]
void add_layer_passes(const models::Transformer& model, const Layout& layout,
                      const models::ComputeModel& compute, int stage, StageCosts& costs) {
  const auto pass = [&](const models::ComputeCost& cost, int num_all_reduces) {
    return LayerPass{.compute = cost, .num_all_reduces = layout.tp == 1 ? 0 : num_all_reduces};
  };
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer) {
      costs.forward.emplace_back();
      costs.backward.emplace_back();
      continue;
    }
    const models::LayerKind kind = models::layer_kind(model, *layer);
    const int num_all_reduces = models::num_blocks(kind);
    costs.forward.push_back(pass(compute.layer(kind).forward, num_all_reduces));
    costs.backward.push_back(pass(compute.layer(kind).backward, num_all_reduces));
  }
  if (stage == 0) {
    costs.forward.front() += pass(compute.embedding().forward, 1);
    costs.backward.front() += pass(compute.embedding().backward, 0);
  }
  if (stage == layout.pp - 1) {
    costs.forward.back() += pass(compute.head().forward, 0);
    costs.backward.back() += pass(compute.head().backward, 1);
  }
}

StageCosts stage_costs(const CheckedScenario& checked, const core::Fabric& fabric,
                       const models::ComputeModel& compute, int stage) {
  const Scenario& scenario = checked.scenario;
  const Layout& layout = checked.layout;
  StageCosts costs;
  add_layer_passes(scenario.workload.model, layout, compute, stage, costs);

  const auto& software = scenario.software;
  const bool sharded = software.zero_stage.value >= 1;
  const double parameters = models::parameters_on_rank(scenario.workload.model, layout, stage);
  costs.optimizer = compute.optimizer_time(sharded ? parameters / layout.dp : parameters);
  if (layout.dp > 1) {
    costs.buckets =
        make_buckets(models::parameters_by_layer(scenario.workload.model, layout, stage), software);
    const auto ops = sharded ? std::vector{CollectiveOp::kReduceScatter, CollectiveOp::kAllGather}
                             : std::vector{CollectiveOp::kAllReduce};
    auto flows = data_parallel_flows(fabric, layout, stage, ops, software);
    costs.gradient_sync = std::move(flows.front());
    if (sharded) costs.parameter_gather = std::move(flows.back());
  }
  return costs;
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
    for (int data = 0; data < layout.dp; ++data) {
      double slowest = 1.0;
      for (int tensor = 0; tensor < layout.tp; ++tensor) {
        const int node = fabric.endpoint(layout.accelerator(tensor, data, stage)).node;
        slowest = std::min(slowest, of_node[static_cast<std::size_t>(node)]);
      }
      speeds.push_back(slowest);
    }
  }
  return speeds;
}

}  // namespace

StepCosts step_costs(const CheckedScenario& checked, const core::Fabric& fabric) {
  const Scenario& scenario = checked.scenario;
  const Layout& layout = checked.layout;
  const auto& software = scenario.software;
  const models::ComputeModel compute(scenario.cluster.node.accelerator, scenario.workload, layout,
                                     software, scenario.installation.compute_efficiency.value);

  StepCosts costs;
  costs.layout = layout;
  costs.num_replicas = layout.dp;
  costs.gathers_parameters = layout.dp > 1 && software.zero_stage.value >= 1;
  costs.overlap_gradient_reduce = software.overlap_gradient_reduce.value;
  costs.overlap_parameter_gather = software.overlap_parameter_gather.value;
  costs.overlap_pipeline = software.overlap_pipeline.value;
  costs.tensor_bytes = models::residual_bytes(scenario.workload);
  costs.send_bytes = costs.tensor_bytes / (layout.sequence_parallel ? layout.tp : 1);
  costs.speeds = group_speeds(scenario.cluster.faults, fabric, layout);
  for (int stage = 0; stage < layout.pp; ++stage) {
    costs.stages.push_back(stage_costs(checked, fabric, compute, stage));
    for (int data = 0; data < layout.dp; ++data) {
      costs.tensor_flows.push_back(tensor_flow(fabric, layout, stage, data, scenario));
      if (layout.pp == 1) continue;
      const int next = (stage + 1) % layout.pp;
      const int previous = (stage + layout.pp - 1) % layout.pp;
      const auto send_to = [&](int to) {
        // Only interleaved chunks go on from the last stage to the first.
        if (std::abs(to - stage) > 1 && layout.virtual_stages == 1) return CollectiveFlow{};
        return send_flow(fabric, layout, data, stage, to, static_cast<double>(costs.send_bytes),
                         software);
      };
      costs.send_forward.push_back(send_to(next));
      costs.send_backward.push_back(send_to(previous));
    }
  }
  for (const core::Link& link : fabric.links()) {
    const double factor =
        link.tier == core::Tier::kInjection ? scenario.installation.nic_efficiency.value : 1.0;
    costs.capacity.push_back(link.bandwidth.base() * factor);
  }
  return costs;
}

}  // namespace railwright::planner
