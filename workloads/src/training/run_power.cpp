// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/run_power.hpp"

#include <numeric>

#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using models::Activity;

models::ActivityTimes times_of(const Breakdown& breakdown) {
  models::ActivityTimes times{};
  for (std::size_t i = 0; i < kCauses.size(); ++i) {
    times[static_cast<std::size_t>(activity_of(static_cast<Cause>(i)))] += breakdown.time[i];
  }
  return times;
}

}  // namespace

bool is_like_steps(RunCause cause) {
  return cause == RunCause::kSteps || cause == RunCause::kSlowSteps ||
         cause == RunCause::kEvaluation || cause == RunCause::kLostWork;
}

models::NodePowerByPart power_in_a_step(const models::NodePower& node, const Breakdown& breakdown) {
  return node.mean(times_of(breakdown));
}

Activity activity_of(Cause cause) {
  switch (cause) {
    case Cause::kMatrixProducts:
    case Cause::kAttention:
    case Cause::kElementwise:
    case Cause::kKernelGaps:
    case Cause::kOverlapSlowdown:
    case Cause::kOptimizer:
      return Activity::kCompute;
    case Cause::kTensorParallel:
    case Cause::kExpertParallel:
    case Cause::kContextParallel:
    case Cause::kPipelineTransfer:
    case Cause::kPipelineBubble:
    case Cause::kGradientReduce:
    case Cause::kParameterGather:
      return Activity::kCommunication;
    case Cause::kOverhead:
      return Activity::kIdle;
  }
  return Activity::kIdle;
}

core::Energy RunPower::total_energy() const {
  return std::accumulate(energy.begin(), energy.end(), core::Energy{});
}

double RunPower::carbon_kg() const { return models::carbon_kg(total_energy(), carbon_intensity); }

RunPower run_power(const Scenario& scenario, const core::PartsList& parts,
                   const Breakdown& breakdown, const JobRun& run) {
  RunPower power;
  power.node = models::node_power(scenario.cluster.node, scenario.power);
  power.pue = scenario.power.pue;
  power.liquid_cooled_share = scenario.cluster.node.liquid_cooled_share.value;
  power.carbon_intensity = scenario.power.carbon_intensity;
  power.time = run.training_time();
  const models::NodePowerByPart& idle = power.node.parts_of(Activity::kIdle);
  const auto with_nodes = [&](const models::NodePowerByPart& of_a_node) {
    return models::power_by_part(
        parts, of_a_node * scenario.cluster.num_nodes + idle * scenario.run.num_spares);
  };
  const models::NodePowerByPart in_a_step = power_in_a_step(power.node, breakdown);
  power.node_step = in_a_step.total();
  power.step = with_nodes(in_a_step);
  power.idle = with_nodes(idle);
  power.peak = with_nodes(power.node.parts_of(Activity::kCompute));

  models::NodePowerByPart of_nodes;
  core::Duration time;
  for (std::size_t i = 0; i < kNumRunCauses; ++i) {
    const bool in_steps = is_like_steps(static_cast<RunCause>(i));
    const models::PowerByPart& drawn = in_steps ? power.step : power.idle;
    const auto spent = core::Duration::from_base(run.time_s[i]);
    power.energy[i] = drawn.equipment() * power.pue * spent;
    of_nodes += drawn.nodes * spent.base();
    time += spent;
  }
  const bool has_run = time > core::Duration{};
  power.mean =
      models::power_by_part(parts, has_run ? of_nodes * (1.0 / time.base()) : power.idle.nodes);
  const auto steps = static_cast<double>(scenario.workload.steps);
  power.samples = steps * static_cast<double>(scenario.workload.global_batch);
  power.tokens = steps * static_cast<double>(models::tokens_per_step(scenario.workload));
  return power;
}

RunPower power_of_steps(const Scenario& scenario, const core::PartsList& parts,
                        const Breakdown& breakdown) {
  JobRun run;
  const double seconds = breakdown.total().base() * static_cast<double>(scenario.workload.steps);
  run.time_s[static_cast<std::size_t>(RunCause::kSteps)] = seconds;
  run.training_time_s.mean = seconds;
  return run_power(scenario, parts, breakdown, run);
}

}  // namespace railwright::simulation
