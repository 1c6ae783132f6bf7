// SPDX-License-Identifier: Apache-2.0
#include "job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr double kMostAccelerators = 1e6;

/// Names of the columns of a list. A time is a date or seconds.
struct JobColumns {
  std::string_view submit;
  std::string_view start;
  std::string_view end;
  std::string_view accelerators;
  std::string_view instances;  ///< "" where a line is one instance
  double whole = 1.0;          ///< what stands for an accelerator
  std::string_view share;      ///< thousandths of each accelerator; "" without such a column
};
constexpr auto kJobColumns = std::to_array<JobColumns>({
    {.submit = "submit_time",
     .start = "start_time",
     .end = "end_time",
     .accelerators = "gpu_num",
     .instances = "",
     .share = ""},
    {.submit = "creation_time",
     .start = "scheduled_time",
     .end = "deletion_time",
     .accelerators = "num_gpu",
     .instances = "",
     .share = "gpu_milli"},
    {.submit = "start_time",
     .start = "start_time",
     .end = "end_time",
     .accelerators = "plan_gpu",
     .instances = "inst_num",
     .whole = 100.0,
     .share = ""},
});

std::vector<std::string_view> names_of(const JobColumns& columns) {
  std::vector<std::string_view> names;
  for (const std::string_view name : {columns.submit, columns.start, columns.end,
                                      columns.accelerators, columns.instances, columns.share}) {
    if (!name.empty() && std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return names;
}

const JobColumns* columns_of(const std::vector<std::string_view>& cells) {
  for (const JobColumns& known : kJobColumns) {
    if (std::ranges::all_of(names_of(known), [&](std::string_view name) {
          return std::ranges::count(cells, name) > 0;
        })) {
      return &known;
    }
  }
  return nullptr;
}

/// Reads the lines below the names.
class JobTable {
 public:
  JobTable(const JobColumns& columns, std::vector<std::string_view> names, Findings& findings)
      : columns_(columns), names_(std::move(names)), findings_(findings) {}

  void check_names(int line) {
    for (const std::string_view name : names_of(columns_)) {
      if (std::ranges::count(names_, name) > 1) {
        findings_.problem_at_line(line, fmt::format("column {} is given twice", name));
      }
    }
  }

  std::optional<JobOfTrace> job_of(const std::vector<std::string_view>& cells, int line) {
    const std::string_view accelerators = cell(cells, columns_.accelerators);
    const std::string_view start = cell(cells, columns_.start);
    const std::string_view end = cell(cells, columns_.end);
    if (accelerators.empty() || start.empty() || end.empty()) {
      ++num_without_;
      return std::nullopt;
    }
    const double count = core::number_of(accelerators);
    const double instances =
        columns_.instances.empty() ? 1.0 : core::number_of(cell(cells, columns_.instances));
    const auto submitted = time_of(cell(cells, columns_.submit), columns_.submit, line);
    const auto started = time_of(start, columns_.start, line);
    const auto ended = time_of(end, columns_.end, line);
    if (!(count >= 0.0 && instances >= 0.0 && count * instances <= kMostAccelerators)) {
      findings_.problem_at_line(line, fmt::format("{}: no number of accelerators: '{}'",
                                                  columns_.accelerators, shown(accelerators)));
      return std::nullopt;
    }
    if (!submitted || !started || !ended) return std::nullopt;
    if (*ended < *started || *started < *submitted) {
      findings_.problem_at_line(line, "ends before it starts, or starts before it is submitted");
      return std::nullopt;
    }
    const double wanted = count * instances / columns_.whole;
    if (wanted == 0.0 || *ended == *started) {
      ++num_without_;
      return std::nullopt;
    }
    const double thousandths =
        columns_.share.empty() ? 1000.0 : core::number_of(cell(cells, columns_.share));
    if (wanted != std::floor(wanted) || thousandths < 1000.0) ++num_shares_;
    return JobOfTrace{*submitted, static_cast<std::int64_t>(std::ceil(wanted)), *ended - *started};
  }

  void tell() {
    if (num_without_ > 0) {
      findings_.not_expressed(fmt::format("{} jobs without accelerators or time", num_without_));
    }
    if (num_shares_ > 0) {
      findings_.not_expressed(
          fmt::format("{} jobs with a share of an accelerator: taken as the whole", num_shares_));
    }
    if (columns_.submit == columns_.start) {
      findings_.not_expressed("when jobs were submitted is not told: taken as when they started");
    }
  }

 private:
  [[nodiscard]] std::string_view cell(const std::vector<std::string_view>& cells,
                                      std::string_view name) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
    return place < cells.size() ? cells[place] : std::string_view();
  }

  std::optional<double> time_of(std::string_view text, std::string_view name, int line) {
    const double seconds = core::number_of(text);
    if (std::isfinite(seconds) && seconds >= 0.0) return seconds;
    if (const auto date = core::date_time_of(text)) return date;
    findings_.problem_at_line(line, fmt::format("{}: no time: '{}'", name, shown(text)));
    return std::nullopt;
  }

  const JobColumns& columns_;
  std::vector<std::string_view> names_;
  Findings& findings_;
  std::int64_t num_without_ = 0;
  std::int64_t num_shares_ = 0;
};

}  // namespace

bool names_job_columns(std::string_view line) {
  return columns_of(core::cells_of(line, ',')) != nullptr;
}

std::vector<JobOfTrace> read_job_table(std::string_view text, Findings& findings) {
  std::vector<JobOfTrace> jobs;
  std::optional<JobTable> table;
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) {
    ++number;
    if (line.empty()) continue;
    std::vector<std::string_view> cells = core::cells_of(line, ',');
    if (!table) {
      const JobColumns* columns = columns_of(cells);
      if (columns == nullptr) {
        findings.problem_at_line(number, "no columns of a list of jobs that is known",
                                 "submit_time, start_time, end_time and gpu_num, or the columns of "
                                 "Alibaba's lists");
        return {};
      }
      table.emplace(*columns, std::move(cells), findings);
      table->check_names(number);
      if (findings.has_problems()) return {};
    } else if (const auto job = table->job_of(cells, number)) {
      jobs.push_back(*job);
    }
    if (findings.is_full()) break;
  }
  if (table) table->tell();
  return jobs;
}

}  // namespace railwright::importers
