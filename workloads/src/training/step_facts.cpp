// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/step_facts.hpp"

#include <string>
#include <utility>

#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/workloads/training/fit_checks.hpp"

namespace railwright::simulation {

namespace {

/// Returns the share of layers that are recomputed, in full or in part.
double recomputed_share(const models::SoftwareProfile& software, const models::Layout& layout) {
  if (!software.recomputed().any()) return 0.0;
  int layers = 0;
  int recomputed = 0;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int place = 0; place < layout.layers_per_stage(); ++place) {
      if (!layout.layer_at(stage, place)) continue;
      ++layers;
      recomputed += software.recomputed_at(place % layout.layers_per_chunk).any() ? 1 : 0;
    }
  }
  return static_cast<double>(recomputed) / layers;
}

}  // namespace

StepWork step_work(const models::Training& training, const models::Layout& layout,
                   const models::SoftwareProfile& software) {
  const core::Work model = models::training_work_per_step(training);
  const double recomputed = recomputed_share(software, layout);
  if (models::vision_of(training) != nullptr) {
    // Full recompute repeats one pass of three.
    return {.model = model, .causal = model, .hardware = model * (1.0 + recomputed / 3.0)};
  }
  const models::Transformer& transformer = models::transformer_of(training);
  const auto forward = models::forward_work_per_token(transformer, training.sequence_length);
  const auto tokens = static_cast<double>(models::tokens_per_step(training));
  const core::Work again = models::recomputed_work_per_token(transformer, training.sequence_length,
                                                             software.recomputed()) *
                           recomputed;
  return {.model = model,
          .causal = model - forward.attention * (transformer.causal ? 1.5 * tokens : 0.0),
          .hardware = model + again * tokens};
}

SimulationResult facts_of_design(const CheckedScenario& checked,
                                 const topologies::BuiltCluster& built) {
  const Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  SimulationResult result;
  result.name = scenario.name;
  result.layout = checked.layout;
  result.num_parameters = models::num_parameters(training.model);
  result.samples_per_step = training.global_batch;
  result.tokens_per_step = models::tokens_per_step(training);
  result.steps = training.steps;
  result.num_accelerators = scenario.num_accelerators();
  result.bubble_fraction = models::bubble_fraction(checked.layout);
  result.memory_capacity = scenario.cluster.node.accelerator.memory.value;
  if (const auto& storage = scenario.cluster.storage) {
    result.storage_raw_capacity = models::raw_capacity(storage->node, storage->count);
    result.storage_usable_capacity = models::usable_capacity(
        storage->node, storage->count, storage->data_reduction, storage->hot_spare);
  }
  result.parts = built.parts;
  models::add_node_power(scenario.cluster.node, result.parts);
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back({shortfall.what});
  }
  std::string missing = models::missing_reduction(built.fabric, scenario.software.collectives);
  if (!missing.empty()) result.infeasible.push_back({std::move(missing)});
  return result;
}

void set_step_facts(const Scenario& scenario, const StepWork& work, SimulationResult& result) {
  result.step_time_low = result.step_time * scenario.installation.step_time_low.value;
  result.step_time_high = result.step_time * scenario.installation.step_time_high.value;
  result.samples_per_s = static_cast<double>(result.samples_per_step) / result.step_time.base();
  result.tokens_per_s = static_cast<double>(result.tokens_per_step) / result.step_time.base();
  const core::ComputeRate peak =
      scenario.cluster.node.accelerator.peak_rate(scenario.software.precision.value)
          .value_or(core::ComputeRate{});
  const auto utilization = [&](core::Work of_step) {
    return of_step / result.step_time / (peak * result.num_accelerators);
  };
  result.model_flops_utilization = utilization(work.model);
  result.model_flops_utilization_causal = utilization(work.causal);
  result.hardware_flops_utilization = utilization(work.hardware);
}

void finish_run(const Scenario& scenario, const core::PartsList& parts, SimulationResult& result) {
  check_run(result.run, result.infeasible);
  result.power = run_power(scenario, parts, result.breakdown, result.run.job());
  if (result.trace) {
    PowerSeries& series = result.power->over_step.emplace(power_over_step(
        *result.trace, result.step_time, result.power->node,
        scenario.cluster.node.num_accelerators.value, result.power->idle.equipment()));
    series *= result.power->pue;
  }
  if (scenario.prices) result.cost = run_cost(scenario, parts, *result.power);
}

}  // namespace railwright::simulation
