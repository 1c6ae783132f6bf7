// SPDX-License-Identifier: Apache-2.0
#include "send_times.hpp"

#include <algorithm>
#include <span>

namespace railwright::simulation {

namespace {

using core::Duration;
using models::CollectiveFlow;

/// Seconds per byte that flows keep each link busy.
class LinkLoads {
 public:
  explicit LinkLoads(const StepCosts& costs)
      : capacity_(costs.capacity), seconds_(capacity_.size()) {}

  void add(std::span<const CollectiveFlow> flows, double times = 1.0) {
    for (const CollectiveFlow& flow : flows) {
      for (const core::LinkUse& use : flow.route) {
        const auto link = static_cast<std::size_t>(use.link);
        seconds_[link] += times * use.coefficient / capacity_[link];
      }
    }
  }
  void clear() { std::ranges::fill(seconds_, 0.0); }

  /// Returns the time of `flow` when all added flows run at once.
  [[nodiscard]] Duration time(const CollectiveFlow& flow, double bytes) const {
    double seconds = 1.0 / flow.ceiling;
    for (const core::LinkUse& use : flow.route) {
      seconds = std::max(seconds, seconds_[static_cast<std::size_t>(use.link)]);
    }
    return flow.latency + Duration::from_base(seconds * bytes);
  }
  [[nodiscard]] Duration longest(std::span<const CollectiveFlow> flows, double bytes) const {
    Duration longest;
    for (const CollectiveFlow& flow : flows) longest = std::max(longest, time(flow, bytes));
    return longest;
  }

 private:
  const std::vector<double>& capacity_;
  std::vector<double> seconds_;
};

std::span<const CollectiveFlow> of_stage(const StepCosts& costs,
                                         const std::vector<CollectiveFlow>& flows, int stage) {
  return std::span(flows).subspan(costs.group(stage, 0),
                                  static_cast<std::size_t>(costs.num_replicas));
}

/// Time through all stages, by replica and for a path through the slowest replica of each stage.
class SendWays {
 public:
  explicit SendWays(int num_replicas) : by_replica_(static_cast<std::size_t>(num_replicas)) {}

  template <typename TimeOf>
  void add(std::span<const CollectiveFlow> flows, const TimeOf& time_of) {
    Duration slowest;
    for (std::size_t replica = 0; replica < flows.size(); ++replica) {
      const Duration time = time_of(flows[replica]);
      by_replica_[replica] += time;
      slowest = std::max(slowest, time);
    }
    of_slowest_ += slowest;
  }
  [[nodiscard]] double share() const {
    const Duration longest = std::ranges::max(by_replica_);
    return longest > Duration{} ? longest / of_slowest_ : 1.0;
  }

 private:
  std::vector<Duration> by_replica_;
  Duration of_slowest_;
};

}  // namespace

std::vector<SendTimes> send_times(const StepCosts& costs) {
  if (costs.layout.pp == 1) return {};
  const auto bytes = static_cast<double>(costs.send_bytes);
  std::vector<SendTimes> sends(static_cast<std::size_t>(costs.layout.pp));
  LinkLoads all(costs);
  all.add(costs.send_forward);
  all.add(costs.send_backward);
  for (int stage = 0; stage < costs.layout.pp; ++stage) {
    SendTimes& own = sends[static_cast<std::size_t>(stage)];
    const auto alone = [&](const std::vector<CollectiveFlow>& flows) {
      return models::isolated_time(models::merge(of_stage(costs, flows, stage)), bytes,
                                   costs.capacity);
    };
    own.forward = alone(costs.send_forward);
    own.backward = alone(costs.send_backward);
    own.forward_met =
        std::max(own.forward, all.longest(of_stage(costs, costs.send_forward, stage), bytes));
    own.backward_met =
        std::max(own.backward, all.longest(of_stage(costs, costs.send_backward, stage), bytes));
  }
  return sends;
}

SlowestWay slowest_way(const StepCosts& costs) {
  if (costs.layout.pp == 1 || costs.num_replicas == 1) return {};
  const auto bytes = static_cast<double>(costs.send_bytes);
  const GroupCalls& tensor = costs.calls[static_cast<std::size_t>(LayerCall::kTensor)];
  SendWays sends(costs.num_replicas);
  SendWays calls(costs.num_replicas);
  LinkLoads loads(costs);
  for (int stage = 0; stage < costs.layout.pp; ++stage) {
    for (const auto* flows : {&costs.send_forward, &costs.send_backward}) {
      const auto own = of_stage(costs, *flows, stage);
      loads.clear();
      loads.add(own);
      sends.add(own, [&](const CollectiveFlow& flow) { return loads.time(flow, bytes); });
    }
    if (tensor.flows.empty()) continue;
    calls.add(of_stage(costs, tensor.flows, stage), [&](const CollectiveFlow& flow) {
      return models::isolated_time(flow, static_cast<double>(tensor.bytes), costs.capacity);
    });
  }
  return {.sends = sends.share(), .tensor_calls = calls.share()};
}

}  // namespace railwright::simulation
