// SPDX-License-Identifier: Apache-2.0
// A step's trace for Perfetto and Chrome.
#pragma once

#include <ostream>
#include <string>

#include "railwright/planner/step/trace.hpp"

namespace railwright::planner {

/// The Trace Event Format's JSON: a process for each rank class with a thread for each stream, a
/// complete event for each operation, a counter for the busiest link of each tier. Times are in
/// microseconds, exact to the picosecond. Written event by event; of a step with more than
/// `most_spans` operations the first rank classes are written whole, the first in any case, and
/// `spans_left_out` says how many are not.
void write_trace(std::ostream& out, const StepTrace& trace, const std::string& name,
                 std::size_t most_spans = 200'000);

}  // namespace railwright::planner
