// SPDX-License-Identifier: Apache-2.0
#include "call_builder.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace railwright::simulation {

namespace {

constexpr OpKind kind_of(std::size_t call) {
  constexpr std::array<OpKind, kNumLayerCalls> kKinds{
      OpKind::kTensorParallel, OpKind::kExpertParallel, OpKind::kContextParallel};
  return kKinds[call];
}

}  // namespace

CallBuilder::CallBuilder(const StepCosts& costs, Graph& graph) : costs_(costs), graph_(graph) {
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) find_circles(call);
}

void CallBuilder::find_circles(std::size_t call) {
  const GroupCalls& costs = costs_.calls[call];
  Calls& calls = calls_[call];
  std::map<std::int32_t, std::vector<std::int32_t>> members;
  for (std::size_t group = 0; group < costs.circles.size(); ++group) {
    members[costs.circles[group]].push_back(static_cast<std::int32_t>(group));
  }
  calls.circle_of.assign(costs_.num_groups(), -1);
  calls.num_made.assign(costs_.num_groups(), 0);
  for (auto& [number, groups] : members) {
    if (groups.size() == 1) continue;
    std::vector<models::CollectiveFlow> parts;
    for (const std::int32_t group : groups) {
      parts.push_back(costs.flows[static_cast<std::size_t>(group)]);
      calls.circle_of[static_cast<std::size_t>(group)] =
          static_cast<std::int32_t>(calls.circles.size());
    }
    const models::CollectiveFlow& flow = graph_.add_merged(models::merge(parts));
    calls.circles.push_back(
        {.index = graph_.add_circle(std::move(groups)), .flow = &flow, .ops = {}});
  }
}

OpId CallBuilder::add(std::size_t group, std::size_t call, double count, OpId previous) {
  Calls& calls = calls_[call];
  const GroupCalls& costs = costs_.calls[call];
  const std::int32_t circle = calls.circle_of[group];
  const auto make = [&](const models::CollectiveFlow& flow) {
    return graph_.add_transfer(kind_of(call), group, flow, flow.latency * count,
                               std::llround(count * static_cast<double>(costs.bytes)));
  };
  if (circle < 0) {
    const OpId op = make(costs.flows[group]);
    graph_.add_edge(previous, op);
    return op;
  }
  Circle& all = calls.circles[static_cast<std::size_t>(circle)];
  const std::size_t turn = calls.num_made[group]++;
  if (turn == all.ops.size()) {
    all.ops.push_back(make(*all.flow));
    graph_.set_circle(all.ops.back(), all.index);
  }
  graph_.add_edge(previous, all.ops[turn]);
  return all.ops[turn];
}

}  // namespace railwright::simulation
