// SPDX-License-Identifier: Apache-2.0
#include "tree.hpp"

#include <algorithm>
#include <cmath>

#include "link_loads.hpp"
#include "loads.hpp"

namespace railwright::models {

namespace {

double correction(const CollectiveTuning& tuning, CollectiveProtocol protocol, double bytes) {
  const auto& factors = protocol == CollectiveProtocol::kLL ? tuning.tree_ll_correction.value
                        : protocol == CollectiveProtocol::kLL128
                            ? tuning.tree_ll128_correction.value
                            : tuning.tree_simple_correction.value;
  const auto i = static_cast<std::size_t>(std::max(0, std::ilogb(bytes / 64.0)));
  return i + 1 < factors.size() ? factors[i] : 1.0;
}

}  // namespace

bool tree_can_run(const CollectiveTuning& /*tuning*/, const CommunicatorShape& /*shape*/,
                  CollectiveOp op) {
  return op == CollectiveOp::kAllReduce;
}

double tree_steps_inside(const CommunicatorShape& shape, CollectiveOp /*op*/) {
  return 2.0 * (shape.per_node() - 1.0);
}

core::Duration tree_latency(const CollectiveCall& call) {
  return latency_of(call.tuning.tree, call, tree_steps_inside(call.shape, call.op),
                    2.0 * call.shape.tree_depth());
}

core::Duration tree_overhead(const CollectiveCall& call) {
  // Launch and steps were measured on rings; inside a node a tree is a chain of the same steps.
  const double steps = tree_steps_inside(call.shape, call.op);
  const auto i = static_cast<std::size_t>(call.protocol);
  const AlgorithmLatency& ring = call.tuning.ring;
  const AlgorithmLatency& tree = call.tuning.tree;
  const bool scales_up = call.shape.has_scale_up;
  const core::Duration ring_step = at((scales_up ? ring.scale_up : ring.pcie).value, i);
  const core::Duration tree_step = at((scales_up ? tree.scale_up : tree.pcie).value, i);
  return overhead_of_steps(call, steps) + at(ring.base.value, i) - at(tree.base.value, i) +
         (ring_step - tree_step) * steps;
}

double tree_bandwidth(const CollectiveCall& call) {
  const CollectiveTuning& tuning = call.tuning;
  const CommunicatorShape& shape = call.shape;
  const CollectiveProtocol protocol = call.protocol;
  const AcceleratorGeneration& generation = generation_of(tuning);
  const double bus = bus_bandwidth(generation, shape);
  const double channels = channels_of_model(generation, shape);
  double bandwidth = 0.0;
  if (protocol == CollectiveProtocol::kLL) {
    bandwidth = std::min(tuning.tree_ll_share.value * bus, ll_limit(tuning, shape).base());
  } else if (protocol == CollectiveProtocol::kLL128) {
    bandwidth = std::min(bus * (shape.nodes == 1 ? 7.0 / 9.0 : 120.0 / 128.0),
                         channels * at(generation.tree_ll128.value, scale(shape)).base());
  } else {
    bandwidth = std::min(tuning.ll128_share.value * bus,
                         channels * at(generation.tree_simple.value, scale(shape)).base());
  }
  return 0.5 * bandwidth * correction(tuning, protocol, call.bytes);
}

std::vector<core::LinkUse> tree_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> /*members*/, CollectiveOp /*op*/) {
  LinkLoads loads(fabric, groups.num_connections);
  const double bytes = 1.0 / static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    for (std::size_t g = 0; g < groups.nodes.size(); ++g) {
      for (std::size_t i = 0; i + 1 < groups.nodes[g].size(); ++i) {
        const int near = groups.behind_gate(g, channel, i);
        const int far = groups.behind_gate(g, channel, i + 1);
        loads.add(far, near, channel, bytes);
        loads.add(near, far, channel, bytes);
      }
    }
  }
  add_trees_between_nodes(loads, groups);
  return loads.route();
}

void tree_limit(const CollectiveCall& call, const core::Fabric& fabric, const Groups& /*groups*/,
                CollectiveFlow& flow) {
  limit_low_latency(call, rates_alone(fabric, flow), 2.0 * call.tuning.tree_ll_share.value, 0.5,
                    flow);
}

}  // namespace railwright::models
