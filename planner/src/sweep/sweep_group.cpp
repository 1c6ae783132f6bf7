// SPDX-License-Identifier: Apache-2.0
#include "sweep_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/software_checks.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/simulation/training/step_facts.hpp"
#include "railwright/topologies/assembly/nic_plan.hpp"

namespace railwright::planner {

namespace {

/// Values that divide whatever the model and the cluster are.
std::vector<std::string> sound_configuration(const simulation::Scenario& scenario) {
  std::vector<std::string> settings{"parallelism.tp=1",
                                    "parallelism.cp=1",
                                    "parallelism.ep=1",
                                    "parallelism.pp=1",
                                    "parallelism.virtual_stages=1",
                                    "parallelism.schedule=1f1b",
                                    "parallelism.sequence_parallel=false",
                                    "workload.micro_batch=1",
                                    "software.zero_stage=0",
                                    "software.recompute=none"};
  settings.push_back(fmt::format("workload.global_batch={}", scenario.num_accelerators()));
  if (scenario.parallelism.etp) settings.emplace_back("parallelism.etp=1");
  return settings;
}

/// Whether no table has entries for any configuration of it.
bool is_outside_tables(const simulation::Scenario& scenario) {
  const models::Offload& offload = scenario.software.offload;
  return models::vision_of(scenario.workload) != nullptr || scenario.workload.p_tuning ||
         offload.optimizer || offload.parameters ||
         !scenario.parallelism.layers_per_chunk.empty() || scenario.software.recompute_layers;
}

bool is_plain(const simulation::Scenario& scenario) {
  const simulation::RunPlan& run = scenario.run;
  return !scenario.cluster.storage && !scenario.reliability && !run.step_time &&
         run.start_up.base() == 0.0 && run.communicator_initialization.base() == 0.0 &&
         run.warm_up_steps == 0 && run.evaluation_interval_steps == 0 && run.incidents.empty() &&
         run.num_spares == 0 && scenario.checkpoint.interval_steps == 0 &&
         !scenario.checkpoint.interval && !scenario.checkpoint.at_end;
}

}  // namespace

SweepGround::SweepGround(const SweepBase& base, std::int64_t ground) : base_(base) {
  try {
    read(ground);
    if (checked_ && !goes_alone_) make_tables();
  } catch (const core::ConfigError& error) {
    problems_ = error.diagnostics();
  } catch (const core::Error& error) {
    problems_.push_back({{}, {}, error.what(), {}});
  }
}

void SweepGround::read(std::int64_t ground) {
  core::Node tree = simulation::with_settings(base_.tree, base_.grid.ground_settings(ground));
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

void SweepGround::make_tables() {
  const simulation::Scenario& scenario = checked_->scenario;
  built_ = checked_->topology->build(scenario.cluster);
  for (const core::Shortfall& one : built_->parts.shortfalls) reasons_.push_back({one.what});
  std::string missing = models::missing_reduction(built_->fabric, scenario.software.collectives);
  if (!missing.empty()) reasons_.push_back({std::move(missing)});
  is_plain_run_ = is_plain(scenario);
  for (const auto& [name, recompute] : core::EnumNames<models::Recompute>::kNames) {
    models::SoftwareProfile software = scenario.software;
    software.recompute.value = recompute;
    const simulation::StepWork work =
        simulation::step_work(scenario.workload, checked_->layout, software);
    const auto samples = static_cast<double>(scenario.workload.global_batch);
    model_work_.push_back(work.model / samples);
    hardware_work_.push_back(work.hardware / samples);
  }
  estimator_.emplace(*checked_);
}

std::int64_t SweepGround::weight() const {
  if (!checked_) return 1;
  // Its own fabric and its estimator's.
  return 2 * std::int64_t{checked_->scenario.num_accelerators()};
}

void SweepGround::make_rows(std::span<SweepRow> rows) {
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

std::vector<SweepGround::Asked> SweepGround::make_from_tables(std::span<const Asked> asked) {
  const simulation::Estimator& estimator = *estimator_;
  std::vector<Asked> wanting;
  for (const Asked& one : asked) {
    simulation::Estimate estimate;
    if (reasons_.empty()) estimate = estimator.estimate(one.configuration);
    if (estimate.status == simulation::EstimateStatus::kNotPrepared || !reasons_.empty()) {
      const simulation::MemoryEstimate memory = estimator.memory(one.configuration);
      estimate.status = memory.status;
      estimate.fits = memory.fits;
      estimate.memory = memory.memory;
      estimate.memory_stage = memory.stage;
      estimate.memory_lines = memory.lines;
      const bool needs_transfers =
          memory.status == simulation::EstimateStatus::kOk && memory.fits && reasons_.empty();
      if (memory.status == simulation::EstimateStatus::kNotPrepared || needs_transfers) {
        wanting.push_back(one);
        continue;
      }
    }
    try {
      make_row(one, estimate);
    } catch (const core::Error& error) {
      fill({core::Diagnostic{{}, {}, error.what(), {}}}, *one.row);
    }
  }
  return wanting;
}

void SweepGround::prepare(std::span<const Asked> asked) {
  std::vector<simulation::Configuration> all;
  all.reserve(asked.size());
  for (const Asked& one : asked) all.push_back(one.configuration);
  estimator_->prepare_memory(all, 1);
  if (!reasons_.empty()) return;
  std::erase_if(all, [&](const simulation::Configuration& c) {
    const simulation::MemoryEstimate memory = estimator_->memory(c);
    return memory.status != simulation::EstimateStatus::kOk || !memory.fits;
  });
  estimator_->prepare_unclaimed(all);
  estimator_->prepare(all, 1);
}

void SweepGround::make_row(const Asked& asked, const simulation::Estimate& estimate) {
  switch (estimate.status) {
    case simulation::EstimateStatus::kOk:
      break;
    case simulation::EstimateStatus::kDoesNotDivide:
    case simulation::EstimateStatus::kNotTogether: {
      const auto problems = problems_of(asked.configuration);
      if (problems.empty()) return make_row_alone(base_, *asked.row);
      return fill(problems, *asked.row);
    }
    default:
      return make_row_alone(base_, *asked.row);
  }
  set_memory(asked, estimate);
  if (!reasons_.empty() || !estimate.fits) {
    return set_infeasible(asked, estimate.memory_lines, estimate.memory_stage, estimate.memory,
                          estimate.fits);
  }
  asked.row->state = PointState::kFeasible;
  if (base_.options.with_run) set_run(asked, estimate.breakdown);
  if (asked.row->state == PointState::kFeasible) set_times(asked, estimate.breakdown);
}

void SweepGround::set_memory(const Asked& asked, const simulation::Estimate& estimate) const {
  SweepRow& row = *asked.row;
  const simulation::Configuration& c = asked.configuration;
  const simulation::Scenario& scenario = checked_->scenario;
  const int dp = scenario.num_accelerators() / (c.tp * c.cp * c.pp);
  models::Layout layout;
  layout.pp = c.pp;
  layout.virtual_stages = c.virtual_stages;
  layout.schedule = c.schedule;
  layout.num_microbatches =
      static_cast<int>(c.global_batch / (static_cast<std::int64_t>(dp) * c.micro_batch));
  row[SweepOutput::kNumAccelerators] = scenario.num_accelerators();
  row[SweepOutput::kDp] = dp;
  row[SweepOutput::kNumMicrobatches] = layout.num_microbatches;
  row[SweepOutput::kMemory] = estimate.memory.base();
  row[SweepOutput::kMemoryCapacity] = scenario.cluster.node.accelerator.memory.value.base();
  row[SweepOutput::kBubble] = models::bubble_fraction(layout);
}

void SweepGround::set_infeasible(const Asked& asked, const models::MemoryBytes& lines, int stage,
                                 core::DataSize memory, bool fits) const {
  std::vector<simulation::Infeasibility> reasons = reasons_;
  if (!fits) {
    const auto largest = static_cast<std::size_t>(std::ranges::max_element(lines) - lines.begin());
    reasons.push_back(
        {simulation::memory_shortage({.stage = stage,
                                      .total = memory,
                                      .largest = models::kMemoryItemNames[largest],
                                      .largest_size = core::DataSize::from_base(lines[largest])},
                                     checked_->scenario.cluster.node.accelerator.memory.value)});
  }
  asked.row->state = PointState::kInfeasible;
  asked.row->note = joined(reasons);
}

std::vector<core::Diagnostic> SweepGround::problems_of(const simulation::Configuration& c) const {
  const simulation::Scenario& scenario = checked_->scenario;
  models::Training workload = scenario.workload;
  workload.micro_batch = c.micro_batch;
  workload.global_batch = static_cast<int>(c.global_batch);
  models::Parallelism p = scenario.parallelism;
  p.tp = c.tp;
  p.cp = c.cp;
  p.ep = c.ep;
  p.etp = etp_;
  p.pp = c.pp;
  p.virtual_stages = c.virtual_stages;
  p.schedule = c.schedule;
  p.sequence_parallel = c.sequence_parallel;
  auto problems = simulation::software_problems(scenario.software, c.zero_stage, c.recompute, c.pp);
  models::Layout layout;
  for (auto& problem : models::make_layout(workload, p, scenario.num_accelerators(), layout)) {
    problems.push_back(std::move(problem));
  }
  std::vector<core::Diagnostic> all;
  for (auto& problem : problems) {
    all.push_back({{}, std::move(problem.key), std::move(problem.message), {}});
  }
  return all;
}

}  // namespace railwright::planner
