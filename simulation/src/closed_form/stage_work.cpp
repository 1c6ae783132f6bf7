// SPDX-License-Identifier: Apache-2.0
#include "stage_work.hpp"

#include <algorithm>
#include <span>

namespace railwright::simulation {

namespace {

using core::Duration;

/// Returns the time of each call in the slowest replica; replicas differ only in where their groups
/// sit. Members of a group that spans replicas call at once, so its links carry the parts of all.
std::array<Duration, kNumLayerCalls> slowest_calls(const StepCosts& costs, int stage) {
  std::array<Duration, kNumLayerCalls> slowest{};
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    const GroupCalls& calls = costs.calls[call];
    if (calls.flows.empty()) continue;
    const auto flows = std::span(calls.flows).subspan(costs.group(stage, 0), n);
    const auto bytes = static_cast<double>(calls.bytes);
    if (static_cast<LayerCall>(call) != LayerCall::kTensor) {
      slowest[call] = models::isolated_time(models::merge(flows), bytes, costs.capacity);
      continue;
    }
    for (const models::CollectiveFlow& flow : flows) {
      slowest[call] = std::max(slowest[call], models::isolated_time(flow, bytes, costs.capacity));
    }
  }
  return slowest;
}

}  // namespace

double slowest_speed(const StepCosts& costs, int stage) {
  double slowest = 1.0;
  for (int replica = 0; replica < costs.num_replicas; ++replica) {
    slowest = std::min(slowest, costs.speed(costs.group(stage, replica)));
  }
  return slowest;
}

PassTimes::PassTimes(const StepCosts& costs, int stage)
    : slowness_(1.0 / slowest_speed(costs, stage)), one_call_(slowest_calls(costs, stage)) {}

Duration PassTimes::waits(const LayerPass& pass, std::size_t call) const {
  return std::max(one_call_[call] * pass.calls[call] - pass.beside[call].total() * slowness_,
                  Duration{});
}

Duration PassTimes::total(const LayerPass& pass) const {
  Duration total = compute(pass).total();
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) total += waits(pass, call);
  return total;
}

PassShape PassTimes::shape(const LayerPass& pass) const {
  PassShape shape{.alone = compute(pass).total(), .calls = {}, .beside = {}};
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    shape.calls[call] = one_call_[call] * pass.calls[call];
    shape.beside[call] = pass.beside[call].total() * slowness_;
    shape.alone -= shape.beside[call];
  }
  shape.alone = std::max(shape.alone, Duration{});
  return shape;
}

Duration PassShape::total() const {
  Duration total = alone;
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    total += std::max(calls[call], beside[call]);
  }
  return total;
}

void PassShape::add(const PassShape& other, double count) {
  alone += other.alone * count;
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    calls[call] += other.calls[call] * count;
    beside[call] += other.beside[call] * count;
  }
}

void add_passes(const PassTimes& times, const LayerPass& forward, const LayerPass& backward,
                double count, StageWork& work) {
  const auto add = [&](const LayerPass& pass, Duration& direction) {
    const models::ComputeCost compute = times.compute(pass) * count;
    work.compute += compute;
    Duration waits;
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      const Duration wait = times.waits(pass, call) * count;
      work.calls[call] += wait;
      waits += wait;
    }
    direction += compute.total() + waits;
  };
  add(forward, work.forward);
  add(backward, work.backward);
  work.forward_shape.add(times.shape(forward), count);
  work.backward_shape.add(times.shape(backward), count);
}

namespace {

/// Shortens the work to the time of paired passes, which hide each other's calls.
void run_together(const std::vector<LayerPass>& together, const PassTimes& times, StageWork& work) {
  const Duration apart = work.total();
  work.compute = {};
  work.calls = {};
  Duration total;
  for (const LayerPass& pass : together) {
    work.compute += times.compute(pass);
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      work.calls[call] += times.waits(pass, call);
    }
    total += times.total(pass);
  }
  const double share = total / apart;
  work.forward = work.forward * share;
  work.backward = work.backward * share;
  work.weight = work.weight * share;
}

}  // namespace

StageWork stage_work(const StepCosts& costs, int stage) {
  const StageCosts& places = costs.stages[static_cast<std::size_t>(stage)];
  const PassTimes times(costs, stage);
  StageWork work;
  for (std::size_t place = 0; place < places.forward.size(); ++place) {
    add_passes(times, places.forward[place], places.backward[place], 1.0, work);
  }
  for (const LayerPass& pass : places.weight) {
    work.compute += times.compute(pass);
    work.weight += times.total(pass);
    work.backward_shape.add(times.shape(pass), 1.0);
    work.weight_shape.add(times.shape(pass), 1.0);
  }
  if (!places.together.empty()) run_together(places.together, times, work);
  return work;
}

}  // namespace railwright::simulation
