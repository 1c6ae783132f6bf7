// SPDX-License-Identifier: Apache-2.0
#include "smallest_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/estimator/moves.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

namespace {

/// Returns the scenario with a change; nothing where its division has no layout.
std::optional<CheckedScenario> changed_by(const CheckedScenario& checked, const Change& change) {
  CheckedScenario changed = checked;
  change.apply(changed.scenario);
  const Scenario& scenario = changed.scenario;
  if (!models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                           changed.layout)
           .empty()) {
    return {};
  }
  return changed;
}

}  // namespace

std::optional<CheckedScenario> with_smallest_change(const CheckedScenario& checked,
                                                    const FittingChange& smallest) {
  for (const Change& change : moves_for_memory(checked.scenario)) {
    if (change.setting == smallest.setting) return changed_by(checked, change);
  }
  return {};
}

std::optional<FittingChange> smallest_change(const CheckedScenario& checked,
                                             const core::Fabric& fabric) {
  const core::DataSize capacity = checked.scenario.cluster.node.accelerator.memory.value;
  std::optional<FittingChange> best;
  for (Change& change : moves_for_memory(checked.scenario)) {
    const std::optional<CheckedScenario> changed = changed_by(checked, change);
    if (!changed) continue;
    const Scenario& scenario = changed->scenario;
    const core::DataSize memory =
        models::largest_memory_use(scenario.workload, changed->layout, scenario.software).total();
    if (memory > capacity) continue;
    const core::Duration time = estimate_step(step_costs(*changed, fabric)).total();
    if (best && best->step_time <= time) continue;
    best = FittingChange{.setting = std::move(change.setting), .memory = memory, .step_time = time};
  }
  return best;
}

std::optional<FittingChange> more_front_end_switches(const CheckedScenario& checked) {
  constexpr int kMaxSwitches = 64;
  const auto& storage = checked.scenario.cluster.storage;
  if (!storage || !storage->front_end_switch ||
      storage->wiring != topologies::FrontEndWiring::kJoined) {
    return {};
  }
  CheckedScenario changed = checked;
  topologies::StorageCluster& front_end = *changed.scenario.cluster.storage;
  const auto fits_with = [&](int num_switches) {
    front_end.num_switches = num_switches;
    return changed.topology->build(changed.scenario.cluster).parts.shortfalls.empty();
  };
  int low = storage->num_switches;  // does not suffice
  int high = std::min(2 * low, kMaxSwitches);
  while (high < kMaxSwitches && !fits_with(high)) {
    low = high;
    high = std::min(2 * high, kMaxSwitches);
  }
  std::string setting = "cluster.storage.wiring=leaf_spine";
  if (fits_with(high)) {
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (fits_with(middle) ? high : low) = middle;
    }
    front_end.num_switches = high;
    setting = fmt::format("cluster.storage.num_switches={}", high);
  } else {
    front_end.wiring = topologies::FrontEndWiring::kLeafSpine;
  }
  const topologies::BuiltCluster built = changed.topology->build(changed.scenario.cluster);
  if (!built.parts.shortfalls.empty()) return {};
  const Scenario& scenario = changed.scenario;
  return FittingChange{
      .setting = std::move(setting),
      .memory =
          models::largest_memory_use(scenario.workload, changed.layout, scenario.software).total(),
      .step_time = estimate_step(step_costs(changed, built.fabric)).total()};
}

}  // namespace railwright::simulation
