// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/power/node_power.hpp"

#include <algorithm>

#include "railwright/core/sim/portable_math.hpp"

namespace railwright::models {

namespace {

/// Power above idle goes with the square of the voltage times the clock, and the voltage with the
/// clock [@mudge2001power].
constexpr double kClockExponent = 3.0;

/// Returns the clock at which dynamic power leaves `cap`.
double clock_under(core::Power cap, core::Power idle, core::Power compute) {
  if (cap >= compute) return 1.0;
  const double above_idle = std::max(0.0, (cap - idle) / (compute - idle));
  return core::portable_power(above_idle, 1.0 / kClockExponent);
}

}  // namespace

NodePowerByPart NodePower::mean(const ActivityTimes& times) const {
  NodePowerByPart sum;
  core::Duration total;
  for (std::size_t i = 0; i < kNumActivities; ++i) {
    sum += by_activity[i] * times[i].base();
    total += times[i];
  }
  return total > core::Duration{} ? sum * (1.0 / total.base()) : parts_of(Activity::kIdle);
}

NodePower node_power(const core::ComputeNode& node, const PowerPlan& plan) {
  NodePower power;
  for (std::size_t i = 0; i < kNumActivities; ++i) {
    power.by_activity[i] = node_power_by_part(node, static_cast<Activity>(i));
  }
  if (plan.accelerator_cap) {
    const core::Power cap = *plan.accelerator_cap;
    const auto each = [&](Activity activity) {
      return accelerator_power(node.accelerator, activity);
    };
    power.clock = clock_under(cap, each(Activity::kIdle), each(Activity::kCompute));
    for (std::size_t i = 0; i < kNumActivities; ++i) {
      power.by_activity[i] = with_accelerators_at_most(node, power.by_activity[i], cap);
    }
  }
  if (plan.node_cap) {
    const core::Power cap = *plan.node_cap;
    const core::Power idle = power.of(Activity::kIdle);
    const core::Power compute = node_power_by_part(node, Activity::kCompute).total();
    power.clock = std::min(power.clock, clock_under(cap, idle, compute));
    for (NodePowerByPart& one : power.by_activity) {
      one = with_total_at_most(node, one, cap);
    }
  }
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

double carbon_kg(core::Energy energy, double carbon_intensity) {
  constexpr double kJoulesPerKilowattHour = 3.6e6;
  return energy.base() / kJoulesPerKilowattHour * carbon_intensity / 1000.0;
}

}  // namespace railwright::models
