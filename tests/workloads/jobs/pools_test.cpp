// SPDX-License-Identifier: Apache-2.0
// Jobs on nodes of several kinds, by hand and against one kind.
#include "railwright/topologies/pools.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {
namespace {

using PoolSettings = test::Settings;

core::Node tree_with(const std::string& example, const PoolSettings& settings) {
  return load_scenario_tree(std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/" + example + ".yaml",
                            settings);
}

CheckedJobs pools_of(const std::string& example, const PoolSettings& settings) {
  return read_jobs(tree_with(example, settings), core::Catalogue(catalogue_roots()));
}

std::string job_in(const std::string& pool, const std::string& more) {
  return "{name: on " + pool + ", pool: " + pool +
         ", software: {model: nemo-23.11, zero_stage: 3, step_overhead: 0 s}, workload: {model: "
         "llama-2-7b, sequence_length: 4096, global_batch: 48, micro_batch: 1, steps: 100}, " +
         more + "}";
}

PoolSettings powers_of(int pool, const std::string& idle, const std::string& busy) {
  const std::string node = "cluster.pools." + std::to_string(pool) + ".node.";
  return {node + "power_idle={value: " + idle + ", source: test}",
          node + "power_compute={value: " + busy + ", source: test}",
          node + "power_communication={value: " + busy + ", source: test}"};
}

/// The old half has 12 nodes of 2 and 10 kW and two of them a job for 1,000 s, of which it starts
/// up for 100; the new half has 6 nodes of 3 and 20 kW and one of them a job from 200 s to 700 s.
JobsResult two_halves() {
  PoolSettings settings = test::join(powers_of(0, "2 kW", "10 kW"), powers_of(1, "3 kW", "20 kW"));
  settings.push_back("jobs=[" + job_in("old", "nodes: 2, run: {step_time: 9 s, start_up: 100 s}") +
                     "," + job_in("new", "nodes: 1, start: 200 s, run: {step_time: 5 s}") + "]");
  settings.emplace_back(
      "prices={nodes: {xe9680-h100: 10000 USD, xe9680-b200: 90000 USD}, electricity: 0 USD/kWh, "
      "ownership: 2 y, utilization: 0.5}");
  return simulate(pools_of("two-generations", settings));
}

TEST(Pools, HavePowersOfTheirOwn) {
  const JobsResult result = two_halves();
  ASSERT_TRUE(result.feasible());
  ASSERT_EQ(result.pools.size(), 2U);
  const PoolRun& old_half = result.pools[0];
  const PoolRun& new_half = result.pools[1];
  const double tokens = 48 * 4096.0 * 100;
  EXPECT_NEAR(old_half.tokens_per_s, tokens / 1000, 1e-6 * tokens);
  EXPECT_NEAR(new_half.tokens_per_s, tokens / 500, 1e-6 * tokens);
  EXPECT_NEAR(old_half.energy.base(), 2 * (10e3 * 900 + 2e3 * 100), 1.0);
  EXPECT_NEAR(new_half.energy.base(), 20e3 * 500, 1.0);
  EXPECT_NEAR(old_half.mean_power.base(), 2 * (9e3 + 200) + 10 * 2e3, 1e-3);
  EXPECT_NEAR(new_half.mean_power.base(), 20e3 * 0.5 + 3e3 * 0.5 + 5 * 3e3, 1e-3);
  EXPECT_NEAR(result.power.mean.nodes.total().base(),
              (old_half.mean_power + new_half.mean_power).base(), 1e-3);
  EXPECT_NEAR(result.power.peak.nodes.total().base(), 2 * 10e3 + 10 * 2e3 + 20e3 + 5 * 3e3, 1e-3);
  EXPECT_EQ(result.num_accelerators, (12 + 6) * 8);
}

/// Of what has a price, the nodes: the half of two years in which jobs run pays for them.
TEST(Pools, CostWhatTheirNodesDo) {
  const JobsResult result = two_halves();
  const double seconds = 0.5 * 2 * 365.25 * 86400;
  const double millions = 48 * 4096.0 * 100 / 1e6;
  const auto cost = [&](double capital, double node_seconds, int num_nodes) {
    return capital * node_seconds / num_nodes / seconds / millions;
  };
  EXPECT_NEAR(result.pools[0].per_million_tokens.base(), cost(12 * 10e3, 2000, 12), 1e-9);
  EXPECT_NEAR(result.pools[1].per_million_tokens.base(), cost(6 * 90e3, 500, 6), 1e-9);
  EXPECT_FALSE(result.pools[0].ownership->unpriced.empty()) << "its switch, NICs and cables";
}

constexpr std::string_view kKind =
    "node: {model: xe9680-h100, nics: {nic: connectx-7, count: 4}}, fabric: {topology: "
    "single_switch, switch: qm9790}";
constexpr std::string_view kStorage =
    "storage: {node: powerscale-f600p, count: 3, switch: s5232f-on, num_switches: 2}";

PoolSettings ten_nodes_in_two() {
  const std::string kind(kKind);
  return {"cluster={pools: [{name: a, nodes: 6, " + kind + "}, {name: b, nodes: 4, " + kind +
              "}], " + std::string(kStorage) + "}",
          "jobs.0.pool=a", "jobs.1.pool=b", "jobs.2.pool=b"};
}

/// Three jobs behind one switch each make the same steps on two fabrics, and meet at the storage as
/// they did before.
TEST(Pools, OfOneKindRunAsOneCluster) {
  const JobsResult one = simulate(pools_of("three-jobs-one-powerscale", {}));
  const JobsResult two = simulate(pools_of("three-jobs-one-powerscale", ten_nodes_in_two()));
  ASSERT_TRUE(two.feasible()) << two.infeasible.front().what;
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(two.run.jobs[j].training_time() / one.run.jobs[j].training_time(), 1.0, 1e-9) << j;
    EXPECT_NEAR(two.alone[j] / one.alone[j], 1.0, 1e-9) << j;
  }
  EXPECT_NEAR(two.power.mean.nodes.total() / one.power.mean.nodes.total(), 1.0, 1e-9);
  EXPECT_EQ(two.run.storage.bins.size(), one.run.storage.bins.size());
}

