// SPDX-License-Identifier: Apache-2.0
// The parts of a report's document, each as JSON text.
#pragma once

#include <string>

#include "railwright/output/json/report_json.hpp"
#include "railwright/simulation/step/step_trace.hpp"

namespace railwright::output {

/// Returns {stated, defaults}: the scenario's values with their places in the file, and the keys it
/// leaves at their defaults.
std::string scenario_json(const ReportSource& source);

/// Returns every catalogue entry that the scenario uses, in the order of its keys: {used_as, entry,
/// description, source, values}.
std::string constants_json(const ReportSource& source);

/// Returns a lane for each stream of a stage's first rank class, in bins of equal width, and the
/// load of each tier's busiest link over the step.
std::string timeline_json(const simulation::StepTrace& trace);

/// Returns the phases of the jobs with their times, or null if they are too many for a page.
std::string run_timeline_json(const simulation::RunResult& run);

}  // namespace railwright::output
