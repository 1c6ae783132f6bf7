// SPDX-License-Identifier: Apache-2.0
// Several jobs on one scale-out fabric: what they cost one another on links between switches.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../../workloads/src/jobs/placed_jobs.hpp"
#include "../../../workloads/src/jobs/switch_traffic.hpp"
#include "../../support/scenario.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/step/link_loads.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/pools.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "steps_together.hpp"

namespace railwright::simulation {
namespace {

using FabricSettings = test::Settings;

/// The keys of a job that trains Llama 2 7B with all parameters sharded.
std::string sharded(int num_nodes, const std::string& more = "") {
  const std::string nodes = std::to_string(num_nodes);
  return "nodes: " + nodes +
         ", workload: {model: llama-2-7b, sequence_length: 4096, global_batch: " +
         std::to_string(8 * num_nodes) +
         ", micro_batch: 1, steps: 50}, software: {model: nemo-23.11, zero_stage: 3}" + more;
}

std::string leaves(int num_leaves, int oversubscription = 4, const std::string& more = "") {
  return "cluster.fabric={topology: leaf_spine, switch: qm9790, num_leaves: " +
         std::to_string(num_leaves) + ", oversubscription: " + std::to_string(oversubscription) +
         ", num_spines: 1" + more + "}";
}

class JobsFabric : public testing::Test {
 protected:
  static core::Node tree(const FabricSettings& settings) {
    return load_scenario_tree(
        std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/three-jobs-one-powerscale.yaml", settings);
  }
  static CheckedJobs checked(const FabricSettings& settings) {
    return read_jobs(tree(settings), core::Catalogue(catalogue_roots()));
  }
  /// Two jobs of `num_nodes` nodes each that fill the cluster.
  static FabricSettings two(int num_nodes, const std::string& fabric,
                            const FabricSettings& more = {}) {
    const std::string job = sharded(num_nodes);
    FabricSettings settings{"cluster.nodes=" + std::to_string(2 * num_nodes), fabric,
                            "jobs=[{name: A, " + job + "}, {name: B, " + job + "}]"};
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
  }
};

/// Returns the step of a job on its place with `share` of each link between switches.
core::Duration step_with(const CheckedJobs& jobs, std::size_t job, double share) {
  const CheckedScenario scenario = scenario_in_place(jobs, placed_jobs(jobs)[job]);
  const topologies::BuiltCluster built = scenario.topology->build(scenario.scenario.cluster);
  StepCosts costs = step_costs(scenario, built.fabric);
  for (const core::LinkId link : links_between_switches(built.fabric)) {
    costs.capacity[static_cast<std::size_t>(link)] *= share;
  }
  return simulate_step(costs).step_time;
}

TEST_F(JobsFabric, ApartOnLeavesOfTheirOwnDoNotMeet) {
  const CheckedJobs jobs = checked(two(4, leaves(4)));
  const JobsResult result = simulate(jobs);
  ASSERT_TRUE(result.feasible());
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_GT(step_with(jobs, j, 0.5), step_with(jobs, j, 1.0)) << "they do send between leaves";
    EXPECT_EQ(result.step_times[j], result.step_times_alone[j]);
    EXPECT_EQ(result.step_times_alone[j], step_with(jobs, j, 1.0));
  }
}

/// Of three leaves of two nodes, each job has one and half of the one in the middle.
TEST_F(JobsFabric, OnTheSameLeafPayForItAtMostByHalf) {
  const CheckedJobs jobs = checked(two(3, leaves(3)));
  const JobsResult result = simulate(jobs);
  ASSERT_TRUE(result.feasible());
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(result.step_times_alone[j], step_with(jobs, j, 1.0));
    EXPECT_GT(result.step_times[j], 1.01 * result.step_times_alone[j]);
    EXPECT_LE(result.step_times[j], step_with(jobs, j, 0.5));
    EXPECT_GT(result.run.jobs[j].training_time(), result.alone[j]);
  }
}

/// Two jobs on the leaf in the middle, and three whose NICs are dealt over all leaves. Jobs take
/// 1, 2, 4 or 7 micro-batches a step, so that their bursts meet in one step and not in another.
TEST_F(JobsFabric, AreSlowedAsEventByEvent) {
  for (const int over : {2, 4, 8}) {
    for (const auto& [first, second] : {std::pair(1, 1), std::pair(4, 2), std::pair(1, 7)}) {
      for (const bool are_three : {false, true}) {
        const FabricSettings batches{"jobs.0.workload.global_batch=" + std::to_string(24 * first),
                                     "jobs.1.workload.global_batch=" + std::to_string(24 * second)};
        const FabricSettings third{"jobs.0.count=2", "cluster.nodes=9"};
        const CheckedJobs jobs =
            checked(test::join(two(3, leaves(3, over, are_three ? ", nics: dealt" : ""), batches),
                               are_three ? third : FabricSettings{}));
        const JobsResult result = simulate(jobs);
        ASSERT_TRUE(result.feasible());
        const std::vector<core::Duration> exact = test_jobs::steps_together(jobs, 20);
        for (std::size_t j = 0; j < exact.size(); ++j) {
          EXPECT_NEAR(result.step_times[j] / exact[j], 1.0, are_three ? 0.18 : 0.09)
              << over << ' ' << first << ' ' << second << ' ' << are_three << ' ' << j;
        }
      }
    }
  }
}

TEST_F(JobsFabric, StraddlingLeavesCostsTime) {
  const JobsResult apart = simulate(checked(two(4, leaves(2))));
  const JobsResult across = simulate(checked(two(3, leaves(3))));
  ASSERT_TRUE(apart.feasible() && across.feasible());
  EXPECT_LT(apart.step_times_alone[0], across.step_times_alone[0]) << "its leaf is enough for it";
}

/// The whole cluster's only job, with storage on the same fabric: like the scenario without `jobs`.
TEST_F(JobsFabric, OneOfAllNodesIsAsByItself) {
  for (const char* storage : {"cluster.storage.mount=nfs-tcp",
                              "cluster.storage={node: "
                              "powerscale-f600p, count: 3, network: scale_out}"}) {
    FabricSettings settings{
        "cluster.nodes=6", leaves(3), storage,
        "jobs=[{name: A, " + sharded(6, ", checkpoint: {interval_steps: 10, mode: asynchronous}") +
            "}]"};
    const CheckedJobs jobs = checked(settings);
    const JobsResult result = simulate(jobs);
    ASSERT_TRUE(result.feasible());
    const SimulationResult alone = simulate(jobs.jobs.front().checked);
    ASSERT_TRUE(alone.feasible());
    EXPECT_EQ(result.step_times[0], alone.step_time);
    EXPECT_EQ(result.step_times_alone[0], alone.step_time);
    EXPECT_EQ(result.run.jobs[0].training_time(), alone.run.job().training_time()) << storage;
  }
}

TEST_F(JobsFabric, BehindOneSwitchDoNotMeet) {
  const CheckedJobs jobs =
      checked(two(3, "cluster.fabric={topology: single_switch, switch: qm9790}"));
  const JobsResult result = simulate(jobs);
  ASSERT_TRUE(result.feasible());
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(result.step_times[j], result.step_times_alone[j]);
    EXPECT_EQ(result.step_times[j], simulate(jobs.jobs[j].checked).step_time);
  }
}