int count_of(const core::PartsList& parts, std::string_view name) {
  int count = 0;
  for (const core::Part& part : parts.parts) count += part.name == name ? part.count : 0;
  return count;
}

TEST(Pools, AreAllOnTheBill) {
  const CheckedJobs one = pools_of("three-jobs-one-powerscale", {});
  const CheckedJobs two = pools_of("three-jobs-one-powerscale", ten_nodes_in_two());
  const core::PartsList of_one = topologies::build(one.pools).parts;
  const core::PartsList of_two = topologies::build(two.pools).parts;
  for (const char* part : {"xe9680-h100", "connectx-7", "connectx-6-dx", "powerscale-f600p",
                           "host link", "front-end link", "s5232f-on"}) {
    EXPECT_EQ(count_of(of_two, part), count_of(of_one, part)) << part;
  }
  EXPECT_EQ(count_of(of_two, "qm9790"), 2);
  EXPECT_EQ(of_two.ports_used, of_one.ports_used);
  EXPECT_EQ(of_two.fabric.switches.front().name, "a leaf");
  const auto power = [](const core::PartsList& parts) {
    double sum = 0.0;
    for (const core::SwitchTier& tier : parts.fabric.switches) sum += tier.power.base();
    return sum;
  };
  const double of_one_more =
      topologies::build_alone(two.pools[0]).parts.fabric.switches.front().power.base();
  EXPECT_NEAR(power(of_two), power(of_one) + of_one_more, 1e-6);
}

TEST(Pools, HaveFewerNodesThanTheirJobsTake) {
  const JobsResult result = simulate(pools_of("two-generations", {"cluster.pools.1.nodes=3"}));
  ASSERT_EQ(result.infeasible.size(), 1U);
  EXPECT_EQ(result.infeasible[0].what, "the jobs take 6 nodes, pool new has 3: 3 too few");
}

