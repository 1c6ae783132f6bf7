// SPDX-License-Identifier: Apache-2.0
#include "few_replicas.hpp"

#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "layer_passes.hpp"
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
  FewReplicas(const CheckedScenario& checked, const core::Fabric& fabric,
              const std::vector<double>& capacity, std::vector<int> replicas)
      : checked_(checked), fabric_(fabric), capacity_(capacity), replicas_(std::move(replicas)) {}

  [[nodiscard]] int num_replicas() const override { return static_cast<int>(replicas_.size()); }
  [[nodiscard]] std::vector<double> capacity() const override { return capacity_; }
  [[nodiscard]] std::vector<double> speeds() const override { return {}; }

  [[nodiscard]] std::array<GroupCalls, kNumLayerCalls> calls() const override {
    auto calls =
        layer_calls(checked_.scenario, checked_.layout, fabric_, replicas_, Parts::kJoined);
    for (GroupCalls& one : calls) one.circles.clear();
    return calls;
  }

  [[nodiscard]] CollectiveFlow send(const StageSend& send, double bytes) const override {
    StageSend of_one = send;
    of_one.replica = replicas_[static_cast<std::size_t>(send.replica)];
    std::vector<int> tensors(static_cast<std::size_t>(checked_.layout.tp));
    std::iota(tensors.begin(), tensors.end(), 0);
    return send_flow(checked_, fabric_, of_one, bytes, tensors);
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
  const std::vector<double>& capacity_;
  std::vector<int> replicas_;
};

/// One replica whose calls and sends are free.
class SyncsAlone final : public FewReplicas {
 public:
  SyncsAlone(const CheckedScenario& checked, const core::Fabric& fabric,
             const std::vector<double>& capacity)
      : FewReplicas(checked, fabric, capacity, {0}) {}

  [[nodiscard]] std::array<GroupCalls, kNumLayerCalls> calls() const override { return {}; }
  [[nodiscard]] CollectiveFlow send(const StageSend& /*send*/, double /*bytes*/) const override {
    return {};
  }
};

template <class Use>
void for_each_flow(StepCosts& costs, const Use& use) {
  const auto each = [&](std::vector<CollectiveFlow>& flows) {
    for (CollectiveFlow& flow : flows) use(flow);
  };
  for (GroupCalls& calls : costs.calls) each(calls.flows);
  each(costs.send_forward);
  each(costs.send_backward);
  for (StageCosts& stage : costs.stages) {
    for (ParameterSync& sync : stage.syncs) {
      use(sync.gradient_sync);
      use(sync.parameter_gather);
    }
  }
}

/// Numbers the links that carry anything in their order, and drops the others: what is made of the
/// costs walks over all links again and again, and a few replicas use a few of them.
StepCosts on_used_links(StepCosts costs) {
  std::vector<core::LinkId> number(costs.capacity.size(), -1);
  for_each_flow(costs, [&](const CollectiveFlow& flow) {
    for (const core::LinkUse& use : flow.route) number[static_cast<std::size_t>(use.link)] = 0;
  });
  std::vector<double> capacity;
  for (std::size_t link = 0; link < number.size(); ++link) {
    if (number[link] < 0) continue;
    number[link] = static_cast<core::LinkId>(capacity.size());
    capacity.push_back(costs.capacity[link]);
  }
  costs.capacity = std::move(capacity);
  for_each_flow(costs, [&](CollectiveFlow& flow) {
    for (core::LinkUse& use : flow.route) use.link = number[static_cast<std::size_t>(use.link)];
  });
  return costs;
}

}  // namespace

StepCosts least_costs(const CheckedScenario& checked, const core::Fabric& fabric,
                      const std::vector<double>& capacity) {
  return on_used_links(
      costs_with(checked, FewReplicas(checked, fabric, capacity, first_circle(checked.layout))));
}

std::array<core::Duration, kNumLayerCalls> longest_least_calls(const StepCosts& costs) {
  StepCosts of_one;
  of_one.capacity = costs.capacity;
  of_one.calls = costs.calls;
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  for (const LayerCall call : {LayerCall::kExpert, LayerCall::kContext}) {
    auto& flows = of_one.calls[static_cast<std::size_t>(call)].flows;
    for (std::size_t group = 0; group < flows.size(); ++group) {
      if (group % n > 0) flows[group] = {};
    }
  }
  return longest_calls(of_one);
}

StepCosts costs_of_syncs(const CheckedScenario& checked, const core::Fabric& fabric,
                         const std::vector<double>& capacity) {
  return on_used_links(costs_with(checked, SyncsAlone(checked, fabric, capacity)));
}

}  // namespace railwright::simulation
