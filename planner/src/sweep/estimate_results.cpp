// SPDX-License-Identifier: Apache-2.0
#include "estimate_results.hpp"

#include <cmath>
#include <span>

#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "railwright/workloads/training/fit_checks.hpp"

namespace railwright::planner {

namespace {

bool is_plain(const simulation::Scenario& scenario) {
  const simulation::RunPlan& run = scenario.run;
  return !scenario.cluster.storage && !scenario.reliability && !run.step_time &&
         run.start_up.base() == 0.0 && run.communicator_initialization.base() == 0.0 &&
         run.warm_up_steps == 0 && run.evaluation_interval_steps == 0 && run.incidents.empty() &&
         run.num_spares == 0 && scenario.checkpoint.interval_steps == 0 &&
         !scenario.checkpoint.interval && !scenario.checkpoint.at_end;
}

/// Rounds up to whole nanoseconds, as a run's clock does; times over a century stay unrounded.
double time_of_steps(double step_time, std::int64_t steps) {
  constexpr double kCentury = 100 * 365.25 * 86400;
  const double time = step_time * static_cast<double>(steps);
  return time > kCentury ? time : std::ceil(time * 1e9) * 1e-9;
}

simulation::JobRun steps_alone(double time) {
  simulation::JobRun run;
  run.time_s[static_cast<std::size_t>(simulation::RunCause::kSteps)] = time;
  run.training_time_s = {.mean = time, .low = time, .high = time};
  run.effective_training_time = {.mean = 1.0, .low = 1.0, .high = 1.0};
  return run;
}

simulation::StepWork times(const simulation::StepWork& work, double factor) {
  return {.model = work.model * factor,
          .causal = work.causal * factor,
          .hardware = work.hardware * factor};
}

}  // namespace

EstimateResults::EstimateResults(const simulation::CheckedScenario& checked,
                                 const topologies::BuiltCluster& built)
    : checked_(checked), built_(built), base_(facts_of_design(checked, built)) {
  const simulation::Scenario& scenario = checked.scenario;
  is_plain_run_ = is_plain(scenario);
  base_.method = simulation::Method::kEstimate;
  const std::int64_t samples = scenario.workload.global_batch;
  tokens_per_sample_ = models::tokens_per_step(scenario.workload) / samples;
  for (const auto& [name, recompute] : core::kWordsOf<models::Recompute>) {
    models::SoftwareProfile software = scenario.software;
    software.recompute.value = recompute;
    work_.push_back(times(simulation::step_work(scenario.workload, checked.layout, software),
                          1.0 / static_cast<double>(samples)));
  }
}

void EstimateResults::set(const simulation::Configuration& c, const simulation::Estimate& estimate,
                          bool with_run, simulation::SimulationResult& result) const {
  set_work(c, result);
  result.infeasible = base_.infeasible;
  result.memory.stage = estimate.memory_stage;
  result.memory.lines.clear();
  for (std::size_t i = 0; i < models::kMemoryItemNames.size(); ++i) {
    const double bytes = estimate.memory_lines[i];
    result.memory.lines.push_back({models::kMemoryItemNames[i], core::DataSize::from_base(bytes)});
  }
  result.memory_reserved =
      models::reserved_memory(result.memory, checked_.scenario.software, result.memory_capacity);
  check_memory(result.memory, result.memory_capacity, result.infeasible);
  if (!result.feasible()) return;
  result.breakdown = estimate.breakdown;
  result.step_time = estimate.breakdown.total();
  const auto samples = static_cast<double>(c.global_batch);
  set_step_facts(checked_.scenario, times(work_[static_cast<std::size_t>(c.recompute)], samples),
                 result);
  if (with_run) set_run(c, result);
}

void EstimateResults::set_work(const simulation::Configuration& c,
                               simulation::SimulationResult& result) const {
  models::Layout& layout = result.layout;
  for (std::size_t i = 0; i < models::kDimensions<models::Layout>.size(); ++i) {
    layout.*models::kDimensions<models::Layout>[i].second =
        c.*models::kDimensions<simulation::Configuration>[i].second;
  }
  layout.etp = c.etp;
  layout.dp = result.num_accelerators / simulation::ranks_of_replica(c);
  layout.virtual_stages = c.virtual_stages;
  layout.schedule = c.schedule;
  layout.sequence_parallel = c.sequence_parallel;
  layout.num_microbatches =
      static_cast<int>(c.global_batch / (static_cast<std::int64_t>(layout.dp) * c.micro_batch));
  result.samples_per_step = c.global_batch;
  result.tokens_per_step = tokens_per_sample_ * c.global_batch;
  result.bubble_fraction = models::bubble_fraction(layout);
}

void EstimateResults::set_run(const simulation::Configuration& c,
                              simulation::SimulationResult& result) const {
  const simulation::Scenario& scenario = checked_.scenario;
  if (is_plain_run_) {
    result.run.jobs.assign(
        1, steps_alone(time_of_steps(result.step_time.base(), scenario.workload.steps)));
  } else {
    const simulation::CheckedScenario checked = with_configuration(checked_, c);
    const simulation::RunJob job{
        .checked = &checked,
        .step_time = scenario.run.step_time.value_or(result.step_time),
        .start = {},
        .degraded_link_speed = simulation::degraded_link_speed(
            checked, built_.fabric, {.method = base_.method}, result.step_time)};
    result.run = simulate_run(std::span(&job, 1), built_.fabric, scenario.run, {.num_threads = 1});
  }
  finish_run(scenario, built_.parts, result);
}

}  // namespace railwright::planner
