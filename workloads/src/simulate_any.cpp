// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/simulate_any.hpp"

#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/training/step_range.hpp"

namespace railwright::simulation {

core::Description describe_any(const core::Node& tree) {
  if (is_benchmark(tree)) return core::describe<BenchmarkScenario>();
  if (is_post_training(tree)) return core::describe<PostTrainingScenario>();
  if (is_inference(tree)) return core::describe<InferenceScenario>();
  if (is_jobs(tree)) return core::describe<JobsScenario>();
  if (is_queue(tree)) return core::describe<QueueScenario>();
  return core::describe<Scenario>();
}

AnyResult simulate(const core::Node& tree, const core::Catalogue& catalogue,
                   const SimulateOptions& options) {
  if (is_benchmark(tree)) return simulate(read_benchmark(tree, catalogue));
  if (is_post_training(tree)) return simulate(read_post_training(tree, catalogue), options);
  if (is_inference(tree)) return simulate(read_inference(tree, catalogue));
  if (is_jobs(tree)) return simulate(read_jobs(tree, catalogue), options);
  if (is_queue(tree)) return simulate(read_queue(tree, catalogue));
  const CheckedScenario checked = read_scenario(tree, catalogue);
  SimulationResult result = simulate(checked, options);
  if (result.feasible()) widen_by(step_ranges(tree, catalogue, checked, result), result);
  return result;
}

bool is_feasible(const AnyResult& result) {
  return std::visit([](const auto& one) { return one.feasible(); }, result);
}

const RunResult* run_of(const AnyResult& result) {
  const RunResult* run = nullptr;
  if (const auto* training = std::get_if<SimulationResult>(&result)) run = &training->run;
  if (const auto* jobs = std::get_if<JobsResult>(&result)) run = &jobs->run;
  return run == nullptr || run->jobs.empty() ? nullptr : run;
}

const std::string& name_of(const AnyResult& result) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, result);
}

}  // namespace railwright::simulation

namespace railwright::core {

template Description describe<simulation::BenchmarkScenario>();
template Description describe<simulation::InferenceScenario>();
template Description describe<simulation::JobsScenario>();
template Description describe<simulation::PostTrainingScenario>();
template Description describe<simulation::QueueScenario>();

}  // namespace railwright::core