TEST(Pools, AreReadStrictly) {
  struct Case {
    PoolSettings settings;
    const char* said;
  };
  const std::string kind(kKind);
  const Case cases[] = {
      {{"jobs.0.pool=odl"}, "jobs[0].pool: no pool 'odl'"},
      {{"jobs.0.pools={old: 2, new: 2}"}, "jobs[0].pool: has no place beside pools"},
      {{"cluster.nodes=4"}, "cluster.nodes: has no place beside pools"},
      {{"cluster.faults={nics: [{node: 0, nic: 0}]}"}, "cluster.faults: is of one fabric"},
      {{"cluster.pools.1.name=old"}, "'old' is the name of another pool too"},
      {{"cluster.pools=[{name: old, nodes: 4, " + kind + "}]"}, "pools are nodes of several kinds"},
      {{"cluster.pools.1.node=xe9680-b20"}, "cluster.pools.1.node: "},
      {{"cluster.storage={node: powerscale-f710, count: 5, network: scale_out}"},
       "cluster.storage.network: scale_out is the fabric of one kind of node"},
      {{"run.num_spares=1"}, "run.num_spares: does not say of which pool"},
      {{"jobs.1.division=balanced"}, "jobs[1].division: is of a job on two pools"},
      {{"jobs.1.workload.global_batch=145"}, "jobs[1].workload.global_batch"}};
  for (const Case& one : cases) {
    try {
      pools_of("two-generations", one.settings);
      ADD_FAILURE() << one.said;
    } catch (const core::ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(one.said), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(pools_of("three-jobs-one-powerscale", {"jobs.0.pool=a"}), core::ConfigError);
}

/// What was found for a file reads back as the same jobs.
TEST(Pools, AreCompletedAsTheyAre) {
  const core::Catalogue catalogue(catalogue_roots());
  for (const char* example :
       {"two-generations", "one-job-two-generations", "three-jobs-one-powerscale"}) {
    const CheckedJobs given = pools_of(example, {});
    const CheckedJobs again =
        read_jobs(complete_jobs(tree_with(example, {}), catalogue), catalogue);
    ASSERT_EQ(again.pools.size(), given.pools.size()) << example;
    ASSERT_EQ(again.jobs.size(), given.jobs.size()) << example;
    for (std::size_t j = 0; j < given.jobs.size(); ++j) {
      EXPECT_EQ(again.jobs[j].pool, given.jobs[j].pool) << example;
      EXPECT_EQ(again.jobs[j].others.size(), given.jobs[j].others.size()) << example;
      EXPECT_EQ(again.jobs[j].checked.scenario.workload.global_batch,
                given.jobs[j].checked.scenario.workload.global_batch)
          << example;
    }
  }
}

constexpr const char* kDivided = "one-job-two-generations";

/// Every micro-batch is taken once, and no other division that takes them all is shorter.
TEST(DividedStep, IsBalancedByTheShortest) {
  const CheckedJobs checked = pools_of(kDivided, {});
  const JobsResult result = simulate(checked);
  ASSERT_EQ(result.divided_steps.size(), 1U);
  const DividedStep& step = result.divided_steps.front();
  EXPECT_EQ(result.step_times.front(), step.balanced.step_time);
  EXPECT_LT(step.balanced.step_time, step.even.step_time);
  const auto all = [](const Division& division) {
    int sum = 0;
    for (const PartOfStep& part : division.parts) sum += part.num_replicas * part.micro_batches;
    return sum;
  };
  EXPECT_EQ(all(step.balanced), 384);
  EXPECT_EQ(all(step.even), 384);
  EXPECT_EQ(step.even.parts[0].micro_batches, step.even.parts[1].micro_batches);
  EXPECT_GT(step.even.parts[0].time, step.even.parts[1].time) << "the H100 set the pace";
  EXPECT_GT(step.balanced.parts[1].micro_batches, step.balanced.parts[0].micro_batches);
  const CheckedScenario& part = checked.jobs.front().checked;
  for (int more : {-2, 2}) {  // pp 2 interleaved takes even counts
    const int first = step.balanced.parts[0].micro_batches + more;
    const int second = step.balanced.parts[1].micro_batches - more;
    const auto time = [&](std::size_t pool, int count) {
      core::Node tree = tree_with(kDivided, {});
      CheckedScenario one = pool == 0 ? part : checked.jobs.front().others.front().checked;
      one.scenario.workload.global_batch = one.layout.dp * count;
      EXPECT_TRUE(models::make_layout(one.scenario.workload, one.scenario.parallelism,
                                      one.scenario.num_accelerators(), one.layout)
                      .empty());
      const auto built = one.topology->build(one.scenario.cluster);
      return simulate_step(step_costs(one, built.fabric)).step_time;
    };
    EXPECT_GE(std::max(time(0, first), time(1, second)) + step.exchange, step.balanced.step_time);
  }
}

/// 69 billion gradients of 4 bytes over 400 GB/s, and over fewer than the NICs of a part send.
TEST(DividedStep, ExchangesGradientsOverTheNarrowest) {
  const CheckedJobs checked = pools_of(kDivided, {});
  const Scenario& part = checked.jobs.front().checked.scenario;
  const double bytes = static_cast<double>(models::num_trained_parameters(part.workload)) *
                       part.software.gradient_reduce_bytes.value;
  const DividedStep wide = simulate(checked).divided_steps.front();
  const double nics = part.cluster.node.nics.payload_rate().base() * 8;
  ASSERT_GT(nics, 400e9);
  EXPECT_NEAR(wide.exchange.base(), bytes / 400e9, 1e-9);
  const DividedStep widest =
      simulate(pools_of(kDivided, {"cluster.between_pools=100 TB/s"})).divided_steps.front();
  EXPECT_NEAR(widest.exchange.base(), bytes / nics, 1e-9);
  const core::Duration slowest = std::max(wide.even.parts[0].time, wide.even.parts[1].time);
  EXPECT_NEAR(wide.even.step_time.base(), (slowest + wide.exchange).base(), 1e-9);
}

TEST(DividedStep, OfOneKindIsEven) {
  const JobsResult result = simulate(
      pools_of(kDivided, {"cluster.pools.1.node={model: xe9680-h100, nics: {nic: connectx-7, "
                          "count: 8}}"}));
  const DividedStep& step = result.divided_steps.front();
  EXPECT_EQ(step.balanced.step_time, step.even.step_time);
  EXPECT_NEAR(step.even.parts[0].time / step.even.parts[1].time, 1.0, 1e-9);
}

}  // namespace
}  // namespace railwright::simulation
