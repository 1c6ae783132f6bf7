// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario whose values a what-if page knows: those with controls, and
// prices.ownership.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::web {

namespace detail {

/// Keys that are no knob of a configuration.
inline constexpr auto kOtherPaths = std::to_array<std::string_view>({
    "workload.model",
    "workload.sequence_length",
    "workload.steps",
    "cluster.nodes",
    "cluster.node",
    "cluster.node.nics.nic",
    "cluster.node.nics.count",
    "cluster.node.nics.wiring",
    "cluster.node.nics.transport",
    "software",
    "software.precision",
    "installation",
    "cluster.storage.node",
    "cluster.storage.count",
    "cluster.storage.switch",
    "cluster.storage.mount",
    "checkpoint.interval",
    "checkpoint.interval_steps",
    "checkpoint.mode",
    "reliability",
    "prices.ownership",
});

constexpr bool has_control(simulation::KnobKind kind) {
  return kind != simulation::KnobKind::kExpertSlices && kind != simulation::KnobKind::kSchedule;
}

consteval std::size_t num_controls() {
  std::size_t count = 0;
  simulation::for_each_knob([&](const auto& knob) { count += has_control(knob.kind) ? 1 : 0; });
  return count;
}

consteval auto what_if_paths() {
  std::array<std::string_view, kOtherPaths.size() + num_controls()> paths;
  auto next = std::ranges::copy(kOtherPaths, paths.begin()).out;
  simulation::for_each_knob([&](const auto& knob) {
    if (has_control(knob.kind)) *next++ = knob.key;
  });
  return paths;
}

}  // namespace detail

inline constexpr auto kWhatIfPaths = detail::what_if_paths();

/// Keys of a topology; for a fabric of several planes, keys of each plane.
inline constexpr auto kWhatIfFabricKeys = std::to_array<std::string_view>(
    {"switch", "oversubscription", "inter_switch_links", "nodes_per_pod"});

}  // namespace railwright::web
