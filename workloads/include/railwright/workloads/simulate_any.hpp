// SPDX-License-Identifier: Apache-2.0
// `simulate` for whatever a scenario describes: training, several jobs, a queue of jobs, a
// collective, inference, post-training.
#pragma once

#include <string>
#include <variant>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

using AnyResult = std::variant<SimulationResult, JobsResult, QueueResult, BenchmarkResult,
                               InferenceResult, PostTrainingResult>;

/// Returns the keys of the kind of scenario that `tree` describes.
core::Description describe_any(const core::Node& tree);

/// Simulates the kind of scenario that its keys tell. Throws ConfigError with every problem.
AnyResult simulate(const core::Node& tree, const core::Catalogue& catalogue,
                   const SimulateOptions& options = {});

[[nodiscard]] bool is_feasible(const AnyResult& result);
/// Returns the run; null if nothing ran over time.
[[nodiscard]] const RunResult* run_of(const AnyResult& result);
[[nodiscard]] const std::string& name_of(const AnyResult& result);

}  // namespace railwright::simulation

namespace railwright::core {

// Compiled once, in simulate_any.cpp.
extern template Description describe<simulation::BenchmarkScenario>();
extern template Description describe<simulation::InferenceScenario>();
extern template Description describe<simulation::JobsScenario>();
extern template Description describe<simulation::PostTrainingScenario>();
extern template Description describe<simulation::QueueScenario>();

}  // namespace railwright::core
