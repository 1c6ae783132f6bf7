// SPDX-License-Identifier: Apache-2.0
// Results as people like to read them.
#pragma once

#include <string>

#include "railwright/planner/benchmark/benchmark.hpp"
#include "railwright/planner/inference/inference.hpp"
#include "railwright/planner/jobs/jobs.hpp"
#include "railwright/planner/out/table.hpp"
#include "railwright/planner/verbs/compare.hpp"
#include "railwright/planner/verbs/explain.hpp"
#include "railwright/planner/verbs/fit_suite.hpp"
#include "railwright/planner/verbs/search.hpp"
#include "railwright/planner/verbs/side_by_side.hpp"
#include "railwright/planner/verbs/simulate.hpp"
#include "railwright/planner/verbs/size.hpp"
#include "railwright/planner/verbs/validate.hpp"

namespace railwright::planner {

std::string to_text(const SimulationResult& result, const TextStyle& style = {});
std::string to_text(const ComparisonResult& result, const TextStyle& style = {});
std::string to_text(const SideBySide& result, const TextStyle& style = {});
std::string to_text(const ValidationResult& result, const TextStyle& style = {});
/// Errors in sum, without a line for each row.
std::string summary_text(const ValidationResult& result, const TextStyle& style = {});
std::string to_text(const SuiteFit& fit, const TextStyle& style = {});
std::string to_text(const BenchmarkResult& result, const TextStyle& style = {});
std::string to_text(const InferenceResult& result, const TextStyle& style = {});
std::string to_text(const JobsResult& result, const TextStyle& style = {});
std::string to_text(const SearchResult& result, const TextStyle& style = {});
std::string to_text(const SizingResult& result, const TextStyle& style = {});
std::string to_text(const Explanation& result, const TextStyle& style = {});

}  // namespace railwright::planner
