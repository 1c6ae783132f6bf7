// SPDX-License-Identifier: Apache-2.0
// Results as text for a terminal.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/services.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/planner/size/sized_scenario.hpp"
#include "railwright/simulation/results/topology.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"
#include "railwright/validation/calibration/calibrate_storage.hpp"
#include "railwright/validation/calibration/fit_kernels.hpp"
#include "railwright/validation/calibration/fit_suite.hpp"
#include "railwright/validation/calibration/leave_out_families.hpp"
#include "railwright/validation/suites/validate.hpp"
#include "railwright/workloads/any_result.hpp"

namespace railwright::output {

std::string to_text(const simulation::SimulationResult& result, const TextStyle& style = {});
std::string to_text(const planner::ComparisonResult& result, const TextStyle& style = {});
std::string to_text(const planner::SideBySide& result, const TextStyle& style = {});
std::string to_text(const validation::ValidationResult& result, const TextStyle& style = {});
/// Returns the error statistics, without a line for each row.
std::string summary_text(const validation::ValidationResult& result, const TextStyle& style = {});
std::string to_text(const validation::SuiteFit& fit, const TextStyle& style = {});
std::string to_text(const std::vector<validation::KernelFit>& fits, const TextStyle& style = {});
std::string to_text(const validation::LeftOutFamilies& families, const TextStyle& style = {});
std::string to_text(const validation::SiteFit& fit, const TextStyle& style = {});
std::string to_text(const validation::StorageReport& report, const TextStyle& style = {});
std::string to_text(const simulation::TopologyResult& result, const TextStyle& style = {});
std::string to_text(const simulation::BenchmarkResult& result, const TextStyle& style = {});
std::string to_text(const simulation::QueueResult& result, const TextStyle& style = {});
std::string to_text(const simulation::InferenceResult& result, const TextStyle& style = {});
std::string to_text(const simulation::JobsResult& result, const TextStyle& style = {});
std::string to_text(const simulation::PostTrainingResult& result, const TextStyle& style = {});
std::string to_text(const simulation::PlainResult& result, const TextStyle& style = {});
std::string to_text(const planner::SearchResult& result, const TextStyle& style = {});
std::string to_text(const planner::ServingSearchResult& result, const TextStyle& style = {});
std::string to_text(const planner::ServicesSideBySide& result, const TextStyle& style = {});
std::string to_text(const planner::SizingResult& result, const TextStyle& style = {});
std::string to_text(const planner::SizedScenario& result, const TextStyle& style = {});
std::string to_text(const planner::Explanation& result, const TextStyle& style = {});

}  // namespace railwright::output
