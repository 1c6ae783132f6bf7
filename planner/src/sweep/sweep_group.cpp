// SPDX-License-Identifier: Apache-2.0
#include "sweep_group.hpp"

#include <algorithm>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/assembly/nic_plan.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

/// Returns settings of a configuration that is legal for any model and cluster.
std::vector<std::string> sound_configuration(const simulation::Scenario& scenario) {
  const simulation::Configuration sound{.global_batch = scenario.num_accelerators()};
  std::vector<std::string> settings;
  simulation::for_each_knob([&](const auto& knob) {
    const bool is_absent =
        knob.kind == simulation::KnobKind::kExpertSlices && !scenario.parallelism.etp;
    if (!is_absent) settings.push_back(knob.setting(sound));
  });
  return settings;
}

/// Whether no configuration of the scenario is in the tables.
bool is_outside_tables(const simulation::Scenario& scenario) {
  const models::Offload& offload = scenario.software.offload;
  return models::vision_of(scenario.workload) != nullptr ||
         !models::has_like_layers(scenario.workload) || offload.optimizer || offload.parameters ||
         !scenario.parallelism.layers_per_chunk.empty() || scenario.software.recompute_layers;
}

}  // namespace

SweepGroup::SweepGroup(const SweepBase& base, std::int64_t group) : base_(base) {
  try {
    read(group);
    if (checked_ && !goes_alone_) make_tables();
  } catch (const core::ConfigError& error) {
    problems_ = error.diagnostics();
  } catch (const core::Error& error) {
    problems_.push_back({{}, {}, error.what(), {}});
  }
}

void SweepGroup::read(std::int64_t group) {
  core::Node tree = simulation::with_settings(base_.tree, base_.grid.group_settings(group));
  core::Reader reader(&base_.catalogue);
  simulation::Scenario scenario;
  reader.read(tree, "", scenario);
  if (!reader.diagnostics().empty()) {
    fields_are_sound_ = false;
    problems_ = reader.diagnostics();
    std::erase_if(problems_, [&](const core::Diagnostic& problem) {
      return base_.grid.varies_fast(problem.path);
    });
    return;
  }
  defaults_ = configuration_of(
      simulation::CheckedScenario{.scenario = scenario, .layout = {}, .topology = {}, .basis = {}});
  etp_ = scenario.parallelism.etp;
  goes_alone_ = is_outside_tables(scenario);
  if (goes_alone_) return;
  checked_ = simulation::read_scenario(
      simulation::with_settings(std::move(tree), sound_configuration(scenario)), base_.catalogue);
}

void SweepGroup::make_tables() {
  built_ = checked_->topology->build(checked_->scenario.cluster);
  results_.emplace(*checked_, *built_);
  can_be_built_ = results_->base().feasible();
  estimator_.emplace(*checked_);
}

std::int64_t SweepGroup::weight() const {
  if (!checked_) return 1;
  // One fabric is its own, the other its estimator's.
  return 2 * std::int64_t{checked_->scenario.num_accelerators()};
}

void SweepGroup::make_rows(std::span<SweepRow> rows) {
  std::vector<Asked> asked;
  for (SweepRow& row : rows) {
    Asked one{.row = &row, .configuration = defaults_};
    simulation::Configuration& c = one.configuration;
    std::vector<core::Diagnostic> problems;
    base_.grid.apply(row.point, c, problems);
    if (!etp_ && checked_ && simulation::has_experts(checked_->scenario.workload)) c.etp = c.tp;
    const bool values_are_sound = problems.empty();
    problems.insert(problems.end(), problems_.begin(), problems_.end());
    if (!problems.empty()) {
      if (values_are_sound && fields_are_sound_) {
        make_row_alone(base_, row);
      } else {
        fill(problems, row);
      }
    } else if (goes_alone_ || !checked_) {
      make_row_alone(base_, row);
    } else {
      asked.push_back(one);
    }
  }
  for (int attempt = 0; attempt < 2 && !asked.empty(); ++attempt) {
    std::vector<Asked> wanting = make_from_tables(asked);
    if (!wanting.empty() && attempt == 0) prepare(wanting);
    asked = std::move(wanting);
  }
  for (const Asked& one : asked) make_row_alone(base_, *one.row);
}

std::vector<SweepGroup::Asked> SweepGroup::make_from_tables(std::span<const Asked> asked) {
  const simulation::Estimator& estimator = *estimator_;
  Scratch scratch{.result = results_->base(), .scenario = checked_->scenario};
  std::vector<Asked> wanting;
  for (const Asked& one : asked) {
    simulation::Estimate estimate;
    if (can_be_built_) estimate = estimator.estimate(one.configuration);
    if (estimate.status == simulation::EstimateStatus::kNotPrepared || !can_be_built_) {
      const simulation::MemoryEstimate memory = estimator.memory(one.configuration);
      estimate.status = memory.status;
      estimate.fits = memory.fits;
      estimate.memory = memory.memory;
      estimate.memory_stage = memory.stage;
      estimate.memory_lines = memory.lines;
      const bool needs_transfers =
          memory.status == simulation::EstimateStatus::kOk && memory.fits && can_be_built_;
      if (memory.status == simulation::EstimateStatus::kNotPrepared || needs_transfers) {
        wanting.push_back(one);
        continue;
      }
    }
    try {
      make_row(one, estimate, scratch);
    } catch (const core::Error& error) {
      fill({core::Diagnostic{{}, {}, error.what(), {}}}, *one.row);
    }
  }
  return wanting;
}

void SweepGroup::prepare(std::span<const Asked> asked) {
  std::vector<simulation::Configuration> all;
  all.reserve(asked.size());
  for (const Asked& one : asked) all.push_back(one.configuration);
  estimator_->prepare_memory(all, 1);
  if (!can_be_built_) return;
  std::erase_if(all, [&](const simulation::Configuration& c) {
    const simulation::MemoryEstimate memory = estimator_->memory(c);
    return memory.status != simulation::EstimateStatus::kOk || !memory.fits;
  });
  estimator_->prepare_unclaimed(all);
  estimator_->prepare(all, 1);
}

void SweepGroup::make_row(const Asked& asked, const simulation::Estimate& estimate,
                          Scratch& scratch) {
  switch (estimate.status) {
    case simulation::EstimateStatus::kOk:
      break;
    case simulation::EstimateStatus::kDoesNotDivide:
    case simulation::EstimateStatus::kNotTogether: {
      const auto problems = problems_of(asked.configuration, scratch.scenario);
      if (problems.empty()) return make_row_alone(base_, *asked.row);
      return fill(problems, *asked.row);
    }
    default:
      return make_row_alone(base_, *asked.row);
  }
  const bool with_run = base_.options.with_run;
  results_->set(asked.configuration, estimate, with_run, scratch.result);
  fill(scratch.result, base_.kind, with_run, *asked.row);
}

std::vector<core::Diagnostic> SweepGroup::problems_of(const simulation::Configuration& c,
                                                      simulation::Scenario& scenario) const {
  simulation::for_each_knob([&](const auto& knob) { knob.copy(c, scenario); });
  scenario.parallelism.etp = etp_;
  auto problems = simulation::software_problems(scenario.software, c.zero_stage, c.recompute, c.pp);
  models::Layout layout;
  for (auto& problem : models::make_layout(scenario.workload, scenario.parallelism,
                                           scenario.num_accelerators(), layout)) {
    problems.push_back(std::move(problem));
  }
  std::vector<core::Diagnostic> all;
  for (auto& problem : problems) {
    all.push_back({{}, std::move(problem.key), std::move(problem.message), {}});
  }
  return all;
}

}  // namespace railwright::planner
