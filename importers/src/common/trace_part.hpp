// SPDX-License-Identifier: Apache-2.0
// Traces of requests and jobs as a part of a scenario.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "findings.hpp"

namespace railwright::importers {

/// Adds lines of comma-separated values. Reports a problem where a scenario file, of 4 MiB at
/// most, does not hold them.
void add_trace(std::string_view path, const std::string& trace, std::string_view what,
               Findings& findings);

struct RequestOfTrace {
  double arrival = 0.0;  ///< seconds of any epoch
  std::int64_t prompt = 0;
  std::int64_t output = 0;
};

/// Adds the load of requests, in any order, and their mean lengths. Reports a problem for none.
void add_requests(std::vector<RequestOfTrace> requests, Findings& findings);

struct JobOfTrace {
  double submit = 0.0;  ///< seconds of any epoch
  std::int64_t accelerators = 0;
  double duration = 0.0;
  double limit = 0.0;  ///< 0: not told
};

/// Adds the queue of jobs, in any order. Reports a problem for none.
void add_jobs(std::vector<JobOfTrace> jobs, Findings& findings);

}  // namespace railwright::importers
