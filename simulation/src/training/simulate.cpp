// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/training/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "railwright/core/units/text.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/training/step_facts.hpp"
#include "smallest_change.hpp"

namespace railwright::simulation {

namespace {

std::string_view in_words(Cause cause) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"matrix products", "attention", "memory-bound kernels", "gaps between kernels",
       "tensor-parallel communication", "expert-parallel communication",
       "context-parallel communication", "transfers between pipeline stages", "the pipeline bubble",
       "gradient reduction", "parameter gathering", "the optimizer",
       "what a step takes beside its operations"});
  static_assert(kWords.size() == kCauseNames.size());
  return kWords[static_cast<std::size_t>(cause)];
}

/// "matrix products limit the step with 71 % of its time, next ... with 6.1 %".
std::string limit_of(const Breakdown& breakdown) {
  const auto causes = causes_by_time(breakdown);
  const auto share = [&](Cause cause) { return 100.0 * (breakdown[cause] / breakdown.total()); };
  const bool plural = causes[0] == Cause::kMatrixProducts || causes[0] == Cause::kElementwise ||
                      causes[0] == Cause::kKernelGaps || causes[0] == Cause::kPipelineTransfer;
  return fmt::format("{} limit{} the step with {:.3g} % of its time, next {} with {:.3g} %",
                     in_words(causes[0]), plural ? "" : "s", share(causes[0]), in_words(causes[1]),
                     share(causes[1]));
}

void check_memory(const models::MemoryUse& use, core::DataSize capacity,
                  std::vector<Infeasibility>& infeasible) {
  if (use.total() <= capacity) return;
  const auto largest = std::ranges::max_element(
      use.lines, {}, [](const models::MemoryLine& line) { return line.size.base(); });
  infeasible.push_back({memory_shortage({.stage = use.stage,
                                         .total = use.total(),
                                         .largest = largest->name,
                                         .largest_size = largest->size},
                                        capacity)});
}

void check_tiers(const std::vector<models::TierUse>& tiers,
                 std::vector<Infeasibility>& infeasible) {
  for (const models::TierUse& use : tiers) {
    if (use.total() <= use.capacity) continue;
    infeasible.push_back({fmt::format(
        "a node keeps {} in {} of {}, {} too much: parameters {}, gradients {}, optimizer state {}",
        core::to_text(use.total()), use.tier, core::to_text(use.capacity),
        core::to_text(use.total() - use.capacity), core::to_text(use.parameters),
        core::to_text(use.gradients), core::to_text(use.optimizer_state))});
  }
}

void run_step(const CheckedScenario& checked, const core::Fabric& fabric,
              const SimulateOptions& options, SimulationResult& result) {
  const StepCosts costs = step_costs(checked, fabric);
  if (result.method == Method::kEstimate) {
    result.breakdown = estimate_step(costs);
    result.step_time = result.breakdown.total();
    return;
  }
  StepResult step = simulate_step(costs, options.symmetry);
  result.breakdown = step.breakdown;
  result.step_time = step.step_time;
  result.loads = tier_loads(fabric, costs.capacity, step.link_bytes, step.step_time);
  result.busiest_links = busiest_links(fabric, costs.capacity, step.link_bytes, step.step_time);
  const auto& storage = checked.scenario.cluster.storage;
  if (storage && storage->network == topologies::StorageAttachment::kScaleOut) {
    result.link_bytes = std::move(step.link_bytes);
  }
  if (options.trace) result.trace = trace_step(costs, fabric, options.symmetry);
}

void add_utilizations(const Scenario& scenario, const models::Layout& layout,
                      SimulationResult& result) {
  const core::ComputeRate peak =
      scenario.cluster.node.accelerator.peak_rate(scenario.software.precision.value)
          .value_or(core::ComputeRate{});
  const auto utilization = [&](core::Work of_step) {
    return of_step / result.step_time / (peak * result.num_accelerators);
  };
  const StepWork work = step_work(scenario.workload, layout, scenario.software);
  result.model_flops_utilization = utilization(work.model);
  result.model_flops_utilization_causal = utilization(work.causal);
  result.hardware_flops_utilization = utilization(work.hardware);
}

}  // namespace

