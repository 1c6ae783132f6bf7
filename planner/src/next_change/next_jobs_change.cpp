// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_jobs_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "change_trials.hpp"
#include "railwright/planner/next_change/next_change.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "simulated_with.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedJob;
using simulation::JobsResult;

/// The best change of an entry of `jobs`, which may stand for several jobs.
struct EntryChange {
  std::string setting;
  std::size_t first_job = 0;
  core::Duration saved;  ///< by all its jobs together, as estimated
};

core::Duration longest_training_time(const JobsResult& result) {
  core::Duration longest;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (!result.is_load(j)) longest = std::max(longest, result.run.jobs[j].training_time());
  }
  return longest;
}

/// Returns the best change of each entry that has one, those first that save most.
std::vector<EntryChange> best_of_each(const core::Node& tree, const core::Catalogue& catalogue,
                                      const ProgressFunction& progress, int& num_tried) {
  const simulation::CheckedJobs checked = simulation::read_jobs(tree, catalogue);
  std::vector<EntryChange> best;
  std::size_t first_job = 0;
  for (std::size_t entry = 0; entry < checked.jobs.size(); ++entry) {
    const CheckedJob& job = checked.jobs[entry];
    const std::size_t first = first_job;
    first_job += static_cast<std::size_t>(job.count);
    if (job.checked.scenario.run.step_time || !job.others.empty()) continue;
    const core::Node alone = simulation::tree_of_job(tree, checked, entry);
    const ChangeTrials trials(alone, catalogue);
    const RankedChanges ranked = trials.ranked(moves_for_speed(trials.scenario()), progress);
    num_tried += ranked.num_tried;
    if (ranked.faster.empty()) continue;
    const RankedChange& one = ranked.faster.front();
    best.push_back({.setting = fmt::format("jobs.{}.{}", entry, one.setting),
                    .first_job = first,
                    .saved = (ranked.now - one.training_time) * static_cast<double>(job.count)});
  }
  std::ranges::stable_sort(best, std::ranges::greater{}, &EntryChange::saved);
  return best;
}

NextJobsChange change_of(const EntryChange& change, const JobsResult& changed,
                         const JobsResult& now) {
  const simulation::JobRun& run = changed.run.jobs[change.first_job];
  const core::Duration mean = mean_training_time(changed);
  return {.setting = change.setting,
          .job = run.name,
          .training_time = run.training_time(),
          .mean_training_time = mean,
          .saving = 1.0 - run.training_time() / now.run.jobs[change.first_job].training_time(),
          .mean_saving = 1.0 - mean / mean_training_time(now)};
}

}  // namespace

core::Duration mean_training_time(const JobsResult& result) {
  core::Duration sum;
  double num_trainings = 0.0;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    if (result.is_load(j)) continue;
    sum += result.run.jobs[j].training_time();
    num_trainings += 1.0;
  }
  return sum / std::max(1.0, num_trainings);
}

JobsChangesTried next_jobs_change(const core::Node& tree, const core::Catalogue& catalogue,
                                  const JobsResult& result, simulation::Method method,
                                  const ProgressFunction& progress) {
  JobsChangesTried tried;
  if (!result.feasible()) return tried;
  for (const EntryChange& one : best_of_each(tree, catalogue, progress, tried.num_tried)) {
    if (tried.num_simulated == kMaxSimulated) break;
    ++tried.num_simulated;
    const auto any = simulated_with(tree, catalogue, one.setting, method, progress);
    if (!any) continue;
    const auto& changed = std::get<JobsResult>(*any);
    const NextJobsChange change = change_of(one, changed, result);
    if (change.mean_saving < kMinSaving) continue;
    if (longest_training_time(changed) > longest_training_time(result)) continue;
    if (tried.best && tried.best->mean_saving >= change.mean_saving) continue;
    tried.best = change;
  }
  return tried;
}

}  // namespace railwright::planner
