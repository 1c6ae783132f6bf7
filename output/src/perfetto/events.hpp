// SPDX-License-Identifier: Apache-2.0
// Events of the Trace Event Format, one per line.
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
  /// Names a process or thread; `what` is process_name or thread_name.
  void add_name(std::string_view what, int pid, int tid, const std::string& name);

 private:
  std::ostream& out_;
  bool is_first_ = true;
};

/// Returns the number of spans in the first rank classes that fit as a whole; the first class
/// always counts.
std::size_t num_spans_that_fit(const simulation::StepTrace& trace, std::size_t most);
/// Writes processes 0 (links) to the number of rank classes.
void add_step_events(const simulation::StepTrace& trace, std::size_t num_spans,
                     TraceEvents& events);
/// Writes processes from `first_pid` on: storage, then each job.
void add_run_events(const simulation::RunResult& run, int first_pid, TraceEvents& events);

}  // namespace railwright::output
