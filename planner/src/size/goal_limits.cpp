// SPDX-License-Identifier: Apache-2.0
#include "goal_limits.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/planner/size/time_spread.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/step_facts.hpp"

namespace railwright::planner {

namespace {

/// Returns the goal in tokens; 0 if the workload's steps are the goal.
double goal_tokens(const simulation::Goals& goals, const models::Training& workload) {
  if (!goals.tokens_per_parameter) return goals.tokens.value_or(0.0);
  return *goals.tokens_per_parameter * static_cast<double>(models::num_parameters(workload.model));
}

/// Whether variants change what `is_of` says of a setting.
template <class IsOf>
bool variants_change(const simulation::Scenario& scenario, const IsOf& is_of) {
  return scenario.search &&
         std::ranges::any_of(scenario.search->variants, [&](const simulation::Variant& variant) {
           return std::ranges::any_of(variant.set, is_of);
         });
}

/// Returns the samples of the whole training; nullopt if they depend on the batch that is found.
std::optional<double> goal_samples(const simulation::Goals& goals,
                                   const models::Training& workload) {
  const auto batch = static_cast<double>(workload.global_batch);
  const double tokens = goal_tokens(goals, workload);
  if (tokens > 0.0) return tokens * batch / static_cast<double>(models::tokens_per_step(workload));
  if (goals.max_global_batch) return {};
  return batch * static_cast<double>(workload.steps);
}

/// Returns the highest rate of products in precisions no narrower than the software's.
core::ComputeRate highest_rate(const simulation::Scenario& scenario) {
  core::ComputeRate highest;
  for (const auto& [name, precision] : core::kWordsOf<core::Precision>) {
    if (core::bytes_of(precision) < core::bytes_of(scenario.software.precision.value)) continue;
    const auto rate = scenario.cluster.node.accelerator.peak_rate(precision);
    if (rate) highest = std::max(highest, *rate);
  }
  return highest;
}

}  // namespace

std::int64_t steps_of(const simulation::Goals& goals, const models::Training& workload) {
  const double tokens = goal_tokens(goals, workload);
  if (tokens == 0.0) return workload.steps;
  return std::llround(std::ceil(tokens / static_cast<double>(models::tokens_per_step(workload))));
}

bool changes_samples(const simulation::Scenario& scenario) {
  return variants_change(scenario, [](const std::string& setting) {
    return setting.starts_with("workload") || setting.starts_with("installation");
  });
}

double site_factor_of(const simulation::Scenario& scenario) {
  return site_factor(scenario.installation.step_time_low.value,
                     scenario.installation.step_time_high.value, scenario.goals->confidence);
}

std::optional<core::Duration> max_time_per_sample(const simulation::Scenario& scenario) {
  const simulation::Goals& goals = *scenario.goals;
  const std::optional<double> samples = goal_samples(goals, scenario.workload);
  if (goals.confidence < 0.5 || !samples || changes_samples(scenario)) return {};
  return goals.deadline / *samples / site_factor_of(scenario);
}

double min_nodes_for(core::Duration time_per_sample, const simulation::CheckedScenario& checked) {
  const simulation::Scenario& scenario = checked.scenario;
  if (variants_change(scenario, [](const std::string& setting) {
        return !setting.starts_with("parallelism.");
      })) {
    return 1.0;
  }
  const core::Work of_step =
      simulation::step_work(scenario.workload, checked.layout, scenario.software).causal;
  const core::Duration of_sample =
      of_step / static_cast<double>(scenario.workload.global_batch) / highest_rate(scenario);
  return of_sample / time_per_sample / scenario.cluster.node.num_accelerators.value;
}

}  // namespace railwright::planner
