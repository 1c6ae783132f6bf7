// SPDX-License-Identifier: Apache-2.0
#include "step_transfers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "railwright/core/stop.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using models::CollectiveFlow;
using models::Layout;

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
      core::check_stop();
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

}  // namespace

std::vector<double> EveryReplica::capacity() const {
  return link_capacities(checked_.scenario, fabric_);
}

std::vector<double> EveryReplica::speeds() const {
  return group_speeds(checked_.scenario.cluster.faults, fabric_, checked_.layout);
}

std::array<GroupCalls, kNumLayerCalls> EveryReplica::calls() const {
  std::vector<int> replicas(static_cast<std::size_t>(num_replicas()));
  std::iota(replicas.begin(), replicas.end(), 0);
  return layer_calls(checked_.scenario, checked_.layout, Communicators(fabric_, copies_), replicas);
}

CollectiveFlow EveryReplica::send(const StageSend& send, double bytes) const {
  if (!pairs_ || pairs_->bytes() != bytes) {
    pairs_.emplace(fabric_, checked_.scenario.software.collectives, bytes);
  }
  const Layout& layout = checked_.layout;
  std::vector<std::pair<int, int>> ends;
  ends.reserve(static_cast<std::size_t>(layout.tp));
  for (int tensor = 0; tensor < layout.tp; ++tensor) {
    ends.emplace_back(layout.accelerator(tensor, send.replica, send.from),
                      layout.accelerator(tensor, send.replica, send.to));
  }
  return pairs_->together(ends);
}

ParameterSync EveryReplica::sync(const SyncKey& key, double bucket_bytes) const {
  const std::vector<SyncCall> calls =
      sync_calls(checked_.scenario, checked_.layout, key.stage, key.of_experts);
  std::vector<CollectiveFlow> flows;
  std::vector<models::Communicator> made;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const SyncCall& call = calls[i];
    // Gradients and parameters often go over the same groups.
    if (i == 0 || call.groups != calls[i - 1].groups) {
      made.clear();
      made.reserve(call.groups.size());
      for (const std::vector<int>& group : call.groups) {
        made.emplace_back(fabric_, group, checked_.scenario.software.collectives);
      }
    }
    std::vector<CollectiveFlow> of_groups;
    of_groups.reserve(made.size());
    for (const models::Communicator& group : made) {
      of_groups.push_back(sync_flow(group, call, bucket_bytes));
    }
    flows.push_back(models::merge(of_groups));
    if (syncs_ == Syncs::kKept) {
      made_[key].push_back({.call = call, .flows = std::move(of_groups)});
    }
  }
  return joined(calls, flows);
}

}  // namespace railwright::simulation
