// SPDX-License-Identifier: Apache-2.0
// What a report shows, as JSON: all that to_json() gives, and what explains it.
#pragma once

#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/simulate_any.hpp"

namespace railwright::output {

/// Where a result comes from.
struct ReportSource {
  const core::Node& tree;
  const core::Catalogue& catalogue;
};

/// Adds `scenario` (what it states, and what it leaves at its default) and `constants` (each entry
/// of the catalogue that was used, key by key with its source); of a simulation `topology` (the
/// fabric's drawing with the load of its links over a step), `storage.load_over_time`, `timeline`
/// and `run_timeline` where it was traced, and `explanation` where there is one.
std::string report_json(const simulation::AnyResult& result,
                        const planner::Explanation* explanation, const ReportSource& source);
std::string report_json(const planner::ComparisonResult& result, const ReportSource& source);
std::string report_json(const planner::SideBySide& result, const ReportSource& source);
/// `topology` and the load of the storage are the cheapest cluster's.
std::string report_json(const planner::SizingResult& result, const ReportSource& source);

/// The drawing of the fabric: boxes, frames and wires in points, y upwards. `with_load`, of
/// training that fits: what each wire carries over a step, and `links` by what they join.
std::string topology_json(const ReportSource& source, bool with_load);

/// Clusters of at most so many accelerators are explained unasked: larger ones take minutes.
inline constexpr int kMaxExplainedUnasked = 1024;

}  // namespace railwright::output
