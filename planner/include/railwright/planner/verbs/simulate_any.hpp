// SPDX-License-Identifier: Apache-2.0
// `simulate` for whatever a scenario describes: training, several jobs, a collective, inference.
#pragma once

#include <string>
#include <variant>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/benchmark/benchmark.hpp"
#include "railwright/planner/inference/inference.hpp"
#include "railwright/planner/jobs/jobs.hpp"
#include "railwright/planner/verbs/simulate.hpp"

namespace railwright::planner {

using AnyResult = std::variant<SimulationResult, JobsResult, BenchmarkResult, InferenceResult>;

/// By the keys of the scenario. Throws ConfigError with every problem.
AnyResult simulate(const core::Node& tree, const core::Catalogue& catalogue,
                   const SimulateOptions& options = {});

[[nodiscard]] bool is_feasible(const AnyResult& result);
/// Null where nothing ran over time.
[[nodiscard]] const RunResult* run_of(const AnyResult& result);
[[nodiscard]] const std::string& name_of(const AnyResult& result);

}  // namespace railwright::planner
