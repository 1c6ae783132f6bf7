// SPDX-License-Identifier: Apache-2.0
// The parts of a report's document, each as JSON text.
#pragma once

#include <string>

#include "railwright/output/json/report_json.hpp"
#include "railwright/simulation/step/step_trace.hpp"

namespace railwright::output {

/// {stated, defaults}: the scenario's own values with their places, and what it leaves out.
std::string scenario_json(const ReportSource& source);

/// Every entry of the catalogue that the scenario uses, in the order of its keys: {used_as, kind,
/// name, description, source, values}.
std::string constants_json(const ReportSource& source);

/// A lane for each stream of the first rank class of a stage, in bins of equal width, and the load
/// of the busiest link of each tier over the step.
std::string timeline_json(const simulation::StepTrace& trace);

/// What the jobs did when, or null where they did more than a page can show.
std::string run_timeline_json(const simulation::RunResult& run);

}  // namespace railwright::output
