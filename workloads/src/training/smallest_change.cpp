// SPDX-License-Identifier: Apache-2.0
#include "smallest_change.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "railwright/simulation/closed_form/estimate.hpp"

namespace railwright::simulation {

namespace {

using models::Recompute;

struct Candidate {
  std::string setting;
  Scenario scenario;
};

/// Returns `value` times 2, 4, 8 and so on, up to `most`.
std::vector<int> multiples(int value, int most) {
  std::vector<int> values;
  for (std::int64_t v = 2LL * value; v <= most; v *= 2) values.push_back(static_cast<int>(v));
  return values;
}

std::vector<Candidate> candidates(const Scenario& scenario) {
  std::vector<Candidate> list;
  const auto add = [&](std::string setting, const auto& change) {
    list.push_back({std::move(setting), scenario});
    change(list.back().scenario);
  };
  for (int batch = scenario.workload.micro_batch / 2; batch >= 1; batch /= 2) {
    add(fmt::format("workload.micro_batch={}", batch),
        [&](Scenario& s) { s.workload.micro_batch = batch; });
  }
  for (const Recompute recompute : {Recompute::kSelective, Recompute::kFull}) {
    if (recompute <= scenario.software.recompute.value) continue;
    add(fmt::format("software.recompute={}", core::to_string(recompute)),
        [&](Scenario& s) { s.software.recompute.value = recompute; });
  }
  const int min_stage = scenario.software.zero_stage.value + 1;
  const int max_stage = scenario.parallelism.pp == 1 ? 3 : 1;
  for (int stage = min_stage; stage <= max_stage; ++stage) {
    add(fmt::format("software.zero_stage={}", stage),
        [&](Scenario& s) { s.software.zero_stage.value = stage; });
  }
  const int accelerators = scenario.num_accelerators();
  const bool goes_with_stages =
      scenario.software.zero_stage.value < 3 && !scenario.software.sync_every_microbatch.value;
  for (const auto& [name, dimension] : models::kDimensions<models::Parallelism>) {
    if (name == "pp" && !goes_with_stages) continue;
    for (const int value : multiples(scenario.parallelism.*dimension, accelerators)) {
      add(fmt::format("parallelism.{}={}", name, value),
          [&, member = dimension](Scenario& s) { s.parallelism.*member = value; });
    }
  }
  return list;
}

}  // namespace

std::optional<FittingChange> smallest_change(const CheckedScenario& checked,
                                             const core::Fabric& fabric) {
  const core::DataSize capacity = checked.scenario.cluster.node.accelerator.memory.value;
  std::optional<FittingChange> best;
  for (Candidate& candidate : candidates(checked.scenario)) {
    CheckedScenario changed{
        .scenario = std::move(candidate.scenario), .layout = {}, .topology = checked.topology};
    const Scenario& scenario = changed.scenario;
    if (!models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                             changed.layout)
             .empty()) {
      continue;
    }
    const core::DataSize memory =
        models::largest_memory_use(scenario.workload, changed.layout, scenario.software).total();
    if (memory > capacity) continue;
    const core::Duration time = estimate_step(step_costs(changed, fabric)).total();
    if (best && best->step_time <= time) continue;
    best =
        FittingChange{.setting = std::move(candidate.setting), .memory = memory, .step_time = time};
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
