// SPDX-License-Identifier: Apache-2.0
// Traces of a step and of the run for Perfetto and Chrome.
#pragma once

#include <ostream>
#include <string>

#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/step/step_trace.hpp"

namespace railwright::output {

/// The Trace Event Format's JSON: a process for each rank class with a thread for each stream, a
/// complete event for each operation, a counter for the busiest link of each tier; then a process
/// for the storage with its load, and one for each job of the run's first replica with its phases.
/// Times are in microseconds, exact to the picosecond, and step and run both start at 0. Written
/// event by event; of a step with more than `max_spans` operations the first rank classes are
/// written whole, the first in any case, and `spans_left_out` says how many are not. `step` may be
/// null.
void write_trace(std::ostream& out, const std::string& name, const simulation::StepTrace* step,
                 const simulation::RunResult& run, std::size_t max_spans = 200'000);

}  // namespace railwright::output
