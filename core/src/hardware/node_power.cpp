// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/hardware/node_power.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace railwright::core {

namespace {

/// Shares of the design power of an accelerator. A node of 8 x H100 without fans takes 2.05 kW
/// idle, 7.2 kW while it computes and 5.07 kW in the mean of a run that communication bounds
/// [@mlcommons_training_v40]: with 70 W for an idle one, 560, 5,554 and 3,488 W of these are
/// accelerators and 1,430 W all else, alike in all three.
constexpr double kIdleShare = 0.1;
constexpr double kComputeShare = 0.99;
constexpr double kCommunicationShare = 0.62;

std::optional<Power> measured(const ComputeNode& node, Activity activity) {
  const auto value = [](const std::optional<Sourced<Power>>& power) {
    return power ? std::optional(power->value) : std::nullopt;
  };
  switch (activity) {
    case Activity::kIdle:
      return value(node.power_idle);
    case Activity::kCompute:
      return value(node.power_compute);
    case Activity::kCommunication:
      return value(node.power_communication);
  }
  return {};
}

double fan_share(const ComputeNode& node) {
  return kFanShare * (1.0 - node.liquid_cooled_share.value);
}

/// Returns what a node draws at its plug for each watt of accelerators, hosts and NICs.
double plug_factor(const ComputeNode& node) {
  return (1.0 + fan_share(node)) / kPowerSupplyEfficiency;
}

/// Adds what fans and supplies take.
NodePowerByPart at_plug(const ComputeNode& node, Power accelerators, Power hosts, Power nics) {
  const Power used = accelerators + hosts + nics;
  const Power fans = used * fan_share(node);
  return {.by_part = {accelerators, hosts, nics, fans, used * plug_factor(node) - used - fans}};
}

/// Returns what the accelerators of spare trays draw.
Power spare_power(const ComputeNode& node) {
  const double spare = static_cast<double>(node.spare_trays) / node.num_trays;
  return accelerator_power(node.accelerator, Activity::kIdle) *
         (spare * node.num_accelerators.value);
}

Power nics_power(const NicSet& set) { return set.nic.power.value * set.count; }

}  // namespace

Power NodePowerByPart::total() const {
  return std::accumulate(by_part.begin(), by_part.end(), Power{});
}

NodePowerByPart& NodePowerByPart::operator+=(const NodePowerByPart& other) {
  for (std::size_t i = 0; i < by_part.size(); ++i) by_part[i] += other.by_part[i];
  return *this;
}

NodePowerByPart operator+(NodePowerByPart a, const NodePowerByPart& b) { return a += b; }

NodePowerByPart operator*(NodePowerByPart power, double factor) {
  for (Power& one : power.by_part) one *= factor;
  return power;
}

Power accelerator_power(const Accelerator& accelerator, Activity activity) {
  const Power design = accelerator.power.value;
  switch (activity) {
    case Activity::kIdle:
      return accelerator.power_idle ? accelerator.power_idle->value : design * kIdleShare;
    case Activity::kCompute:
      return design * kComputeShare;
    case Activity::kCommunication:
      return design * kCommunicationShare;
  }
  return design;
}

NodePowerByPart node_power_by_part(const ComputeNode& node, Activity activity) {
  const Power accelerators =
      accelerator_power(node.accelerator, activity) * node.num_accelerators.value +
      spare_power(node);
  const Power nics = nics_power(node.nics) + nics_power(node.front_end);
  const std::optional<Power> known = measured(node, activity);
  const Power hosts =
      known ? *known / plug_factor(node) - accelerators - nics : node.host_power.value;
  return at_plug(node, accelerators, hosts, nics);
}

NodePowerByPart with_accelerators_at_most(const ComputeNode& node, NodePowerByPart power,
                                          Power each) {
  const Power accelerators = each * node.num_accelerators.value + spare_power(node);
  if (power.of(NodePart::kAccelerators) <= accelerators) return power;
  return at_plug(node, accelerators, power.of(NodePart::kHosts), power.of(NodePart::kNics));
}

NodePowerByPart with_total_at_most(const ComputeNode& node, NodePowerByPart power, Power total) {
  if (power.total() <= total) return power;
  const Power hosts = power.of(NodePart::kHosts);
  const Power nics = power.of(NodePart::kNics);
  const Power left = std::max(Power{}, total / plug_factor(node) - hosts - nics);
  return at_plug(node, left, hosts, nics);
}

}  // namespace railwright::core
