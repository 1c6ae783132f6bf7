// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/perfetto/trace.hpp"

#include <nlohmann/json.hpp>

#include "events.hpp"

namespace railwright::output {

using Json = nlohmann::ordered_json;

void TraceEvents::add_name(std::string_view what, int pid, int tid, const std::string& name) {
  add(Json{{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}}
          .dump());
}

void write_trace(std::ostream& out, const std::string& name, const simulation::StepTrace* step,
                 const simulation::RunResult& run, std::size_t max_spans) {
  Json about = {{"scenario", name}};
  const std::size_t num_spans = step != nullptr ? num_spans_that_fit(*step, max_spans) : 0;
  if (step != nullptr) {
    about["spans"] = num_spans;
    about["spans_left_out"] = step->spans.size() - num_spans;
  }
  out << "{\"displayTimeUnit\":\"ms\",\"otherData\":" << about.dump() << ",\"traceEvents\":[";
  TraceEvents events(out);
  if (step != nullptr) add_step_events(*step, num_spans, events);
  const std::size_t num_classes = step != nullptr ? step->rank_classes.size() : 0;
  add_run_events(run, static_cast<int>(num_classes) + 1, events);
  out << "\n]}\n";
}

}  // namespace railwright::output
