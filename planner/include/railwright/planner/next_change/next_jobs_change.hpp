// SPDX-License-Identifier: Apache-2.0
// Finds the change to one of several jobs that shortens the mean of their training times most.
#pragma once

#include <optional>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/jobs/jobs.hpp"

namespace railwright::planner {

/// A setting of one job, as for `--set`, and what all jobs together give with it.
struct NextJobsChange {
  std::string setting;
  std::string job;                    ///< name of the job that it changes
  core::Duration training_time;       ///< of this job
  core::Duration mean_training_time;  ///< of all jobs
  double saving = 0.0;                ///< share of this job's unchanged training time
  double mean_saving = 0.0;           ///< share of the unchanged mean
};

struct JobsChangesTried {
  int num_tried = 0;                   ///< legal changes of all jobs that fit into memory
  int num_simulated = 0;               ///< those of them with which all jobs were simulated
  std::optional<NextJobsChange> best;  ///< nothing where none saves kMinSaving of the mean
};

/// Returns the mean of the training times of all jobs.
core::Duration mean_training_time(const simulation::JobsResult& result);

/// Finds the best change of each job by its estimated training time alone, then simulates all jobs
/// together with one of them after the other, at most kMaxSimulated, those first that are estimated
/// to save most. The best shortens the mean of the training times by kMinSaving or more, and not at
/// the cost of the longest one. Jobs whose scenario gives the step time stay as they are. Throws
/// ConfigError.
JobsChangesTried next_jobs_change(const core::Node& tree, const core::Catalogue& catalogue,
                                  const simulation::JobsResult& result, simulation::Method method,
                                  const ProgressFunction& progress = {});

}  // namespace railwright::planner
