// SPDX-License-Identifier: Apache-2.0
#include "configuration_evaluator.hpp"

#include <algorithm>
#include <utility>

#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

/// Adds every point of the first batch: memory has no entries by batch.
void add_representatives(const ShapePart& part, std::vector<simulation::Configuration>& all) {
  part.shape.for_each_left(part.left_out, std::min<std::int64_t>(1, part.shape.num_batches()),
                           [&](std::int64_t point) { all.push_back(part.shape.at(point)); });
}

}  // namespace

ConfigurationEvaluator::ConfigurationEvaluator(simulation::CheckedScenario base,
                                               std::string variant,
                                               std::vector<std::string> settings)
    : base_(std::move(base)), variant_(std::move(variant)), settings_(std::move(settings)) {
  simulation::Estimator tables(base_);
  if (tables.memory(configuration_of(base_)).status == simulation::EstimateStatus::kNotInTables) {
    built_ = base_.topology->build(base_.scenario.cluster);
  } else {
    tables_ = std::move(tables);
  }
}

void ConfigurationEvaluator::prepare_memory(std::span<const ShapePart> shapes, int num_threads) {
  if (!tables_) return;
  std::vector<simulation::Configuration> all;
  for (const ShapePart& shape : shapes) add_representatives(shape, all);
  tables_->prepare_memory(all, num_threads);
}

simulation::MemoryEstimate ConfigurationEvaluator::memory(
    const simulation::Configuration& c) const {
  if (tables_) return tables_->memory(c);
  simulation::MemoryEstimate made{.lines = {}, .min_step_time = {}};
  const simulation::CheckedScenario checked = with_configuration(base_, c);
  const simulation::Scenario& scenario = checked.scenario;
  const models::SoftwareProfile& software = scenario.software;
  if ((c.pp > 1 && simulation::goes_by_layer(software, c.zero_stage)) ||
      software.cuts_matrices(c.zero_stage)) {
    made.status = simulation::EstimateStatus::kNotTogether;
    return made;
  }
  models::Layout layout;
  if (!models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                           layout)
           .empty()) {
    made.status = simulation::EstimateStatus::kDoesNotDivide;
    return made;
  }
  const models::MemoryUse use = models::largest_memory_use(scenario.workload, layout, software);
  made.memory = use.total();
  made.stage = use.stage;
  made.fits = made.memory <= scenario.cluster.node.accelerator.memory.value;
  for (const models::TierUse& tier : models::node_tier_uses(
           scenario.workload, layout, software, scenario.cluster.node.num_accelerators.value)) {
    made.fits = made.fits && tier.total() <= tier.capacity;
  }
  return made;
}

void ConfigurationEvaluator::prepare_calls(
    std::span<const simulation::Configuration> configurations, int num_threads) {
  if (tables_) tables_->prepare_calls(configurations, num_threads);
}

void ConfigurationEvaluator::prepare_least(
    simulation::Transfers transfers, std::span<const simulation::Configuration> configurations,
    int num_threads) {
  if (tables_) tables_->prepare_least(transfers, configurations, num_threads);
}

bool ConfigurationEvaluator::needs_least(simulation::Transfers transfers,
                                         const simulation::Configuration& c) const {
  return tables_ && tables_->needs_least(transfers, c);
}

core::Duration ConfigurationEvaluator::least_step_time(simulation::Transfers transfers,
                                                       const simulation::Configuration& c) const {
  return tables_ ? tables_->least_step_time(transfers, c) : core::Duration();
}

bool ConfigurationEvaluator::needs_transfers(const simulation::Configuration& c) const {
  return tables_ && tables_->needs_transfers(c);
}

void ConfigurationEvaluator::prepare(std::span<const simulation::Configuration> configurations,
                                     int num_threads) {
  if (tables_) tables_->prepare(configurations, num_threads);
}

simulation::Estimate ConfigurationEvaluator::estimate(const simulation::Configuration& c) const {
  if (tables_) return tables_->estimate(c);
  const simulation::MemoryEstimate memory = this->memory(c);
  simulation::Estimate made;
  made.status = memory.status;
  if (made.status != simulation::EstimateStatus::kOk) return made;
  made.memory = memory.memory;
  made.memory_stage = memory.stage;
  made.fits = memory.fits;
  const simulation::CheckedScenario checked = with_configuration(base_, c);
  made.breakdown = estimate_step(step_costs(checked, built_->fabric));
  made.step_time = made.breakdown.total();
  made.approximation = approximation_of(checked);
  made.error_bound = closed_form_error(made.approximation, made.breakdown).largest;
  return made;
}

std::int64_t ConfigurationEvaluator::num_transfers() const {
  return tables_ ? static_cast<std::int64_t>(tables_->num_transfer_entries()) : 0;
}

}  // namespace railwright::planner
