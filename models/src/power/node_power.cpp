// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/power/node_power.hpp"

#include <algorithm>

#include "railwright/core/sim/portable_math.hpp"

namespace railwright::models {

namespace {

/// Power of a node of 8 x H100 in kW: idle, the 90th percentile of runs limited by compute, the
/// mean of one limited by communication, and the mean training GPT-3 [@mlcommons_training_v40].
constexpr double kIdle = 2.05;
constexpr double kCompute = 7.2;
constexpr double kCommunication = 5.07;
constexpr double kTraining = 6.84;

core::Power known_or(const std::optional<core::Sourced<core::Power>>& known, core::Power fallback) {
  return known ? known->value : fallback;
}

}  // namespace

core::Power NodePower::mean(const ActivityTimes& times) const {
  core::Energy energy;
  core::Duration total;
  for (std::size_t i = 0; i < kNumActivities; ++i) {
    energy += by_activity[i] * times[i];
    total += times[i];
  }
  return total > core::Duration{} ? energy / total : of(Activity::kIdle);
}

NodePower node_power(const core::ComputeNode& node, const PowerPlan& plan) {
  const core::Power training = node.power.value;
  const core::Power idle = known_or(node.power_idle, training * (kIdle / kTraining));
  const core::Power compute = known_or(node.power_compute, training * (kCompute / kTraining));
  const core::Power communication =
      known_or(node.power_communication, training * (kCommunication / kTraining));
  NodePower power{.by_activity = {idle, compute, communication}};
  if (!plan.node_cap || *plan.node_cap >= compute) return power;
  const core::Power cap = *plan.node_cap;
  for (core::Power& one : power.by_activity) one = std::min(one, cap);
  const double above_idle = std::max(0.0, (cap - idle) / (compute - idle));
  power.clock = core::portable_power(above_idle, 1.0 / plan.clock_exponent);
  return power;
}

core::Accelerator at_clock(core::Accelerator accelerator, double clock) {
  if (clock >= 1.0) return accelerator;
  accelerator.gemm_efficiency.value *= clock;
  accelerator.attention_efficiency.value *= clock;
  if (accelerator.fp8_gemm_efficiency) accelerator.fp8_gemm_efficiency->value *= clock;
  if (accelerator.native_attention_efficiency) {
    accelerator.native_attention_efficiency->value *= clock;
  }
  return accelerator;
}

}  // namespace railwright::models
