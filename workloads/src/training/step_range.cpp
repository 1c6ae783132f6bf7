// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/step_range.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/layer_computation.hpp"

namespace railwright::simulation {

namespace {

constexpr std::string_view kAccelerator = "cluster.node.accelerator.";

/// Whether a measurement says how long steps take, whatever the accelerator's constants are.
bool is_measured(const Scenario& scenario) {
  const models::Installation& site = scenario.installation;
  return scenario.run.step_time || site.compute_efficiency.estimate || site.nic_efficiency.estimate;
}

double ratio(core::Duration after, core::Duration before) {
  return before.base() > 0.0 ? after / before : 1.0;
}

/// Returns the step's time over that of `result`, if its computation takes `after` in place of
/// `before`. The bubble lengthens with the passes; transfers stay as hidden as they were.
double step_factor(const models::ComputeCost& before, const models::ComputeCost& after,
                   const SimulationResult& result) {
  const Breakdown& step = result.breakdown;
  const core::Duration longer =
      step[Cause::kMatrixProducts] * (ratio(after.matrix, before.matrix) - 1.0) +
      step[Cause::kAttention] * (ratio(after.attention, before.attention) - 1.0);
  core::Duration passes;
  for (const Cause cause :
       {Cause::kMatrixProducts, Cause::kAttention, Cause::kElementwise, Cause::kKernelGaps,
        Cause::kTensorParallel, Cause::kExpertParallel, Cause::kContextParallel}) {
    passes += step[cause];
  }
  const core::Duration bubble = step[Cause::kPipelineBubble] * ratio(longer, passes);
  return (result.step_time + longer + (passes.base() > 0.0 ? bubble : core::Duration{})) /
         result.step_time;
}

}  // namespace

std::vector<StepRange> step_ranges(const core::Node& tree, const core::Catalogue& catalogue,
                                   const CheckedScenario& checked, const SimulationResult& result) {
  std::vector<StepRange> ranges;
  if (is_measured(checked.scenario)) return ranges;
  std::vector<RangedNumber> numbers = ranged_numbers(tree, catalogue);
  std::erase_if(numbers,
                [](const RangedNumber& one) { return !one.path.starts_with(kAccelerator); });
  if (numbers.empty()) return ranges;
  const models::ComputeCost before = layer_computation(checked);
  const auto at = [&](const RangedNumber& number, const core::Node& end) {
    const CheckedScenario changed =
        ScenarioSource(with_number(tree, number, end), catalogue).checked_without_basis();
    return step_factor(before, layer_computation(changed), result);
  };
  for (RangedNumber& number : numbers) {
    const double low = at(number, number.low);
    const double high = at(number, number.high);
    if (low == high) continue;
    ranges.push_back({.number = std::move(number), .at_low = low, .at_high = high});
  }
  return ranges;
}

void widen_by(std::span<const StepRange> ranges, SimulationResult& result) {
  double faster = 0.0;
  double slower = 0.0;
  for (const StepRange& one : ranges) {
    faster = std::hypot(faster, std::min(0.0, std::log(std::min(one.at_low, one.at_high))));
    slower = std::hypot(slower, std::max(0.0, std::log(std::max(one.at_low, one.at_high))));
  }
  result.step_time_low = std::min(result.step_time_low, result.step_time * std::exp(-faster));
  result.step_time_high = std::max(result.step_time_high, result.step_time * std::exp(slower));
}

}  // namespace railwright::simulation
