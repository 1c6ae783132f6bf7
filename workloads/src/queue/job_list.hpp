// SPDX-License-Identifier: Apache-2.0
// The jobs of a queue: read from a trace, or drawn.
#pragma once

#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::simulation {

/// Reads the lines of a trace and sorts them by submission. Appends every problem, at most a
/// hundred; `where` is the place of the text.
std::vector<QueuedJob> read_trace(std::string_view text, const core::Location& where,
                                  std::vector<core::Diagnostic>& problems);

/// Draws jobs; the same seed gives the same ones on every machine.
std::vector<QueuedJob> draw_jobs(const DrawnJobs& drawn);

}  // namespace railwright::simulation
