// SPDX-License-Identifier: Apache-2.0
// Results as JSON text: snake_case keys with a unit suffix, SI base units.
#pragma once

#include <string>

#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/services.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/collective_benchmark/collective_benchmark.hpp"
#include "railwright/simulation/jobs/jobs.hpp"
#include "railwright/simulation/serving/serving.hpp"
#include "railwright/simulation/training/simulate.hpp"
#include "railwright/validation/calibration/fit_kernels.hpp"
#include "railwright/validation/calibration/fit_suite.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::output {

std::string to_json(const simulation::Basis& basis);
/// `with_load` adds the storage's load over time, as `storage.load_over_time`.
std::string to_json(const simulation::SimulationResult& result, bool with_load = false);
std::string to_json(const planner::ComparisonResult& result);
std::string to_json(const planner::SideBySide& result);
std::string to_json(const validation::ValidationResult& result);
std::string to_json(const validation::SuiteFit& fit);
std::string to_json(const std::vector<validation::KernelFit>& fits);
std::string to_json(const simulation::BenchmarkResult& result);
std::string to_json(const simulation::InferenceResult& result);
std::string to_json(const simulation::JobsResult& result, bool with_load = false);
std::string to_json(const planner::SearchResult& result);
std::string to_json(const planner::ServingSearchResult& result);
std::string to_json(const planner::ServicesSideBySide& result);
std::string to_json(const planner::SizingResult& result);
std::string to_json(const planner::Explanation& result);
/// Adds the explanation of the bottlenecks, as `explanation`.
std::string to_json(const simulation::SimulationResult& result,
                    const planner::Explanation& explanation);

}  // namespace railwright::output
