// SPDX-License-Identifier: Apache-2.0
#include "trace_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

namespace {

/// Bytes that a file has beside its trace, at most; an estimate.
constexpr std::size_t kOtherBytes = std::size_t{256} << 10U;

}  // namespace

void add_trace(std::string_view path, const std::string& trace, std::string_view what,
               Findings& findings) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(trace, '\n'));
  // A line end takes two letters in YAML's quotes.
  const std::size_t bytes = trace.size() + lines + kOtherBytes;
  const std::size_t most = core::YamlLimits().max_bytes;
  if (bytes > most) {
    findings.problem_in_file(
        fmt::format("{} are more than a scenario of {} MiB holds", what, most >> 20U),
        fmt::format("import a part of them: the first {} lines", lines * most / bytes));
    return;
  }
  findings.know(path, trace, what);
}

void add_requests(std::vector<RequestOfTrace> requests, Findings& findings) {
  if (requests.empty()) {
    if (!findings.has_problems()) findings.problem_in_file("no request with an answer");
    return;
  }
  std::ranges::stable_sort(requests, {}, &RequestOfTrace::arrival);
  std::string trace = "arrival_s,prompt_tokens,output_tokens\n";
  double prompts = 0.0;
  double outputs = 0.0;
  for (const RequestOfTrace& one : requests) {
    trace += fmt::format("{:.3f},{},{}\n", one.arrival - requests.front().arrival, one.prompt,
                         one.output);
    prompts += static_cast<double>(one.prompt);
    outputs += static_cast<double>(one.output);
  }
  const auto count = static_cast<double>(requests.size());
  const std::string origin = fmt::format("{} requests", requests.size());
  findings.know("inference.prompt_tokens", std::llround(prompts / count), "mean of " + origin);
  findings.know("inference.output_tokens", std::llround(outputs / count), "mean of " + origin);
  add_trace("inference.load.trace", trace, origin, findings);
  findings.unknown("inference.model", "a list of requests tells nothing of the model");
  findings.unknown("cluster", "a list of requests tells nothing of the nodes");
}

void add_jobs(std::vector<JobOfTrace> jobs, Findings& findings) {
  if (jobs.empty()) {
    if (!findings.has_problems()) findings.problem_in_file("no job with accelerators and time");
    return;
  }
  std::ranges::stable_sort(jobs, {}, &JobOfTrace::submit);
  const double first = jobs.front().submit;
  std::string trace = "submit_s,accelerators,duration_s,limit_s\n";
  for (const JobOfTrace& job : jobs) {
    trace += fmt::format("{:.0f},{},{:.0f},", job.submit - first, job.accelerators, job.duration);
    if (job.limit > 0.0) trace += fmt::format("{:.0f}", std::max(job.limit, job.duration));
    trace += '\n';
  }
  findings.know("queue.drawn", std::optional<std::string>(), "the list has the jobs");
  add_trace("queue.trace", trace, fmt::format("{} jobs", jobs.size()), findings);
  findings.unknown("cluster", "a list of jobs tells nothing of the nodes");
}

}  // namespace railwright::importers
