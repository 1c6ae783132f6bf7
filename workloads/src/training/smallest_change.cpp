// SPDX-License-Identifier: Apache-2.0
#include "smallest_change.hpp"

#include <fmt/format.h>

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
  constexpr int kMaxSwitches = 1024;
  const auto& storage = checked.scenario.cluster.storage;
  if (!storage || !storage->front_end_switch) return {};
  CheckedScenario changed = checked;
  int& count = changed.scenario.cluster.storage->num_switches;
  const auto built_with = [&](int num_switches) {
    count = num_switches;
    return changed.topology->build(changed.scenario.cluster);
  };
  int low = storage->num_switches;  // does not suffice
  int high = 2 * low;
  while (high <= kMaxSwitches && !built_with(high).parts.shortfalls.empty()) {
    low = high;
    high *= 2;
  }
  if (high > kMaxSwitches) return {};
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (built_with(middle).parts.shortfalls.empty() ? high : low) = middle;
  }
  const topologies::BuiltCluster built = built_with(high);
  const Scenario& scenario = changed.scenario;
  return FittingChange{
      .setting = fmt::format("cluster.storage.num_switches={}", high),
      .memory =
          models::largest_memory_use(scenario.workload, changed.layout, scenario.software).total(),
      .step_time = estimate_step(step_costs(changed, built.fabric)).total()};
}

}  // namespace railwright::simulation
