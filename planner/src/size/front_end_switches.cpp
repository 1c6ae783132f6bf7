// SPDX-License-Identifier: Apache-2.0
#include "front_end_switches.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/pools.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/pools.hpp"

namespace railwright::planner {

namespace {

using Pools = std::vector<topologies::Pool>;

std::optional<core::Shortfall> shortfall_of(const Pools& made) {
  const core::PartsList parts = topologies::build(made).parts;
  if (parts.shortfalls.empty()) return {};
  return parts.shortfalls.front();
}

simulation::Change switches_change(int num_switches) {
  return {
      fmt::format("cluster.storage.num_switches={}", num_switches),
      [num_switches](simulation::Scenario& s) { s.cluster.storage->num_switches = num_switches; }};
}

simulation::Change leaf_spine_change() {
  return {"cluster.storage.wiring=leaf_spine", [](simulation::Scenario& s) {
            s.cluster.storage->wiring = topologies::FrontEndWiring::kLeafSpine;
          }};
}

/// Calls `cluster_with(change)` for more and more joined switches and then for leaves and spines,
/// null for the scenario's own.
template <class ClusterWith>
FrontEndSwitches fewest_switches(const ClusterWith& cluster_with) {
  constexpr int kMaxSwitches = 64;
  const Pools given = cluster_with(nullptr);
  auto missing = shortfall_of(given);
  FrontEndSwitches made;
  const auto& storage = given.front().cluster.storage;
  const bool has_front_end = storage && storage->front_end_switch &&
                             storage->wiring == topologies::FrontEndWiring::kJoined;
  int count = has_front_end ? storage->num_switches : 0;
  while (missing && has_front_end && count < kMaxSwitches) {
    const simulation::Change change = switches_change(++count);
    const auto still = shortfall_of(cluster_with(&change));
    const bool helps =
        !still || still->needed < missing->needed || still->available > missing->available;
    if (!helps) break;
    made.changes = {change};
    missing = still;
  }
  if (missing && has_front_end) {
    const simulation::Change change = leaf_spine_change();
    const auto still = shortfall_of(cluster_with(&change));
    if (!still) {
      made.changes = {change};
      missing.reset();
    }
  }
  if (missing) made.missing = missing->what;
  return made;
}

}  // namespace

FrontEndSwitches front_end_switches(const core::Node& tree, const core::Catalogue& catalogue) {
  return fewest_switches([&](const simulation::Change* change) {
    if (change == nullptr) return simulation::read_pools(tree, catalogue);
    return simulation::read_pools(simulation::with_settings(tree, {change->setting}), catalogue);
  });
}

FrontEndSwitches front_end_switches(const simulation::ScenarioSource& source) {
  return fewest_switches([&](const simulation::Change* change) -> Pools {
    const simulation::CheckedCluster made =
        change == nullptr ? source.cluster() : source.with(std::span(change, 1)).cluster();
    return {{.name = {}, .cluster = made.cluster, .topology = made.topology}};
  });
}

}  // namespace railwright::planner
