// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/power/node_power_by_part.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace railwright::models {

namespace {

/// Shares of the design power of an accelerator. A node of 8 x H100 without fans takes 2.05 kW
/// idle, 7.2 kW while it computes and 5.07 kW in the mean of a run that communication bounds
/// [@mlcommons_training_v40]: with 70 W for an idle one, 560, 5,554 and 3,488 W of these are
/// accelerators and 1,430 W all else, alike in all three.
constexpr double kIdleShare = 0.1;
constexpr double kComputeShare = 0.99;
constexpr double kCommunicationShare = 0.62;

std::optional<core::Power> measured(const core::ComputeNode& node, Activity activity) {
  const auto value = [](const std::optional<core::Sourced<core::Power>>& power) {
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

double fan_share(const core::ComputeNode& node) {
  return kFanShare * (1.0 - node.liquid_cooled_share.value);
}

/// Returns what a node draws at its plug for each watt of accelerators, hosts and NICs.
double plug_factor(const core::ComputeNode& node) {
  return (1.0 + fan_share(node)) / kPowerSupplyEfficiency;
}

/// Adds what fans and supplies take.
NodePowerByPart at_plug(const core::ComputeNode& node, core::Power accelerators, core::Power hosts,
                        core::Power nics) {
  const core::Power used = accelerators + hosts + nics;
  const core::Power fans = used * fan_share(node);
  return {.by_part = {accelerators, hosts, nics, fans, used * plug_factor(node) - used - fans}};
}

/// Returns what the accelerators of spare trays draw.
core::Power spare_power(const core::ComputeNode& node) {
  const double spare = static_cast<double>(node.spare_trays) / node.num_trays;
  return accelerator_power(node.accelerator, Activity::kIdle) *
         (spare * node.num_accelerators.value);
}

core::Power nics_power(const core::NicSet& set) { return set.nic.power.value * set.count; }

}  // namespace

core::Power NodePowerByPart::total() const {
  return std::accumulate(by_part.begin(), by_part.end(), core::Power{});
}

NodePowerByPart& NodePowerByPart::operator+=(const NodePowerByPart& other) {
  for (std::size_t i = 0; i < by_part.size(); ++i) by_part[i] += other.by_part[i];
  return *this;
}

NodePowerByPart operator+(NodePowerByPart a, const NodePowerByPart& b) { return a += b; }

NodePowerByPart operator*(NodePowerByPart power, double factor) {
  for (core::Power& one : power.by_part) one *= factor;
  return power;
}

core::Power accelerator_power(const core::Accelerator& accelerator, Activity activity) {
  const core::Power design = accelerator.power.value;
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

NodePowerByPart node_power_by_part(const core::ComputeNode& node, Activity activity) {
  const core::Power accelerators =
      accelerator_power(node.accelerator, activity) * node.num_accelerators.value +
      spare_power(node);
  const core::Power nics = nics_power(node.nics) + nics_power(node.front_end);
  const std::optional<core::Power> known = measured(node, activity);
  const core::Power hosts =
      known ? *known / plug_factor(node) - accelerators - nics : node.host_power.value;
  return at_plug(node, accelerators, hosts, nics);
}

NodePowerByPart with_accelerators_at_most(const core::ComputeNode& node, NodePowerByPart power,
                                          core::Power each) {
  const core::Power accelerators = each * node.num_accelerators.value + spare_power(node);
  if (power.of(NodePart::kAccelerators) <= accelerators) return power;
  return at_plug(node, accelerators, power.of(NodePart::kHosts), power.of(NodePart::kNics));
}

NodePowerByPart with_total_at_most(const core::ComputeNode& node, NodePowerByPart power,
                                   core::Power total) {
  if (power.total() <= total) return power;
  const core::Power hosts = power.of(NodePart::kHosts);
  const core::Power nics = power.of(NodePart::kNics);
  const core::Power left = std::max(core::Power{}, total / plug_factor(node) - hosts - nics);
  return at_plug(node, left, hosts, nics);
}

}  // namespace railwright::models
