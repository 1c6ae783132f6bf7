// SPDX-License-Identifier: Apache-2.0
// Times of a row: from an estimate's breakdown, or from the simulation of the point alone.
#include <cmath>

#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "sweep_group.hpp"

namespace railwright::planner {

namespace {

/// Steps take whole nanoseconds together; beyond a century they are counted without a clock.
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

}  // namespace

void SweepGround::set_times(const Asked& asked, const simulation::Breakdown& breakdown) const {
  SweepRow& row = *asked.row;
  const simulation::Configuration& c = asked.configuration;
  const simulation::Scenario& scenario = checked_->scenario;
  const core::Duration step_time = breakdown.total();
  const double samples = static_cast<double>(c.global_batch);
  row[SweepOutput::kStepTime] = step_time.base();
  row[SweepOutput::kSamplesPerS] = samples / step_time.base();
  const auto base_samples = static_cast<double>(scenario.workload.global_batch);
  const auto tokens_per_sample =
      static_cast<double>(models::tokens_per_step(scenario.workload)) / base_samples;
  row[SweepOutput::kTokensPerS] = tokens_per_sample * samples / step_time.base();
  const core::ComputeRate peak =
      scenario.cluster.node.accelerator.peak_rate(scenario.software.precision.value)
          .value_or(core::ComputeRate{}) *
      scenario.num_accelerators();
  const auto mode = static_cast<std::size_t>(c.recompute);
  row[SweepOutput::kModelUtilization] = model_work_[mode] * samples / step_time / peak;
  row[SweepOutput::kHardwareUtilization] = hardware_work_[mode] * samples / step_time / peak;
  for (std::size_t i = 0; i < simulation::kCauseNames.size(); ++i) {
    row.numbers[static_cast<std::size_t>(SweepOutput::kFirstCause) + i] = breakdown.time[i].base();
  }
}

void SweepGround::set_run(const Asked& asked, const simulation::Breakdown& breakdown) const {
  SweepRow& row = *asked.row;
  const core::Duration step_time = breakdown.total();
  const simulation::Scenario& scenario = checked_->scenario;
  simulation::RunResult result;
  if (is_plain_run_) {
    result.jobs.push_back(steps_alone(time_of_steps(step_time.base(), scenario.workload.steps)));
  } else {
    const simulation::CheckedScenario checked = with_configuration(*checked_, asked.configuration);
    const simulation::RunJob job{
        .checked = &checked, .step_time = scenario.run.step_time.value_or(step_time), .start = {}};
    result = simulate_run(std::span(&job, 1), built_->fabric, scenario.run, {.num_threads = 1});
  }
  std::vector<simulation::Infeasibility> reasons;
  check_run(result, reasons);
  if (!reasons.empty()) {
    row.state = PointState::kInfeasible;
    row.note = joined(reasons);
    return;
  }
  const simulation::JobRun& run = result.job();
  row[SweepOutput::kTrainingTime] = run.training_time().base();
  row[SweepOutput::kEffectiveTime] = run.effective_training_time.mean;
  row[SweepOutput::kCheckpointBytes] = static_cast<double>(run.checkpoint.bytes);
  row[SweepOutput::kCheckpointTime] = run.checkpoint.time.base();
  row[SweepOutput::kNumCheckpoints] = run.num_checkpoints;
  if (result.storage.num_nodes > 0) row[SweepOutput::kRestoreTime] = run.restore.time.base();
  const simulation::RunPower power = run_power(scenario, built_->parts, breakdown, run);
  row[SweepOutput::kMeanPower] = power.mean_power().base();
  row[SweepOutput::kEnergy] = power.total_energy().base();
  if (!scenario.prices) return;
  row[SweepOutput::kRunCost] = run_cost(scenario, built_->parts, power).run.base();
}

void make_row_alone(const SweepBase& base, SweepRow& row) {
  try {
    const simulation::CheckedScenario checked = simulation::read_scenario(
        simulation::with_settings(base.tree, base.grid.settings(row.point)), base.catalogue);
    const simulation::SimulateOptions options{.method = base.options.method};
    if (base.options.with_run) {
      fill(simulate(checked, options), true, row);
      return;
    }
    simulation::SimulationResult result =
        simulate_without_run(checked, checked.topology->build(checked.scenario.cluster), options);
    result.run.jobs.emplace_back();
    fill(result, false, row);
  } catch (const core::ConfigError& error) {
    fill(error.diagnostics(), row);
  } catch (const core::Error& error) {
    fill({core::Diagnostic{{}, {}, error.what(), {}}}, row);
  }
}

}  // namespace railwright::planner
