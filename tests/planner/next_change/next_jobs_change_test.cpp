// SPDX-License-Identifier: Apache-2.0
// The next thing to try for several jobs, checked by simulating all of them with it.
#include "railwright/planner/next_change/next_jobs_change.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/source_tree.hpp"
#include "railwright/planner/next_change/next_change.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::test {
namespace {

using planner::JobsChangesTried;
using simulation::JobsResult;
using simulation::Method;
using Settings = std::vector<std::string>;

core::Node three_jobs(const Settings& settings = {}) {
  return simulation::load_scenario_tree(kSource + "/examples/three-jobs-one-powerscale.yaml",
                                        settings);
}

JobsResult jobs_result_of(const core::Node& tree, Method method = Method::kSimulate) {
  return simulation::simulate(simulation::read_jobs(tree, source_catalogue()), {.method = method});
}

JobsChangesTried next_jobs_of(const core::Node& tree, Method method = Method::kSimulate) {
  return planner::next_jobs_change(tree, source_catalogue(), jobs_result_of(tree, method), method);
}

core::Duration longest_time(const JobsResult& result) {
  core::Duration most;
  for (const auto& job : result.run.jobs) most = std::max(most, job.training_time());
  return most;
}

TEST(NextJobsChange, IsWhatAllJobsTogetherGiveWithTheSetting) {
  for (const Method method : {Method::kSimulate, Method::kEstimate}) {
    const JobsResult now = jobs_result_of(three_jobs(), method);
    const JobsChangesTried tried = next_jobs_of(three_jobs(), method);
    ASSERT_TRUE(tried.best);
    EXPECT_LE(tried.num_simulated, planner::kMaxSimulated);
    const JobsResult changed = jobs_result_of(three_jobs({tried.best->setting}), method);
    ASSERT_TRUE(changed.feasible());
    const auto job =
        std::ranges::find(changed.run.jobs, tried.best->job, &simulation::JobRun::name);
    ASSERT_NE(job, changed.run.jobs.end());
    EXPECT_EQ(job->training_time(), tried.best->training_time);
    EXPECT_EQ(planner::mean_training_time(changed), tried.best->mean_training_time);
    EXPECT_NEAR(tried.best->mean_saving,
                1.0 - tried.best->mean_training_time / planner::mean_training_time(now), 1e-12);
    EXPECT_GE(tried.best->mean_saving, planner::kMinSaving);
    EXPECT_LE(longest_time(changed), longest_time(now));
  }
}

/// An entry that stands for several jobs changes all of them, and is named by their name.
TEST(NextJobsChange, ChangesAllJobsOfAnEntry) {
  const Settings two{"cluster.nodes=8", "cluster.storage.count=8",
                     "jobs=[{name: many, nodes: 2, count: 4, workload: {model: llama-2-7b, "
                     "sequence_length: 4096, global_batch: 128, micro_batch: 1, steps: 20}, "
                     "parallelism: {tp: 8}, software: nemo-23.11}]"};
  const JobsChangesTried tried = next_jobs_of(three_jobs(two));
  ASSERT_TRUE(tried.best);
  EXPECT_EQ(tried.best->setting.find("jobs.0."), 0U) << tried.best->setting;
  EXPECT_NEAR(tried.best->saving, tried.best->mean_saving, 1e-6);
}

/// Measured steps stay as they are.
TEST(NextJobsChange, IsNothingWhereStepsAreGiven) {
  const JobsChangesTried tried =
      next_jobs_of(three_jobs({"jobs.0.run={step_time: 10 s}", "jobs.1.run={step_time: 1 s}",
                               "jobs.2.run={step_time: 1 s}", "jobs.2.workload.steps=100"}));
  EXPECT_EQ(tried.num_tried, 0);
  EXPECT_FALSE(tried.best);
}

}  // namespace
}  // namespace railwright::test
