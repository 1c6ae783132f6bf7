// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "events.hpp"

namespace railwright::output {

namespace {

/// Returns microseconds, exact to the nanosecond.
std::string microseconds(core::RunTime time) {
  return fmt::format("{}.{:03d}", time.count / 1000, time.count % 1000);
}

void add_load(const simulation::StorageRun& storage, int pid, TraceEvents& events) {
  const double width = storage.bin_width.base();
  const auto counter = [&](std::string_view name, auto value_of) {
    double last = -1.0;
    for (std::size_t i = 0; i < storage.bins.size(); ++i) {
      const double value = value_of(storage.bins[i]);
      if (value == last) continue;
      last = value;
      events.add(
          fmt::format(R"({{"name":"{}","ph":"C","ts":{:.0f},"pid":{},"args":{{"":{:.6g}}}}})", name,
                      1e6 * width * static_cast<double>(i), pid, value));
    }
  };
  counter("read GB/s",
          [&](const simulation::LoadBin& bin) { return 1e-9 * bin.read_bytes / width; });
  counter("write GB/s",
          [&](const simulation::LoadBin& bin) { return 1e-9 * bin.written_bytes / width; });
  counter("operations/s", [&](const simulation::LoadBin& bin) { return bin.operations / width; });
  counter("processors %",
          [](const simulation::LoadBin& bin) { return 100.0 * bin.peak_processor_load; });
  counter("used GB", [](const simulation::LoadBin& bin) { return 1e-9 * bin.used; });
}

}  // namespace

void add_run_events(const simulation::RunResult& run, int first_pid, TraceEvents& events) {
  if (!run.storage.bins.empty()) {
    events.add_name("process_name", first_pid, 0, "storage");
    add_load(run.storage, first_pid, events);
  }
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    const int pid = first_pid + 1 + static_cast<int>(j);
    events.add_name("process_name", pid, 0, "run of " + run.jobs[j].name);
    events.add_name("thread_name", pid, 1, "training");
    events.add_name("thread_name", pid, 2, "written behind it");
    if (run.jobs[j].local) events.add_name("thread_name", pid, 3, "on its way to storage");
  }
  for (const simulation::RunSpan& span : run.spans) {
    const int behind = span.is_drain ? 3 : 2;
    events.add(fmt::format(
        R"({{"name":"{}","cat":"run","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},"args":{{"step":{}}}}})",
        span.what, microseconds(span.start), microseconds(span.end - span.start),
        first_pid + 1 + span.job, span.is_behind ? behind : 1, span.step));
  }
}

}  // namespace railwright::output
