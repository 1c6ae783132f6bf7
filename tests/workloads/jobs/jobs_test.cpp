// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/jobs/jobs.hpp"

#include <gtest/gtest.h>

#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {
namespace {

class Jobs : public testing::Test {
 public:
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

/// Expects that a setting is refused with these words.
void expect_refused(const std::string& setting, const std::string& words) {
  try {
    Jobs::checked({setting});
    FAIL() << setting;
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST_F(Jobs, HaveOnePlanForAll) {
  for (const char* key : {"targets={checkpoints_kept: 2}", "incidents=[]", "num_spares=1",
                          "replicas=3", "seed=2", "other_loads=[]", "optimize_interval=true"}) {
    const std::string name(key, std::string_view(key).find('='));
    expect_refused(std::string("jobs.0.run.") + key, "jobs[0].run." + name + ": has no effect");
  }
}

TEST_F(Jobs, AreStruckByName) {
  expect_refused("run.incidents=[{time: 1 h, component: node, job: Llama}]", "no job 'Llama'");
  expect_refused("run.incidents=[{time: 1 h, component: power, job: ResNet-50}]",
                 "strikes all jobs");
  const JobsResult named =
      result({"run.incidents=[{time: 80 min, component: node, job: Llama 2 7B}]"});
  const JobsResult first = result({"run.incidents=[{time: 80 min, component: node}]"});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(named.run.jobs[j].num_interruptions, j == 1 ? 1 : 0) << j;
    EXPECT_EQ(first.run.jobs[j].num_interruptions, j == 0 ? 1 : 0) << j;
  }
  const JobsResult calm = result();
  EXPECT_EQ(named.alone[0], calm.alone[0]) << "alone it meets nobody else's incident";
  EXPECT_GT(named.alone[1], calm.alone[1]);
}

TEST_F(Jobs, AllLosePowerAtOnce) {
  const JobsResult storm = result({"run.incidents=[{time: 75 min, component: power}]"});
  const auto power = static_cast<std::size_t>(models::Component::kPower);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(storm.run.jobs[j].failures[power], 1) << j;
    EXPECT_EQ(storm.run.jobs[j].num_interruptions, 1) << j;
  }
  const JobsResult later = result({"run.incidents=[{time: 3 h, component: power}]"});
  EXPECT_EQ(later.run.jobs[0].num_interruptions, 1);
  EXPECT_EQ(later.run.jobs[2].num_interruptions, 0) << "it has ended";
}

TEST_F(Jobs, LosePowerTogetherByChance) {
  const std::string outages =
      "reliability={name: test, description: test, failures: [{component: power, mtbf: {value: 30 "
      "min, source: test}}], detection: 1 min, replacement: 1 min, restart: 1 min, repair: 1 h}";
  const JobsResult fleet = result({outages, "run.replicas=1", "jobs.1.start=0 s",
                                   "jobs.2.start=0 s", "jobs.2.checkpoint={interval: 5 min}"});
  const auto power = static_cast<std::size_t>(models::Component::kPower);
  EXPECT_GT(fleet.run.jobs[2].failures[power], 0);
  EXPECT_GE(fleet.run.jobs[1].failures[power], fleet.run.jobs[2].failures[power])
      << "it runs longer, and meets all that the other does";
  EXPECT_GE(fleet.run.jobs[0].failures[power], fleet.run.jobs[1].failures[power]);
}

/// Eight jobs of equal size, whose readers are faster than the storage that they share.
class Storm : public testing::Test {
 protected:
  static CheckedJobs checked(const std::vector<std::string>& settings) {
    const core::Node tree = load_scenario_tree(
        std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/power-loss-eight-jobs.yaml", settings);
    return read_jobs(tree, core::Catalogue(catalogue_roots()));
  }
  static JobsResult with(int storage_nodes) {
    return simulate(checked({"cluster.storage.count=" + std::to_string(storage_nodes)}));
  }
};

TEST_F(Storm, DrainsInItsBytesOverTheRateOfStorage) {
  for (const int nodes : {4, 8}) {  // they divide the 48 clients evenly
    const JobsResult result = with(nodes);
    ASSERT_TRUE(result.feasible());
    double bytes = 0.0;
    for (const JobRun& job : result.run.jobs) bytes += static_cast<double>(job.restore.bytes);
    const double rate = checked({}).storage()->node.read_rate.value.base();
    const double expected = bytes / (nodes * rate);
    for (const JobRun& job : result.run.jobs) {
      const double restore = job.time_s[static_cast<std::size_t>(RunCause::kRestore)];
      EXPECT_NEAR(restore / expected, 1.0, 1e-6) << nodes;
      EXPECT_LT(job.restore.time.base(), 0.9 * expected) << "alone it takes less";
    }
  }
}

TEST_F(Storm, NeedsWhatHoldsInARunAndNotWithOneLess) {
  const CheckedJobs eight = checked({});
  const StorageTargets& targets = *eight.run.targets;
  const auto& needs = simulate(eight).run.needs;
  ASSERT_EQ(needs.size(), 3U);
  const auto restore = [](int nodes) {
    return with(nodes).run.jobs.front().time_s[static_cast<std::size_t>(RunCause::kRestore)];
  };
  EXPECT_LE(restore(needs[1].num_nodes), targets.restore.base());
  EXPECT_GT(restore(needs[1].num_nodes - 1), targets.restore.base());
  EXPECT_EQ(needs[1].limit, "storage that all share");
  const auto stall = [&](int nodes) {
    CheckedJobs calm = checked({"cluster.storage.count=" + std::to_string(nodes)});
    calm.run.incidents.clear();
    const JobRun job = simulate(calm).run.jobs.front();
    return job.time_s[static_cast<std::size_t>(RunCause::kCheckpointStall)] /
           job.training_time_s.mean;
  };
  EXPECT_LE(stall(needs[0].num_nodes), targets.checkpoint_stall);
  EXPECT_GT(stall(needs[0].num_nodes - 1), targets.checkpoint_stall);
  const auto half = simulate(checked({"jobs.0.count=4"})).run.needs;
  EXPECT_LT(half[1].num_nodes, needs[1].num_nodes) << "half the jobs";
  EXPECT_LE(half[0].num_nodes, needs[0].num_nodes);
}

TEST_F(Jobs, AreAsManyAsTheNodesHold) {
  const JobsResult narrow = result({"cluster.nodes=9"});
  ASSERT_EQ(narrow.infeasible.size(), 1U);
  EXPECT_EQ(narrow.infeasible[0].what, "the jobs take 10 nodes, the cluster has 9: 1 too few");
}

}  // namespace
}  // namespace railwright::simulation
