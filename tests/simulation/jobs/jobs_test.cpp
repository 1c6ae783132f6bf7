// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/jobs/jobs.hpp"

#include <gtest/gtest.h>

#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::simulation {
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

/// Two alike, whose checkpoints follow one another and leave by the NICs that their steps use: each
/// as on a cluster of its own, on whichever nodes it is.
TEST_F(Jobs, ShareNicsWithTheirOwnCheckpoints) {
  const CheckedJobs two = checked(
      {"cluster.storage={node: powerscale-f600p, count: 3, network: scale_out}",
       "cluster.node.nics={nic: {model: connectx-7, line_rate: 40 Gb/s}, count: 4}",
       "cluster.storage.node.write_rate={value: 1e6 GB/s, source: test}",
       "cluster.storage.node.burst_write_rate={value: 1e6 GB/s, source: test}",
       "cluster.storage.node.num_back_end_ports={value: 0, source: test}",
       "cluster.storage.node.num_front_end_ports={value: 8, source: test}",
       "cluster.storage.node.front_end_port_rate={value: 400 Gb/s, source: test}",
       "jobs=[{name: Two, nodes: 2, count: 2, workload: {model: llama-2-7b, sequence_length: 4096, "
       "global_batch: 128, micro_batch: 1, steps: 50}, parallelism: {tp: 2, sequence_parallel: "
       "true}, software: {model: nemo-23.11, checkpoint: {serialization_rate: 1e6 GB/s, "
       "writer_rate: 1e6 GB/s}}, checkpoint: {interval_steps: 1, mode: asynchronous, retention: "
       "1}}]"});
  const JobsResult together = simulate(two);
  ASSERT_TRUE(together.feasible());
  ASSERT_EQ(together.run.jobs.size(), 2U);
  const CheckedScenario& one = two.jobs.front().checked;
  const double alone = simulate(one).run.job().training_time().base();
  for (const JobRun& job : together.run.jobs) {
    EXPECT_NEAR(job.training_time().base() / alone, 1.0, 1e-9);
  }
  const topologies::BuiltCluster built = one.topology->build(one.scenario.cluster);
  const RunJob silent{
      .checked = &one, .step_time = together.step_times.front(), .start = {}, .first_node = 0};
  const RunResult undisturbed = simulate_run(std::span(&silent, 1), built.fabric, one.scenario.run);
  EXPECT_GT(alone, undisturbed.job().training_time().base() * 1.001);
}

TEST_F(Jobs, HaveNoTargetsOfOne) {
  for (const char* setting :
       {"run.targets={checkpoints_kept: 2}", "jobs.0.run.targets={checkpoints_kept: 2}"}) {
    try {
      checked({setting});
      FAIL() << setting;
    } catch (const core::ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("run.targets: has no effect"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(Jobs, AreAsManyAsTheNodesHold) {
  try {
    checked({"cluster.nodes=9"});
    FAIL() << "nine nodes hold no ten";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("the jobs take 10 nodes, the cluster has 9"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace railwright::simulation
