// SPDX-License-Identifier: Apache-2.0
#include "few_replicas.hpp"

#include <set>
#include <utility>
#include <vector>

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/rank_groups.hpp"
#include "step_transfers.hpp"

namespace railwright::simulation {

namespace {

using models::CollectiveFlow;
using models::Layout;

std::vector<int> first_circle(const Layout& layout) {
  std::set<int> replicas;
  for (int replica = 0; replica < layout.cp; ++replica) replicas.insert(replica);
  if (layout.ep > 1) {
    const std::vector<std::int32_t> circles = expert_circles(layout);
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      if (circles[static_cast<std::size_t>(replica)] == circles.front()) replicas.insert(replica);
    }
  }
  return {replicas.begin(), replicas.end()};
}

class FewReplicas : public StepTransfers {
 public:
  FewReplicas(const CheckedScenario& checked, const core::Fabric& fabric, std::vector<int> replicas)
      : checked_(checked), fabric_(fabric), replicas_(std::move(replicas)) {}

  [[nodiscard]] int num_replicas() const override { return static_cast<int>(replicas_.size()); }
  [[nodiscard]] std::vector<double> capacity() const override {
    return link_capacities(checked_.scenario, fabric_);
  }
  [[nodiscard]] std::vector<double> speeds() const override { return {}; }

  [[nodiscard]] std::array<GroupCalls, kNumLayerCalls> calls() const override {
    auto calls = layer_calls(checked_.scenario, checked_.layout, fabric_, replicas_);
    for (GroupCalls& one : calls) one.circles.clear();
    return calls;
  }

  [[nodiscard]] CollectiveFlow send(const StageSend& send, double bytes) const override {
    StageSend of_one = send;
    of_one.replica = replicas_[static_cast<std::size_t>(send.replica)];
    return send_flow(checked_, fabric_, of_one, bytes);
  }

  [[nodiscard]] ParameterSync sync(const SyncKey& key, double bucket_bytes) const override {
    const std::vector<SyncCall> calls =
        sync_calls(checked_.scenario, checked_.layout, key.stage, key.of_experts);
    std::vector<CollectiveFlow> flows;
    for (const SyncCall& call : calls) {
      const models::Communicator group(fabric_, call.groups.front(),
                                       checked_.scenario.software.collectives);
      flows.push_back(sync_flow(group, call, bucket_bytes));
    }
    return joined(calls, flows);
  }

 private:
  const CheckedScenario& checked_;
  const core::Fabric& fabric_;
  std::vector<int> replicas_;
};

/// One replica whose calls and sends are free.
class SyncsAlone final : public FewReplicas {
 public:
  SyncsAlone(const CheckedScenario& checked, const core::Fabric& fabric)
      : FewReplicas(checked, fabric, {0}) {}

  [[nodiscard]] std::array<GroupCalls, kNumLayerCalls> calls() const override { return {}; }
  [[nodiscard]] CollectiveFlow send(const StageSend& /*send*/, double /*bytes*/) const override {
    return {};
  }
};

}  // namespace

StepCosts least_costs(const CheckedScenario& checked, const core::Fabric& fabric) {
  return costs_with(checked, FewReplicas(checked, fabric, first_circle(checked.layout)));
}

StepCosts costs_of_syncs(const CheckedScenario& checked, const core::Fabric& fabric) {
  return costs_with(checked, SyncsAlone(checked, fabric));
}

}  // namespace railwright::simulation