void check_run(const RunResult& run, std::vector<Infeasibility>& reasons) {
  if (run.is_beyond_clock) {
    core::Duration longest;
    for (const JobRun& job : run.jobs) longest = std::max(longest, job.training_time());
    reasons.push_back(
        {fmt::format("the run takes {} in steps and checkpoints alone; what storage, failures and "
                     "incidents do to it is simulated for 100 years at most",
                     core::to_text(longest))});
    return;
  }
  for (const JobRun& job : run.jobs) {
    if (job.num_given_up == 0) continue;
    const std::string name = run.jobs.size() > 1 ? job.name + ": " : std::string();
    if (!(job.mean_time_to_interruption > core::Duration{}) ||
        job.mean_time_to_interruption == core::Duration::infinity()) {
      reasons.push_back(
          {fmt::format("{}{} of {} simulated runs never finish: more storage nodes are down than "
                       "their protection "
                       "survives, and reliability.repair does not bring them back in time",
                       name, job.num_given_up, run.num_replicas)});
      continue;
    }
    reasons.push_back({fmt::format(
        "{}{} of {} simulated runs never finish: interrupted every {}, with {} of checkpoint to "
        "write and {} "
        "to read back",
        name, job.num_given_up, run.num_replicas, core::to_text(job.mean_time_to_interruption),
        core::to_text(job.checkpoint.time), core::to_text(job.restore.time))});
  }
  for (const JobRun& job : run.jobs) {
    if (!job.local || job.local->max_used <= job.local->capacity) continue;
    const std::string name = run.jobs.size() > 1 ? job.name + ": " : std::string();
    reasons.push_back({fmt::format(
        "{}checkpoints and what is offloaded take {} of a node's local tier that holds {}, {} "
        "too much; fewer are kept with checkpoint.local.retention",
        name, core::to_text(job.local->max_used), core::to_text(job.local->capacity),
        core::to_text(job.local->max_used - job.local->capacity))});
  }
  for (const JobRun& job : run.jobs) {
    if (job.host_memory == core::DataSize{} || job.snapshot <= job.host_memory) continue;
    reasons.push_back({fmt::format(
        "{}the snapshot of an asynchronous checkpoint takes {} of a node's host memory of {}, {} "
        "too much; checkpoint.mode synchronous needs none",
        run.jobs.size() > 1 ? job.name + ": " : std::string(), core::to_text(job.snapshot),
        core::to_text(job.host_memory), core::to_text(job.snapshot - job.host_memory))});
  }
  const StorageRun& storage = run.storage;
  if (storage.max_used <= storage.usable) return;
  reasons.push_back({fmt::format(
      "files and checkpoints take {} of storage that holds {}, {} too much; fewer checkpoints are "
      "kept with checkpoint.retention",
      core::to_text(storage.max_used), core::to_text(storage.usable),
      core::to_text(storage.max_used - storage.usable))});
}

SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built,
                                      const SimulateOptions& options) {
  const Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  SimulationResult result;
  result.name = scenario.name;
  result.method = options.method;
  result.layout = checked.layout;
  result.basis = checked.basis;
  result.num_parameters = models::num_parameters(training.model);
  result.samples_per_step = training.global_batch;
  result.tokens_per_step = models::tokens_per_step(training);
  result.steps = training.steps;
  result.num_accelerators = scenario.num_accelerators();
  result.bubble_fraction = models::bubble_fraction(checked.layout);
  result.memory = models::largest_memory_use(training, checked.layout, scenario.software);
  result.memory_capacity = scenario.cluster.node.accelerator.memory.value;

  result.tiers = models::node_tier_uses(training, checked.layout, scenario.software,
                                        scenario.cluster.node.num_accelerators.value);

  if (const auto& storage = scenario.cluster.storage) {
    result.storage_raw_capacity = models::raw_capacity(storage->node, storage->count);
    result.storage_usable_capacity =
        models::usable_capacity(storage->node, storage->count, storage->data_reduction);
  }

  result.parts = built.parts;
  result.bisection = built.fabric.bisection_bandwidth();
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back({shortfall.what});
  }
  const std::string missing =
      models::missing_reduction(built.fabric, scenario.software.collectives);
  if (!missing.empty()) result.infeasible.push_back({missing});
  check_tiers(result.tiers, result.infeasible);
  const bool rest_fits = result.feasible();
  check_memory(result.memory, result.memory_capacity, result.infeasible);
  if (!result.feasible()) {
    if (rest_fits) result.smallest_change = smallest_change(checked, built.fabric);
    return result;
  }

  run_step(checked, built.fabric, options, result);
  result.step_time_low = result.step_time * scenario.installation.step_time_low.value;
  result.step_time_high = result.step_time * scenario.installation.step_time_high.value;
  result.samples_per_s = static_cast<double>(result.samples_per_step) / result.step_time.base();
  result.tokens_per_s = static_cast<double>(result.tokens_per_step) / result.step_time.base();
  add_utilizations(scenario, checked.layout, result);
  result.limit = limit_of(result.breakdown);
  return result;
}

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options) {
  const topologies::BuiltCluster built = checked.topology->build(checked.scenario.cluster);
  SimulationResult result = simulate_without_run(checked, built, options);
  if (!result.feasible()) return result;
  const RunJob job{.checked = &checked,
                   .step_time = checked.scenario.run.step_time.value_or(result.step_time),
                   .start = {},
                   .first_node = 0,
                   .link_bytes = result.link_bytes};
  result.run = simulate_run(std::span(&job, 1), built.fabric, checked.scenario.run,
                            {.trace = options.trace, .tell = options.tell});
  check_run(result.run, result.infeasible);
  result.power = run_power(checked.scenario, built.parts, result.breakdown, result.run.job());
  if (checked.scenario.prices) {
    result.cost = run_cost(checked.scenario, built.parts, *result.power);
  }
  return result;
}

}  // namespace railwright::simulation
