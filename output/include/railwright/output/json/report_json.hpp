// SPDX-License-Identifier: Apache-2.0
// JSON of a report: the result of to_json(), and the inputs and traces that explain it.
#pragma once

#include <cstdint>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/mixes.hpp"
#include "railwright/planner/compare/services.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/planner/size/sized_scenario.hpp"
#include "railwright/planner/sweep/sweep_rows.hpp"
#include "railwright/simulation/results/topology.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::output {

/// The inputs of a result.
struct ReportSource {
  const core::Node& tree;
  const core::Catalogue& catalogue;
};

/// Adds `scenario` (stated values and defaults) and `constants` (each catalogue entry used, key by
/// key with its source). A simulation also gets `topology` (the fabric's drawing with the load of
/// its links over a step), `storage.load_over_time`, `timeline` and `run_timeline` if it was
/// traced, and `explanation` if given.
std::string report_json(const simulation::AnyResult& result,
                        const planner::Explanation* explanation, const ReportSource& source);
std::string report_json(const planner::ComparisonResult& result, const ReportSource& source);
std::string report_json(const planner::SideBySide& result, const ReportSource& source);
std::string report_json(const planner::ServicesSideBySide& result, const ReportSource& source);
std::string report_json(const planner::MixesSideBySide& result, const ReportSource& source);
/// Shows `topology` and the storage load of the chosen cluster.
std::string report_json(const planner::SizingResult& result, const ReportSource& source);
/// Shows the fabric that the search keeps, without its load.
std::string report_json(const planner::SearchResult& result, const ReportSource& source);
std::string report_json(const planner::ServingSearchResult& result, const ReportSource& source);
std::string report_json(const planner::Explanation& result, const ReportSource& source);
/// Has the drawing at `drawing`: its `topology` is the name of its kind.
std::string report_json(const simulation::TopologyResult& result, const ReportSource& source);
/// Adds the rows to the summary: `keys` (columns of what was varied), `numbers` (columns of the
/// results), `goals` and `table`, a row a point with the keys of JSON lines. `out` is the file.
std::string report_json(const planner::SweepWithRows& sweep, const std::string& out,
                        const ReportSource& source);
/// Returns the report of the service or the queue, as it was sized.
std::string report_json(const planner::SizedScenario& result, const ReportSource& source);

/// Returns the drawing of the fabric, of several pools that of the first: boxes, frames and wires
/// in points, y upwards. `with_load` adds, for one training job, the load of each wire over a step,
/// and `links` grouped by the devices that they join; it must fit. Other kinds have no step.
std::string topology_json(const ReportSource& source, bool with_load);

/// Largest cluster, in accelerators, that is explained by default: larger ones take minutes.
inline constexpr int kMaxExplainedUnasked = 1024;
/// Most points of a sweep that a page shows: its table is read by people.
inline constexpr std::int64_t kMaxPointsOfPage = 1000;

/// Returns the result of report_json() with the answer as a terminal shows it, line by line.
std::string with_verdict(const std::string& report_json, const std::string& verdict);

}  // namespace railwright::output
