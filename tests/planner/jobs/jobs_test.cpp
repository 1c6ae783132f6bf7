// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/jobs/jobs.hpp"

#include <gtest/gtest.h>

#include "railwright/core/config/tree.hpp"
#include "railwright/planner/scenario/data_path.hpp"

namespace railwright::planner {
namespace {

class Jobs : public testing::Test {
 protected:
  static JobsResult result(const std::vector<std::string>& settings = {}) {
    return simulate(checked(settings));
  }
  static CheckedJobs checked(const std::vector<std::string>& settings) {
    const core::Node tree = load_scenario_tree(
        std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/three-jobs-one-powerscale.yaml", settings);
    return read_jobs(tree, core::Catalogue(catalogue_roots()));
  }
};

TEST_F(Jobs, StartAtTheirTimesAndCostOneAnotherTime) {
  const JobsResult together = result();
  ASSERT_TRUE(together.feasible());
  ASSERT_EQ(together.run.jobs.size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_GE(together.run.jobs[j].training_time().base(), together.alone[j].base() * (1 - 1e-9));
  }
  EXPECT_EQ(together.run.jobs[0].num_checkpoints, 10);
}

TEST_F(Jobs, WithStorageForAllDoNotFeelOneAnother) {
  const JobsResult together = result({"cluster.storage.count=8"});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(together.run.jobs[j].training_time() / together.alone[j], 1.0, 1e-6) << j;
  }
}

TEST_F(Jobs, WriteEachByteOnce) {
  const JobsResult together = result();
  double written = 0.0;
  double of_jobs = 0.0;
  for (const LoadBin& bin : together.run.storage.bins) written += bin.written_bytes;
  for (const JobRun& job : together.run.jobs) {
    EXPECT_EQ(job.bytes_written, job.num_checkpoints * static_cast<double>(job.checkpoint.bytes));
    of_jobs += job.bytes_written;
  }
  EXPECT_NEAR(written / of_jobs, 1.0, 1e-9);
}

TEST_F(Jobs, AreAsManyAsTheServersHold) {
  try {
    checked({"cluster.nodes=9"});
    FAIL() << "nine servers hold no ten";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("the jobs take 10 servers, the cluster has 9"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace railwright::planner
