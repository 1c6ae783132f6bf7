// SPDX-License-Identifier: Apache-2.0
#include "job_trace.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"
#include "job_table.hpp"
#include "railwright/core/config/date_time.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

/// Reads Philly's cluster_job_log: a list of jobs, each with the attempts to run it.
class PhillyLog {
 public:
  explicit PhillyLog(Findings& findings) : findings_(findings) {}

  std::vector<JobOfTrace> read(const Json& log) {
    std::vector<JobOfTrace> jobs;
    if (!log.is_array()) {
      findings_.problem_in_file("expected a list of jobs");
      return jobs;
    }
    for (std::size_t i = 0; i < log.size() && !findings_.is_full(); ++i) {
      if (const auto job = job_of(log[i], fmt::format("{}", i))) jobs.push_back(*job);
    }
    if (num_without_ > 0) {
      findings_.not_expressed(fmt::format("{} jobs without accelerators or time", num_without_));
    }
    if (num_again_ > 0) {
      findings_.not_expressed(
          fmt::format("{} jobs ran more than once: their times are added", num_again_));
    }
    return jobs;
  }

 private:
  void wrong(const std::string& path, std::string_view message) {
    findings_.problem({findings_.file()}, path, message);
  }

  /// A time that is absent is written as null or "None".
  std::optional<double> time_at(const Json& job, const std::string& key, const std::string& path) {
    const auto text = json_text(job, key);
    if (!text || *text == "None") return std::nullopt;
    const auto time = core::date_time_of(*text);
    if (!time) wrong(path + "." + key, "no time: '" + shown(*text) + "'");
    return time;
  }

  std::optional<JobOfTrace> job_of(const Json& job, const std::string& path) {
    const auto submitted = time_at(job, "submitted_time", path);
    const Json* attempts = json_at(job, "attempts");
    JobOfTrace made;
    int ran = 0;
    if (attempts != nullptr && attempts->is_array()) {
      for (std::size_t i = 0; i < attempts->size(); ++i) {
        const std::string place = fmt::format("{}.attempts.{}", path, i);
        const auto start = time_at((*attempts)[i], "start_time", place);
        const auto end = time_at((*attempts)[i], "end_time", place);
        if (!start || !end) continue;
        if (*end < *start) wrong(place, "ends before it starts");
        made.duration += *end - *start;
        made.accelerators = accelerators_of((*attempts)[i]);
        ++ran;
      }
    }
    num_again_ += ran > 1 ? 1 : 0;
    if (submitted && made.accelerators > 0 && made.duration > 0.0) {
      made.submit = *submitted;
      return made;
    }
    ++num_without_;
    return std::nullopt;
  }

  static std::int64_t accelerators_of(const Json& attempt) {
    std::int64_t count = 0;
    const Json* nodes = json_at(attempt, "detail");
    if (nodes == nullptr || !nodes->is_array()) return 0;
    for (const Json& node : *nodes) {
      const Json* devices = json_at(node, "gpus");
      if (devices != nullptr && devices->is_array()) {
        count += static_cast<std::int64_t>(devices->size());
      }
    }
    return count;
  }

  Findings& findings_;
  std::int64_t num_without_ = 0;
  std::int64_t num_again_ = 0;
};

bool is_philly(std::string_view text) {
  return contains(text, "\"submitted_time\"") && contains(text, "\"attempts\"");
}

}  // namespace

bool is_job_trace(std::string_view head) {
  return names_job_columns(head.substr(0, head.find_first_of("\r\n"))) || is_philly(head);
}

Imported import_job_trace(std::string_view text, const std::string& file,
                          const core::Node& /*known*/) {
  Findings findings(file);
  add_jobs(is_philly(text) ? PhillyLog(findings).read(parse_large_json(text, file))
                           : read_job_table(text, findings),
           findings);
  return findings.take();
}

}  // namespace railwright::importers
