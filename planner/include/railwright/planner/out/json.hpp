// SPDX-License-Identifier: Apache-2.0
// Results as JSON text: snake_case keys with a unit suffix, SI base units.
#pragma once

#include <string>

#include "railwright/planner/benchmark/benchmark.hpp"
#include "railwright/planner/inference/inference.hpp"
#include "railwright/planner/jobs/jobs.hpp"
#include "railwright/planner/verbs/compare.hpp"
#include "railwright/planner/verbs/explain.hpp"
#include "railwright/planner/verbs/fit_suite.hpp"
#include "railwright/planner/verbs/search.hpp"
#include "railwright/planner/verbs/side_by_side.hpp"
#include "railwright/planner/verbs/simulate.hpp"
#include "railwright/planner/verbs/size.hpp"
#include "railwright/planner/verbs/validate.hpp"

namespace railwright::planner {

/// `with_load`: the storage's load over time too, as `storage.load_over_time`.
std::string to_json(const Basis& basis);
std::string to_json(const SimulationResult& result, bool with_load = false);
std::string to_json(const ComparisonResult& result);
std::string to_json(const SideBySide& result);
std::string to_json(const ValidationResult& result);
std::string to_json(const SuiteFit& fit);
std::string to_json(const BenchmarkResult& result);
std::string to_json(const InferenceResult& result);
std::string to_json(const JobsResult& result, bool with_load = false);
std::string to_json(const SearchResult& result);
std::string to_json(const SizingResult& result);
std::string to_json(const Explanation& result);
/// With what limits it as `explanation`.
std::string to_json(const SimulationResult& result, const Explanation& explanation);

}  // namespace railwright::planner
