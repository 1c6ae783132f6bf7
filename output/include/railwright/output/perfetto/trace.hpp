// SPDX-License-Identifier: Apache-2.0
// Traces of a step and of the run for Perfetto and Chrome.
#pragma once

#include <ostream>
#include <string>

#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/step/step_trace.hpp"

namespace railwright::output {

/// Writes JSON in the Trace Event Format. Each rank class is a process, each of its streams a
/// thread, each operation a complete event; a counter follows the busiest link of each tier. The
/// storage with its load and each job of the run's first replica with its phases are further
/// processes. Times are in microseconds, exact to the picosecond; step and run both start at 0. A
/// step with more than `max_spans` operations is cut after the last whole rank class that fits, or
/// after the first one; `spans_left_out` counts the rest. `step` may be null.
void write_trace(std::ostream& out, const std::string& name, const simulation::StepTrace* step,
                 const simulation::RunResult& run, std::size_t max_spans = 200'000);

}  // namespace railwright::output
