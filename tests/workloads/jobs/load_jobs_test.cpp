// SPDX-License-Identifier: Apache-2.0
// Jobs of which only their load on the storage is known, against bytes over rates.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {
namespace {

/// Twelve F710: 4 GB/s each at 6 + 2 of 4 nodes, so 4 x (8/6) / (18/16) each at 16 + 2.
constexpr double kWriteRate = 12 * 4e9 * (8.0 / 6.0) / (18.0 / 16.0);

core::Node teams(std::vector<std::string> settings) {
  return load_scenario_tree(
      std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/three-teams-as-loads.yaml", settings);
}

JobsResult of_teams(std::vector<std::string> settings) {
  settings.emplace_back("run.targets=null");
  return simulate(read_jobs(teams(std::move(settings)), core::Catalogue(catalogue_roots())));
}

double seconds_a_write(const JobRun& load) {
  return load.time_s[static_cast<std::size_t>(RunCause::kCheckpointStall)] / load.num_checkpoints;
}

TEST(StorageLoad, TakesItsBytesOverTheRateOfTheDrives) {
  const JobsResult one = of_teams({"jobs=[{name: A, load: {write: 1 TB, every: 30 min}}]"});
  ASSERT_TRUE(one.feasible());
  const JobRun& load = one.run.jobs.front();
  EXPECT_EQ(load.num_checkpoints, 48) << "half an hour from start to start, in a day of reads";
  EXPECT_NEAR(seconds_a_write(load), 1e12 / kWriteRate, 1e-3);
  EXPECT_EQ(load.bytes_written, 48e12);
  EXPECT_NEAR(load.training_time_s.mean, 86400.0 + 48 * 1e12 / kWriteRate, 0.1);
  EXPECT_NEAR(one.run.storage.max_used.base(), 2e12, 1.0) << "one that is kept, and the next";
}

TEST(StorageLoad, SharesTheDrivesWithThoseThatWriteAtTheSameTime) {
  const JobsResult three =
      of_teams({"jobs=[{name: A, count: 3, load: {write: 1 TB, every: 30 min, retention: 2}}]"});
  ASSERT_EQ(three.run.jobs.size(), 3U);
  for (const JobRun& load : three.run.jobs) {
    EXPECT_NEAR(seconds_a_write(load), 3e12 / kWriteRate, 0.1);
    EXPECT_NEAR(busy_share(load), 3e12 / kWriteRate / 1800.0, 1e-3);
  }
  EXPECT_NEAR(three.run.storage.max_used.base(), 9e12, 1.0);
}

TEST(StorageLoad, ReadsAtTheRateItAsksForOrTheOneThereIs) {
  const JobsResult calm = of_teams({"jobs=[{name: C, load: {read: 3 GB/s, duration: 1 h}}]"});
  const JobRun& load = calm.run.jobs.front();
  EXPECT_NEAR(load.training_time_s.mean, 3600.0, 1.0);
  EXPECT_NEAR(load.bytes_read, 3e9 * 3600, 1e-5 * 3e9 * 3600);
  EXPECT_NEAR(share_read(load), 1.0, 1e-9);
  EXPECT_EQ(load.num_checkpoints, 0);
  const JobsResult hasty = of_teams({"jobs=[{name: C, load: {read: 360 GB/s, duration: 1 h}}]"});
  EXPECT_NEAR(share_read(hasty.run.jobs.front()), 0.5, 0.01) << "twelve read 15 GB/s each";
}

TEST(StorageLoad, SharesTheNodesThatNoOtherJobTakes) {
  const core::Catalogue catalogue(catalogue_roots());
  const CheckedJobs jobs = read_jobs(teams({"jobs.0.nodes=16"}), catalogue);
  EXPECT_EQ(jobs.jobs[0].checked.scenario.cluster.num_nodes, 16);
  EXPECT_EQ(jobs.jobs[1].checked.scenario.cluster.num_nodes, 6);
  EXPECT_EQ(jobs.jobs[2].checked.scenario.cluster.num_nodes, 6);
}

TEST(StorageLoad, IsWrittenBackAsALoad) {
  const core::Catalogue catalogue(catalogue_roots());
  const core::Node complete = complete_jobs(teams({}), catalogue);
  EXPECT_EQ(complete.find("jobs")->items[0].find("workload"), nullptr);
  const JobsResult again = simulate(read_jobs(complete, catalogue));
  const JobsResult first = simulate(read_jobs(teams({}), catalogue));
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(again.run.jobs[j].training_time_s.mean, first.run.jobs[j].training_time_s.mean);
  }
}

TEST(StorageLoad, HasNoNumbersThatNobodyKnows) {
  const JobsResult result = of_teams({});
  EXPECT_TRUE(result.has_load());
  for (const Output& one : outputs(result)) {
    EXPECT_FALSE(one.path.starts_with("power.")) << one.path;
    EXPECT_NE(one.path, "effective_training_time");
  }
}

void expect_refused_load(const std::string& setting, const std::string& words) {
  try {
    (void)of_teams({setting});
    FAIL() << setting;
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(StorageLoad, NamesWhatItLacks) {
  expect_refused_load("jobs.0.load={write: 1 TB}", "jobs[0].load: missing key 'every'");
  expect_refused_load("jobs.0.load={every: 1 h}", "jobs[0].load: missing key 'write'");
  expect_refused_load("jobs.0.load={}", "neither writes nor reads");
  expect_refused_load("jobs.0.load.duration=30 min", "ends with the first write");
  expect_refused_load("jobs.0.software=mxnet", "jobs[0].software: has no place beside `load`");
  expect_refused_load("jobs=[{name: A, nodes: 1}]", "missing key 'workload'");
  expect_refused_load("cluster.storage=null", "a load is one on the storage");
}

}  // namespace
}  // namespace railwright::simulation
