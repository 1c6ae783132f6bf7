// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/verbs/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/core/units/text.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/planner/estimate/estimate.hpp"

namespace railwright::planner {

namespace {

std::string_view in_words(Cause cause) {
  static constexpr std::array<std::string_view, kCauseNames.size()> kWords{
      "matrix products",
      "attention",
      "memory-bound kernels",
      "gaps between kernels",
      "tensor-parallel communication over the scale-up domain",
      "transfers between pipeline stages over the NICs",
      "the pipeline bubble",
      "gradient reduction over the NICs",
      "parameter gathering over the NICs",
      "the optimizer"};
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
  infeasible.push_back({fmt::format(
      "an accelerator of stage {} needs {} of its {} memory, {} too much; most of it {}, {}",
      use.stage, core::to_text(use.total()), core::to_text(capacity),
      core::to_text(use.total() - capacity), largest->name, core::to_text(largest->size))});
}

void run_step(const CheckedScenario& checked, const core::Fabric& fabric,
              const SimulateOptions& options, SimulationResult& result) {
  if (result.method == Method::kEstimate) {
    result.breakdown = estimate_step(checked, *checked.topology);
    result.step_time = result.breakdown.total();
    return;
  }
  const StepCosts costs = step_costs(checked, fabric);
  StepResult step = simulate_step(costs, options.symmetry);
  result.breakdown = step.breakdown;
  result.step_time = step.step_time;
  result.loads = tier_loads(fabric, costs.capacity, step.link_bytes, step.step_time);
  result.busiest_links = busiest_links(fabric, costs.capacity, step.link_bytes, step.step_time);
  if (options.trace) result.trace = trace_step(costs, fabric, options.symmetry);
}

}  // namespace

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options) {
  const Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  SimulationResult result;
  result.name = scenario.name;
  result.method = options.method;
  result.layout = checked.layout;
  result.num_parameters = models::num_parameters(training.model);
  result.tokens_per_step = models::tokens_per_step(training);
  result.steps = training.steps;
  result.num_accelerators = scenario.num_accelerators();
  result.bubble_fraction = models::bubble_fraction(checked.layout);
  result.memory = models::largest_memory_use(training, checked.layout, scenario.software);
  result.memory_capacity = scenario.cluster.node.accelerator.memory.value;

  const topologies::BuiltCluster built = checked.topology->build(scenario.cluster);
  result.parts = built.parts;
  result.bisection = built.fabric.bisection_bandwidth();
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back({shortfall.what});
  }
  const std::string missing =
      models::missing_reduction(built.fabric, scenario.software.collectives);
  if (!missing.empty()) result.infeasible.push_back({missing});
  check_memory(result.memory, result.memory_capacity, result.infeasible);
  if (!result.feasible()) return result;

  run_step(checked, built.fabric, options, result);
  result.run = simulate_run(checked, built.fabric, result.step_time);
  result.tokens_per_s = static_cast<double>(result.tokens_per_step) / result.step_time.base();
  const core::ComputeRate rate =
      models::training_work_per_token(training.model, training.sequence_length) *
      static_cast<double>(result.tokens_per_step) / result.step_time;
  const core::ComputeRate peak =
      scenario.cluster.node.accelerator.peak_rate(scenario.software.precision.value)
          .value_or(core::ComputeRate{});
  result.model_flops_utilization = rate / (peak * result.num_accelerators);
  result.limit = limit_of(result.breakdown);
  return result;
}

}  // namespace railwright::planner