TEST_F(JobsFabric, GiveTheSameBytesWithAnyNumberOfThreads) {
  const CheckedJobs jobs = checked(two(3, leaves(3), {"jobs.0.count=2", "cluster.nodes=9"}));
  std::vector<std::string> results;
  for (const int num_threads : {1, 2, 8}) {
    const core::ThreadsScope scope(num_threads);
    results.push_back(output::to_json(simulate(jobs)));
  }
  EXPECT_NE(results[0].find("step_time_alone_s"), std::string::npos);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_F(JobsFabric, OfAMeasuredTimeOrAnEstimateAreNotSlowed) {
  const FabricSettings settings = two(3, leaves(3));
  const JobsResult estimate = simulate(checked(settings), {.method = Method::kEstimate});
  FabricSettings measured = settings;
  measured.emplace_back("jobs.0.run.step_time=20 s");
  const JobsResult one_measured = simulate(checked(measured));
  EXPECT_EQ(estimate.step_times, estimate.step_times_alone);
  EXPECT_EQ(one_measured.step_times[0].base(), 20.0);
  EXPECT_EQ(one_measured.step_times_alone[0].base(), 20.0);
  const JobsResult both = simulate(checked(settings));
  EXPECT_LT(one_measured.step_times[1], both.step_times[1]) << "it sends less";
  EXPECT_GT(one_measured.step_times[1], one_measured.step_times_alone[1]);
}

TEST_F(JobsFabric, FeelTheFaultsOfTheirOwnNodesAndOfSwitches) {
  const FabricSettings settings = two(4, leaves(4));
  const JobsResult sound = simulate(checked(settings));
  FabricSettings slow = settings;
  slow.emplace_back("cluster.faults={nodes_slow: [{node: 5, speed: 0.5}]}");
  const JobsResult one_slow = simulate(checked(slow));
  EXPECT_EQ(one_slow.step_times_alone[0], sound.step_times_alone[0]);
  EXPECT_GT(one_slow.step_times_alone[1], 1.2 * sound.step_times_alone[1]);
  FabricSettings broken = settings;
  broken.emplace_back("cluster.faults={nics: [{node: 6, nic: 1}]}");
  const JobsResult one_broken = simulate(checked(broken));
  EXPECT_EQ(one_broken.step_times_alone[0], sound.step_times_alone[0]);
  EXPECT_GT(one_broken.step_times_alone[1], sound.step_times_alone[1]);
}

/// Whatever faults a cluster has: the interval says how sites differ.
TEST_F(JobsFabric, HaveTheIntervalOfATrainingAlone) {
  const SimulationResult alone = simulate(read_scenario(
      load_scenario_tree(std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/neutral-llama-2-7b.yaml",
                         {"software={model: nemo-23.11, zero_stage: 3}"}),
      core::Catalogue(catalogue_roots())));
  const double low = alone.step_time_low / alone.step_time;
  const double high = alone.step_time_high / alone.step_time;
  for (const FabricSettings& faults :
       {FabricSettings{}, FabricSettings{"cluster.faults={nodes_slow: [{node: 1, speed: 0.5}]}"}}) {
    const JobsResult result = simulate(checked(two(4, leaves(4), faults)));
    ASSERT_EQ(result.step_intervals.size(), 2U);
    for (const StepInterval& interval : result.step_intervals) {
      EXPECT_LT(interval.low, 1.0);
      EXPECT_NEAR(interval.low, low, 1e-9);
      EXPECT_NEAR(interval.high, high, 1e-9);
    }
  }
}

/// A link is the same one for all jobs: it has the same index among those between switches.
TEST_F(JobsFabric, HaveTheSameLinksBetweenSwitches) {
  for (const char* fabric :
       {"leaf_spine, switch: qm9790, num_leaves: 4, oversubscription: 2",
        "leaf_spine, switch: qm9790, num_leaves: 4, oversubscription: 2, nics: dealt",
        "rail_optimized, switch: qm9790, nodes_per_group: 2",
        "rail_optimized, switch: qm9790, nodes_per_group: 2, tiers: 3",
        "pod, switch: qm9790, nodes_per_pod: 2, upper_switches: 2, links: 8",
        "dual_switch, switch: qm9790, inter_switch_links: 8"}) {
    for (const char* policy : {"ecmp", "adaptive"}) {
      const CheckedJobs jobs =
          checked(two(4, std::string("cluster.fabric={topology: ") + fabric + "}",
                      {std::string("cluster.routing={policy: ") + policy + "}",
                       "cluster.placement={order: scattered, of_nodes: 10}"}));
      const topologies::BuiltCluster whole = topologies::build(jobs.pools);
      const std::vector<core::LinkId> of_whole = links_between_switches(whole.fabric);
      EXPECT_FALSE(of_whole.empty()) << fabric;
      for (const PlacedJob& job : placed_jobs(jobs)) {
        const CheckedScenario scenario = scenario_in_place(jobs, job);
        const topologies::BuiltCluster part = scenario.topology->build(scenario.scenario.cluster);
        const std::vector<core::LinkId> of_part = links_between_switches(part.fabric);
        ASSERT_EQ(of_part.size(), of_whole.size());
        for (std::size_t i = 0; i < of_part.size(); ++i) {
          EXPECT_EQ(link_name(part.fabric, of_part[i]), link_name(whole.fabric, of_whole[i]));
        }
      }
    }
  }
}

/// Two switches with a cable of 100 bytes/s each way, which are links 0 and 1.
core::Fabric two_switches() {
  core::Fabric fabric;
  for (int i = 0; i < 2; ++i) fabric.add_vertex({core::Role::kSwitch, -1, i, "leaf", 0, false});
  fabric.add_link({0, 1, core::Tier::kFabric, core::Bandwidth::from_base(100.0)});
  return fabric;
}

TEST(SwitchTraffic, LeavesWhatOthersDoNotSendAndNoLessThanAnEqualShare) {
  const std::vector<core::LinkId> links = links_between_switches(two_switches());
  const core::Duration second = core::Duration::from_base(1.0);
  const auto both_ways = [](double there, double back) {
    return StepBytes{.nics = {}, .between_switches = {{0, there}, {1, back}}};
  };
  SwitchTraffic traffic;
  const StepBytes first = both_ways(30.0, 80.0);
  const StepBytes second_one = both_ways(20.0, 60.0);
  const StepBytes third{.nics = {}, .between_switches = {{0, 40.0}}};
  traffic.add(first, second);
  traffic.add(second_one, second * 2.0);
  traffic.add(third, second * 4.0);
  const std::vector<double> full{100.0, 100.0};
  EXPECT_EQ(traffic.left_to(first, second, links, full), (std::vector<double>{80.0, 70.0}));
  EXPECT_EQ(traffic.left_to(second_one, second * 2.0, links, full),
            (std::vector<double>{60.0, 50.0}))
      << "half of the way back, though the other sends 80";
  EXPECT_EQ(traffic.left_to(third, second * 4.0, links, full), (std::vector<double>{60.0, 100.0}));
  EXPECT_TRUE(traffic.is_shared_by(third));
}

TEST(SwitchTraffic, OfOneJobLeavesItAll) {
  const StepBytes bytes{.nics = {}, .between_switches = {{1, 60.0}}};
  SwitchTraffic traffic;
  traffic.add(bytes, core::Duration::from_base(0.1));
  EXPECT_FALSE(traffic.is_shared_by(bytes));
  const std::vector<double> full{100.0, 100.0};
  EXPECT_EQ(traffic.left_to(bytes, core::Duration::from_base(0.1),
                            links_between_switches(two_switches()), full),
            full);
}

}  // namespace
}  // namespace railwright::simulation
