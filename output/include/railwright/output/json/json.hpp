// SPDX-License-Identifier: Apache-2.0
// Results as JSON text: snake_case keys with a unit suffix, SI base units.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

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

std::string to_json(const simulation::Basis& basis);
/// `with_load` adds the storage's load over time, as `storage.load_over_time`.
std::string to_json(const simulation::SimulationResult& result, bool with_load = false);
std::string to_json(const planner::ComparisonResult& result);
std::string to_json(const planner::SideBySide& result);
std::string to_json(const validation::ValidationResult& result);
std::string to_json(const validation::SuiteFit& fit);
std::string to_json(const std::vector<validation::KernelFit>& fits);
std::string to_json(const validation::LeftOutFamilies& families);
std::string to_json(const validation::SiteFit& fit);
std::string to_json(const validation::StorageReport& report);
std::string to_json(const simulation::TopologyResult& result);
std::string to_json(const simulation::BenchmarkResult& result);
std::string to_json(const simulation::QueueResult& result);
std::string to_json(const simulation::InferenceResult& result);
std::string to_json(const simulation::JobsResult& result, bool with_load = false);
std::string to_json(const simulation::PostTrainingResult& result);
std::string to_json(const simulation::PlainResult& result);
std::string to_json(const planner::SearchResult& result);
std::string to_json(const planner::ServingSearchResult& result);
std::string to_json(const planner::ServicesSideBySide& result);
std::string to_json(const planner::SizingResult& result);
std::string to_json(const planner::SizedScenario& result);
std::string to_json(const planner::Explanation& result);
/// Adds the explanation of the bottlenecks, as `explanation`.
std::string to_json(const simulation::SimulationResult& result,
                    const planner::Explanation& explanation);

/// Writes the reads and writes of storage over time, a header and a line per time bin: rates in
/// bytes/s, operations/s, loads from 0 to 1, bytes.
void write_load_csv(std::ostream& out, const simulation::StorageRun& storage);

/// Returns the columns of write_load_csv(), each as a list.
std::string load_json(const simulation::StorageRun& storage);

/// Writes the course of each job of a queue, a header and a line per job: seconds and counts.
void write_jobs_csv(std::ostream& out, const simulation::QueueResult& queue);

/// Returns the columns of write_jobs_csv(), each as a list.
std::string jobs_json(const simulation::QueueResult& queue);

/// Returns names and formats of the numbers of a result, for pages and Python: {"numbers":
/// [{"path", "word", "format", "unit", "color", "column"}, ...], "causes": [{"name", "words",
/// "color", "dark_color"}, ...]}, in the order of the results. `color` of a number is the name of a
/// cause. A field that a number lacks is null.
std::string numbers_json();

}  // namespace railwright::output
