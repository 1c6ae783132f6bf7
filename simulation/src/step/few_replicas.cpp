// SPDX-License-Identifier: Apache-2.0
#include "few_replicas.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "layer_passes.hpp"
#include "railwright/core/sim/plain_vector.hpp"
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

/// Lists what decides the flows of the first group of each call.
std::vector<std::uint64_t> sync_content(const std::vector<SyncCall>& calls, double bucket_bytes) {
  std::vector<std::uint64_t> content{std::bit_cast<std::uint64_t>(bucket_bytes)};
  for (const SyncCall& call : calls) {
    const std::vector<int>& members = call.groups.front();
    content.push_back(static_cast<std::uint64_t>(call.op));
    content.push_back(call.gathers_parameters ? 1 : 0);
    content.push_back(std::bit_cast<std::uint64_t>(call.share));
    content.push_back(members.size());
    content.insert(content.end(), members.begin(), members.end());
  }
  return content;
}

class FewReplicas : public StepTransfers {
 public:
  FewReplicas(const CheckedScenario& checked, const core::Fabric& fabric,
              const std::vector<double>& capacity, KnownSyncs& known, std::vector<int> replicas)
      : checked_(checked),
        fabric_(fabric),
        capacity_(capacity),
        known_(known),
        replicas_(std::move(replicas)) {}

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
        sync_calls(checked_.scenario, checked_.layout, key.stage, key.of_experts, 1);
    return known_.of(sync_content(calls, bucket_bytes), [&] {
      std::vector<CollectiveFlow> flows;
      for (const SyncCall& call : calls) {
        const models::Communicator group(fabric_, call.groups.front(),
                                         checked_.scenario.software.collectives);
        flows.push_back(sync_flow(group, call, bucket_bytes));
      }
      return joined(calls, flows);
    });
  }

 private:
  const CheckedScenario& checked_;
  const core::Fabric& fabric_;
  const std::vector<double>& capacity_;
  KnownSyncs& known_;
  std::vector<int> replicas_;
};

/// One replica whose calls and sends are free.
class SyncsAlone final : public FewReplicas {
 public:
  SyncsAlone(const CheckedScenario& checked, const core::Fabric& fabric,
             const std::vector<double>& capacity, KnownSyncs& known)
      : FewReplicas(checked, fabric, capacity, known, {0}) {}

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

/// The classes of links that have the same capacity and the same part in every flow.
class LikeLinks {
 public:
  explicit LikeLinks(const std::vector<double>& capacity) : class_of_(capacity.size()) {
    std::map<double, std::uint32_t> of_capacity;
    for (std::size_t link = 0; link < capacity.size(); ++link) {
      const auto [known, is_new] = of_capacity.try_emplace(capacity[link], num_classes_);
      if (is_new) ++num_classes_;
      class_of_[link] = known->second;
    }
  }

  /// Parts those that the flow uses from those that it does not or in another measure.
  void part_by(const CollectiveFlow& flow) {
    std::map<std::pair<std::uint32_t, double>, std::uint32_t> parts;
    auto last = parts.end();
    for (const core::LinkUse& use : flow.route) {
      std::uint32_t& own = class_of_[static_cast<std::size_t>(use.link)];
      const std::pair before{own, use.coefficient};
      if (last == parts.end() || last->first != before) {
        last = parts.try_emplace(before, num_classes_).first;
        num_classes_ = std::max(num_classes_, last->second + 1);
      }
      own = last->second;
    }
  }

  [[nodiscard]] std::uint32_t operator[](core::LinkId link) const {
    return class_of_[static_cast<std::size_t>(link)];
  }
  [[nodiscard]] std::size_t num_classes() const { return num_classes_; }

 private:
  std::vector<std::uint32_t> class_of_;
  std::uint32_t num_classes_ = 0;
};

/// Keeps one of the links that carry the same, which all flows share alike, and drops those that
/// carry nothing: what is made of the costs walks over all links again and again.
StepCosts on_unlike_links(StepCosts costs) {
  LikeLinks like(costs.capacity);
  for_each_flow(costs, [&](const CollectiveFlow& flow) { like.part_by(flow); });
  std::vector<core::LinkId> kept(like.num_classes(), -1);    // the first link of each class
  std::vector<core::LinkId> number(like.num_classes(), -1);  // and its new number
  std::vector<double> capacity;
  for_each_flow(costs, [&](CollectiveFlow& flow) {
    std::erase_if(flow.route, [&](const core::LinkUse& use) {
      core::LinkId& first = kept[like[use.link]];
      if (first < 0) first = use.link;
      return first != use.link;
    });
    for (core::LinkUse& use : flow.route) {
      core::LinkId& made = number[like[use.link]];
      if (made < 0) {
        made = static_cast<core::LinkId>(capacity.size());
        capacity.push_back(costs.capacity[static_cast<std::size_t>(use.link)]);
      }
      use.link = made;
    }
  });
  costs.capacity = std::move(capacity);
  return costs;
}

}  // namespace

StepCosts on_used_links(StepCosts costs) {
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> used(costs.capacity.size() / kBits + 1);
  for_each_flow(costs, [&](const CollectiveFlow& flow) {
    for (const core::LinkUse& use : flow.route) {
      const auto link = static_cast<std::size_t>(use.link);
      used[link / kBits] |= std::uint64_t{1} << (link % kBits);
    }
  });
  core::PlainVector<core::LinkId> number;  // of used links
  number.resize(costs.capacity.size());
  std::vector<double> capacity;
  for (std::size_t word = 0; word < used.size(); ++word) {
    for (std::uint64_t rest = used[word]; rest != 0; rest &= rest - 1) {
      const std::size_t link = kBits * word + static_cast<std::size_t>(std::countr_zero(rest));
      number[link] = static_cast<core::LinkId>(capacity.size());
      capacity.push_back(costs.capacity[link]);
    }
  }
  costs.capacity = std::move(capacity);
  for_each_flow(costs, [&](CollectiveFlow& flow) {
    for (core::LinkUse& use : flow.route) use.link = number[static_cast<std::size_t>(use.link)];
  });
  return costs;
}

StepCosts least_costs(const CheckedScenario& checked, const core::Fabric& fabric,
                      const std::vector<double>& capacity, KnownSyncs& known) {
  return on_unlike_links(costs_with(
      checked, FewReplicas(checked, fabric, capacity, known, first_circle(checked.layout))));
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
                         const std::vector<double>& capacity, KnownSyncs& known) {
  return on_unlike_links(costs_with(checked, SyncsAlone(checked, fabric, capacity, known)));
}

}  // namespace railwright::simulation
