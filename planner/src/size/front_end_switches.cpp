// SPDX-License-Identifier: Apache-2.0
#include "front_end_switches.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

std::optional<core::Shortfall> shortfall_of(const simulation::CheckedCluster& made) {
  const core::PartsList parts = made.topology->build(made.cluster).parts;
  if (parts.shortfalls.empty()) return {};
  return parts.shortfalls.front();
}

simulation::Change switches_change(int num_switches) {
  return {
      fmt::format("cluster.storage.num_switches={}", num_switches),
      [num_switches](simulation::Scenario& s) { s.cluster.storage->num_switches = num_switches; }};
}

/// Calls `cluster_with(count)` for more and more switches, nullopt for the scenario's own.
template <class ClusterWith>
FrontEndSwitches fewest_switches(const ClusterWith& cluster_with) {
  constexpr int kMaxSwitches = 64;
  const simulation::CheckedCluster given = cluster_with(std::nullopt);
  auto missing = shortfall_of(given);
  FrontEndSwitches made;
  const auto& storage = given.cluster.storage;
  const bool has_front_end = storage && storage->front_end_switch;
  int count = has_front_end ? storage->num_switches : 0;
  while (missing && has_front_end && count < kMaxSwitches) {
    const auto still = shortfall_of(cluster_with(std::optional(++count)));
    const bool helps =
        !still || still->needed < missing->needed || still->available > missing->available;
    if (!helps) break;
    made.changes = {switches_change(count)};
    missing = still;
  }
  if (missing) made.missing = missing->what;
  return made;
}

}  // namespace

FrontEndSwitches front_end_switches(const core::Node& tree, const core::Catalogue& catalogue) {
  return fewest_switches([&](std::optional<int> count) {
    if (!count) return simulation::read_cluster(tree, catalogue);
    return simulation::read_cluster(
        simulation::with_settings(tree, {switches_change(*count).setting}), catalogue);
  });
}

FrontEndSwitches front_end_switches(const simulation::ScenarioSource& source) {
  return fewest_switches([&](std::optional<int> count) {
    if (!count) return source.cluster();
    const simulation::Change change = switches_change(*count);
    return source.with(std::span(&change, 1)).cluster();
  });
}

}  // namespace railwright::planner
