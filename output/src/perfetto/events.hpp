// SPDX-License-Identifier: Apache-2.0
// Events of the Trace Event Format, one a line.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/step/step_trace.hpp"

namespace railwright::output {

class TraceEvents {
 public:
  explicit TraceEvents(std::ostream& out) : out_(out) {}

  void add(std::string_view json) {
    out_ << (is_first_ ? "\n" : ",\n") << json;
    is_first_ = false;
  }
  /// Of a process or thread: `what` is process_name or thread_name.
  void add_name(std::string_view what, int pid, int tid, const std::string& name);

 private:
  std::ostream& out_;
  bool is_first_ = true;
};

/// How many spans the first rank classes have that fit whole; the first does in any case.
std::size_t num_spans_that_fit(const simulation::StepTrace& trace, std::size_t most);
/// Processes 0 to the number of rank classes.
void add_step_events(const simulation::StepTrace& trace, std::size_t num_spans,
                     TraceEvents& events);
/// Processes from `first_pid` on: storage, then each job.
void add_run_events(const simulation::RunResult& run, int first_pid, TraceEvents& events);

}  // namespace railwright::output
