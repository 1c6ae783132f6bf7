// SPDX-License-Identifier: Apache-2.0
// Imports the jobs that `sacct --parsable2` lists, as the trace of a queue. [@slurm_sacct]
#include "slurm_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "../common/trace_part.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::array<std::string_view, 8> kUsedColumns{"JobID",      "Submit",    "Elapsed",
                                                       "ElapsedRaw", "Timelimit", "TimelimitRaw",
                                                       "AllocTRES",  "ReqTRES"};

/// Reads "2-03:04:05", "03:04:05" and "04:05". Nothing for minutes or seconds above 59, nor for
/// hours above 23 after days.
std::optional<double> span_of(std::string_view text) {
  double days = 0.0;
  bool has_days = false;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto number = core::digits_of(text.substr(0, dash));
    if (!number) return std::nullopt;
    days = *number;
    has_days = true;
    text.remove_prefix(dash + 1);
  }
  double seconds = 0.0;
  int parts = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++parts) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const auto number = core::digits_of(text.substr(begin, end - begin));
    const bool is_first = parts == 0;
    if (!number || (!is_first && *number > 59)) return std::nullopt;
    if (is_first && has_days && *number > 23) return std::nullopt;
    seconds = seconds * 60.0 + *number;
    begin = end + 1;
  }
  if (parts < 2 || parts > 3) return std::nullopt;
  return 86400.0 * days + seconds;
}

/// Reads the GPUs of "billing=64,cpu=64,gres/gpu=8,gres/gpu:h100=8,mem=1T": all of them, or the sum
/// of their types where a site lists only these; 0 without any.
std::int64_t accelerators_of(std::string_view resources) {
  std::int64_t of_types = 0;
  for (std::string_view one : core::cells_of(resources, ',')) {
    constexpr std::string_view kName = "gres/gpu";
    if (!one.starts_with(kName)) continue;
    one.remove_prefix(kName.size());
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) continue;
    const std::int64_t count = core::digits_of(one.substr(equals + 1)).value_or(0);
    if (equals == 0) return count;
    if (one.front() == ':') of_types += count;
  }
  return of_types;
}

/// Reads the list line by line.
class JobList {
 public:
  explicit JobList(Findings& findings) : findings_(findings) {}

  std::vector<JobOfTrace> read(std::string_view text) {
    std::vector<JobOfTrace> jobs;
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) {
      ++number;
      if (line.empty()) continue;
      if (names_.empty()) {
        names_ = core::cells_of(line, '|');
        check_names(number);
        if (findings_.has_problems()) return {};
      } else if (const auto job = job_of(core::cells_of(line, '|'), number)) {
        jobs.push_back(*job);
      }
      if (findings_.is_full()) break;
    }
    if (num_steps_ > 0) findings_.not_expressed(fmt::format("{} steps of jobs", num_steps_));
    if (num_without_ > 0) {
      findings_.not_expressed(fmt::format("{} jobs without accelerators or time", num_without_));
    }
    return jobs;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  void check_names(int line) {
    const auto need = [&](std::initializer_list<std::string_view> any, std::string_view what) {
      if (std::ranges::none_of(any,
                               [&](std::string_view name) { return place_of(name).has_value(); })) {
        findings_.problem_at_line(
            line, fmt::format("no column {}", what),
            "sacct -X --parsable2 -o JobID,Submit,Elapsed,Timelimit,AllocTRES");
      }
    };
    for (const std::string_view name : kUsedColumns) {
      if (std::ranges::count(names_, name) > 1) {
        findings_.problem_at_line(line, fmt::format("column {} is given twice", name));
      }
    }
    need({"Submit"}, "Submit");
    need({"Elapsed", "ElapsedRaw"}, "Elapsed or ElapsedRaw");
    need({"AllocTRES", "ReqTRES"}, "AllocTRES or ReqTRES");
  }

  [[nodiscard]] std::string_view cell(const std::vector<std::string_view>& cells,
                                      std::string_view name) const {
    const auto place = place_of(name);
    return place && *place < cells.size() ? cells[*place] : std::string_view();
  }

  std::optional<JobOfTrace> job_of(const std::vector<std::string_view>& cells, int line) {
    if (cell(cells, "JobID").find('.') != std::string_view::npos) {
      ++num_steps_;
      return std::nullopt;
    }
    JobOfTrace job;
    const auto submit = core::date_time_of(cell(cells, "Submit"));
    if (!submit) {
      findings_.problem_at_line(line,
                                fmt::format("Submit: no time such as 2026-10-01T12:30:05: '{}'",
                                            shown(cell(cells, "Submit"))));
      return std::nullopt;
    }
    job.submit = *submit;
    const std::string_view raw = cell(cells, "ElapsedRaw");
    const auto elapsed = raw.empty() ? span_of(cell(cells, "Elapsed")) : seconds_of(raw, 1.0);
    if (!elapsed) {
      findings_.problem_at_line(line, "Elapsed: no time such as 2-03:04:05");
      return std::nullopt;
    }
    job.duration = *elapsed;
    const std::string_view minutes = cell(cells, "TimelimitRaw");
    const auto limit =
        minutes.empty() ? span_of(cell(cells, "Timelimit")) : seconds_of(minutes, 60.0);
    job.limit = limit.value_or(0.0);
    const std::string_view held = cell(cells, "AllocTRES");
    job.accelerators = accelerators_of(held.empty() ? cell(cells, "ReqTRES") : held);
    if (job.accelerators > 0 && job.duration > 0.0) return job;
    ++num_without_;
    return std::nullopt;
  }

  static std::optional<double> seconds_of(std::string_view text, double unit) {
    const auto number = core::digits_of(text);
    return number ? std::optional(*number * unit) : std::nullopt;
  }

  Findings& findings_;
  std::vector<std::string_view> names_;
  std::int64_t num_steps_ = 0;
  std::int64_t num_without_ = 0;
};

}  // namespace

bool is_slurm_jobs(std::string_view head) {
  // Without its options sacct prints neither times nor accelerators, which the reader says.
  return has_line(head, "JobID") && (contains(head, "|Submit|") || contains(head, "JobName"));
}

Imported import_slurm_jobs(std::string_view text, const std::string& file,
                           const core::Node& /*known*/) {
  Findings findings(file);
  add_jobs(JobList(findings).read(text), findings);
  return findings.take();
}

}  // namespace railwright::importers
