// SPDX-License-Identifier: Apache-2.0
#include "job_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "railwright/core/config/number_table.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::simulation {

namespace {

constexpr double kMaxSeconds = 1e9;  ///< thirty years

constexpr auto kColumns = std::to_array<core::NumberColumn>({
    {.name = "submit_s", .most = kMaxSeconds},
    {.name = "accelerators", .least = 1.0, .most = 1e7, .is_whole = true},
    {.name = "duration_s", .most = kMaxSeconds},
    {.name = "limit_s", .most = kMaxSeconds, .is_required = false, .not_below = "duration_s"},
});

}  // namespace

std::vector<QueuedJob> read_trace(std::string_view text, const core::Location& where,
                                  std::vector<core::Diagnostic>& problems) {
  std::vector<QueuedJob> jobs;
  for (const std::vector<double>& row :
       core::read_number_table(text, kColumns, "job", where, "queue.trace", problems)) {
    const double limit = std::isnan(row[3]) ? row[2] : row[3];
    jobs.push_back({.submit = row[0],
                    .accelerators = static_cast<int>(row[1]),
                    .duration = row[2],
                    .limit = limit});
  }
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
  const double longest = drawn.max_duration ? drawn.max_duration->base() : kMaxSeconds;
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
