// SPDX-License-Identifier: Apache-2.0
#include "job_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::simulation {

namespace {

constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kMostJobs = 2'000'000;
constexpr double kMostSeconds = 1e9;  ///< thirty years

constexpr auto kColumns =
    std::to_array<std::string_view>({"submit_s", "accelerators", "duration_s", "limit_s"});
constexpr std::size_t kRequired = 3;

/// Reads a trace line by line.
class Trace {
 public:
  Trace(const core::Location& where, std::vector<core::Diagnostic>& problems)
      : where_(where), problems_(problems) {}

  std::vector<QueuedJob> read(std::string_view text) {
    std::vector<QueuedJob> jobs;
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) {
      ++number;
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (!places_) {
        read_names(core::cells_of(line, ','), number);
        if (!places_) return {};
      } else if (jobs.size() >= kMostJobs) {
        problem(number, fmt::format("more than {} jobs", kMostJobs));
        break;
      } else if (const auto job = job_of(core::cells_of(line, ','), number)) {
        jobs.push_back(*job);
      }
      if (problems_.size() >= kMostProblems) break;
    }
    if (jobs.empty() && problems_.empty()) problem(number, "no job");
    return jobs;
  }

 private:
  void problem(int line, std::string message) {
    problems_.push_back(
        {where_, "queue.trace", fmt::format("line {}: {}", line, std::move(message)), {}});
  }

  void read_names(const std::vector<std::string_view>& names, int line) {
    std::array<std::ptrdiff_t, kColumns.size()> places{};
    for (std::size_t column = 0; column < kColumns.size(); ++column) {
      const auto found = std::ranges::find(names, kColumns[column]);
      places[column] = found == names.end() ? -1 : found - names.begin();
      if (places[column] < 0 && column < kRequired) {
        problem(line, fmt::format("no column '{}' among the names", kColumns[column]));
      }
    }
    if (problems_.empty()) places_ = places;
  }

  std::optional<QueuedJob> job_of(const std::vector<std::string_view>& cells, int line) {
    std::array<double, kColumns.size()> values{};
    for (std::size_t column = 0; column < kColumns.size(); ++column) {
      const std::ptrdiff_t place = (*places_)[column];
      const bool is_there = place >= 0 && place < std::ssize(cells) &&
                            !cells[static_cast<std::size_t>(place)].empty();
      if (!is_there && column >= kRequired) continue;
      const double value =
          is_there ? core::number_of(cells[static_cast<std::size_t>(place)]) : std::nan("");
      const double least = column == 1 ? 1.0 : 0.0;
      const double most = column == 1 ? 1e7 : kMostSeconds;
      if (!(value >= least && value <= most) || (column == 1 && value != std::floor(value))) {
        problem(line, fmt::format("{}: expected {} from {:.0f} to {:.0f}", kColumns[column],
                                  column == 1 ? "a whole number" : "a number", least, most));
        return std::nullopt;
      }
      values[column] = value;
    }
    return QueuedJob{.submit = values[0],
                     .accelerators = static_cast<int>(values[1]),
                     .duration = values[2],
                     .limit = std::max(values[3], values[2])};
  }

  const core::Location& where_;
  std::vector<core::Diagnostic>& problems_;
  std::optional<std::array<std::ptrdiff_t, kColumns.size()>> places_;  ///< of columns; -1: absent
};

}  // namespace

std::vector<QueuedJob> read_trace(std::string_view text, const core::Location& where,
                                  std::vector<core::Diagnostic>& problems) {
  std::vector<QueuedJob> jobs = Trace(where, problems).read(text);
  std::ranges::stable_sort(jobs, {}, &QueuedJob::submit);
  return jobs;
}

std::vector<QueuedJob> draw_jobs(const DrawnJobs& drawn) {
  const auto seed = static_cast<std::uint64_t>(drawn.seed);
  core::RandomStream arrivals(seed, 0);
  core::RandomStream sizes(seed, 1);
  core::RandomStream durations(seed, 2);
  double shares = 0.0;
  for (const JobSize& size : drawn.sizes) shares += size.share;
  std::vector<QueuedJob> jobs(static_cast<std::size_t>(drawn.jobs));
  const double longest = drawn.max_duration ? drawn.max_duration->base() : kMostSeconds;
  double time = 0.0;
  for (QueuedJob& job : jobs) {
    time += arrivals.exponential(3600.0 / drawn.jobs_per_hour);
    double left = sizes.uniform() * shares;
    auto size = drawn.sizes.begin();
    while (size + 1 != drawn.sizes.end() && left >= size->share) left -= size++->share;
    const double duration =
        std::min(durations.lognormal(drawn.duration.base(), drawn.duration_spread), longest);
    job = {.submit = time,
           .accelerators = size->accelerators,
           .duration = duration,
           .limit = std::min(duration * drawn.limit_over_duration, longest)};
  }
  return jobs;
}

}  // namespace railwright::simulation
