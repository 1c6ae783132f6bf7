// SPDX-License-Identifier: Apache-2.0
#include "endless_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "railwright/core/units/text.hpp"
#include "railwright/models/reliability/checkpoint_interval.hpp"
#include "railwright/models/reliability/failure_process.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;
using core::to_text;

constexpr double kNeverSeconds = 1e11;  ///< 3,000 years are as good as never

/// Returns the failures at their lowest rates within `span`. Lemon nodes are left out: a job may
/// get other nodes.
models::Reliability calmest(models::Reliability reliability, Duration span) {
  reliability.lemon_nodes.reset();
  for (models::FailureRate& rate : reliability.failures) {
    if (rate.shape.value < 1.0) rate.age.value += span;
  }
  return reliability;
}

/// Returns how long all jobs take at most, one after another.
Duration longest_span(const CheckedQueue& checked) {
  double durations = 0.0;
  for (const QueuedJob& job : checked.jobs) durations += job.duration;
  return Duration::from_base(checked.jobs.back().submit + models::kPatience * durations);
}

/// A job, the mean time between its interruptions and the mean time that it takes with them.
struct Prospect {
  std::size_t job = 0;
  Duration between;
  Duration expected;
};

std::string hopeless(const CheckedQueue& checked, const Prospect& first, std::size_t count) {
  const QueuedJob& job = checked.jobs[first.job];
  const std::string expected = first.expected.base() < kNeverSeconds
                                   ? "would take " + to_text(first.expected) + " on its nodes"
                                   : "would never end";
  return fmt::format(
      "job {} of {} accelerators{} interrupted too often to end: a failure every {}, a checkpoint "
      "every {}: {} of computing {}",
      first.job + 1, job.accelerators,
      count == 1 ? " is" : fmt::format(" and {} other{} are", count - 1, count == 2 ? "" : "s"),
      to_text(first.between), to_text(checked.queue.checkpoint_interval),
      to_text(Duration::from_base(job.duration)), expected);
}

/// Says that there are more failures, or interruptions, than a queue is followed through.
std::string too_many(const std::string& how_many, std::string_view of_what, std::int64_t most) {
  return fmt::format(
      "{} {} are more than the {} million that a queue is followed through: give a longer mtbf or "
      "fewer jobs",
      how_many, of_what, most / 1'000'000);
}

/// Returns the mean number of failures until the last job is submitted.
double failures_of(const CheckedQueue& checked) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  models::Reliability without_lemons = *checked.reliability;
  without_lemons.lemon_nodes.reset();
  return models::expected_interruptions(without_lemons,
                                        models::fleet_of(cluster.node, cluster.num_nodes),
                                        Duration::from_base(checked.jobs.back().submit));
}

}  // namespace

std::string endless_jobs(const CheckedQueue& checked) {
  if (!checked.reliability) return "";
  const core::ComputeNode& node = checked.cluster.cluster.node;
  const int per_node = node.num_accelerators.value;
  const double rate_of_node = models::interruptions_per_second(
      calmest(*checked.reliability, longest_span(checked)), models::fleet_of(node, 1));
  if (rate_of_node <= 0.0) return "";
  Prospect first;
  std::size_t num_hopeless = 0;
  double num_interruptions = 0.0;
  for (std::size_t job = 0; job < checked.jobs.size(); ++job) {
    const QueuedJob& asked = checked.jobs[job];
    const double num_nodes = static_cast<double>(held(asked.accelerators, per_node)) / per_node;
    const Duration duration = Duration::from_base(asked.duration);
    const Duration between = Duration::from_base(1.0 / (rate_of_node * std::max(1.0, num_nodes)));
    const Duration expected = models::expected_time(duration, checked.queue.checkpoint_interval,
                                                    checked.reliability->restart.value, between);
    // Several jobs of a node share its failures.
    num_interruptions += expected / between * std::min(1.0, num_nodes);
    if (expected <= duration * models::kPatience) continue;
    if (num_hopeless++ == 0) first = {.job = job, .between = between, .expected = expected};
  }
  if (num_hopeless > 0) return hopeless(checked, first, num_hopeless);
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  if (num_interruptions > static_cast<double>(kMaxInterruptions)) {
    return too_many(number(num_interruptions), "expected interruptions", kMaxInterruptions);
  }
  const double num_failures = failures_of(checked);
  if (num_failures <= static_cast<double>(kMaxFailures)) return "";
  return too_many(number(num_failures), "failures until the last job comes", kMaxFailures);
}

std::string unfinished_schedule(const CheckedQueue& checked, const ScheduleResult& schedule) {
  if (schedule.has_too_many_failures) return too_many("its", "failures", kMaxFailures);
  if (schedule.endless_job < 0) return "";
  const auto number = static_cast<std::size_t>(schedule.endless_job);
  const JobHistory& past = schedule.histories[number];
  return fmt::format(
      "job {} of {} accelerators is interrupted too often to end: {} times in {} on its nodes, for "
      "{} of computing",
      number + 1, checked.jobs[number].accelerators, past.num_interruptions,
      to_text(Duration::from_base(past.ran)),
      to_text(Duration::from_base(checked.jobs[number].duration)));
}

}  // namespace railwright::simulation
