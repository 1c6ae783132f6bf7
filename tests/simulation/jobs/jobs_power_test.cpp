// SPDX-License-Identifier: Apache-2.0
// Power of several jobs, by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/jobs/jobs.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::simulation {
namespace {

using PowerSettings = test::Settings;

/// A job without a moment in which its steps neither compute nor communicate.
std::string job(const std::string& name, const std::string& more) {
  return "{name: " + name +
         ", software: {model: nemo-23.11, zero_stage: 3, step_overhead: 0 s}, workload: {model: "
         "llama-2-7b, sequence_length: 4096, global_batch: 48, micro_batch: 1, steps: 100}, " +
         more + "}";
}

/// Nodes that draw 2 kW idle and 10 kW in a step. A has two of them for 1,000 s, of which it starts
/// up for 100; B has one, from 200 s to 700 s; the fourth has no job.
JobsResult two_jobs(const PowerSettings& more = {}, const SimulateOptions& options = {}) {
  PowerSettings settings{"cluster.nodes=4", "cluster.node.power_idle={value: 2 kW, source: test}",
                         "cluster.node.power_compute={value: 10 kW, source: test}",
                         "cluster.node.power_communication={value: 10 kW, source: test}",
                         "jobs=[" + job("A", "nodes: 2, run: {step_time: 9 s, start_up: 100 s}") +
                             "," + job("B", "nodes: 1, start: 200 s, run: {step_time: 5 s}") + "]"};
  settings.insert(settings.end(), more.begin(), more.end());
  const core::Node tree = load_scenario_tree(
      std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/three-jobs-one-powerscale.yaml", settings);
  return simulate(read_jobs(tree, core::Catalogue(catalogue_roots())), options);
}

TEST(JobsPower, IsThatOfEachNodeByWhatItsJobDoes) {
  const JobsResult result = two_jobs();
  ASSERT_TRUE(result.feasible());
  const JobsPower& power = result.power;
  EXPECT_NEAR(power.time.base(), 1000.0, 1e-6);
  EXPECT_NEAR(power.in_steps.base(), (2 * 10e3 * 900 + 10e3 * 500) / 1000, 1e-6);
  EXPECT_NEAR(power.waiting.base(), 2 * 2e3 * 100 / 1000, 1e-6);
  EXPECT_NEAR(power.without_job.base(), (2e3 * 1000 + 2e3 * 500) / 1000, 1e-6);
  EXPECT_NEAR(power.mean.nodes.total().base(), 23e3 + 400.0 + 3e3, 1e-6);
  EXPECT_NEAR(power.peak.nodes.total().base(), 3 * 10e3 + 2e3, 1e-6);
  EXPECT_NEAR(power.idle.nodes.total().base(), 8e3, 1e-6);
  EXPECT_GT(power.mean.switches, core::Power{});
  EXPECT_GT(power.mean.storage_nodes, core::Power{});
  const core::Power beside =
      power.mean.switches + power.mean.transceivers + power.mean.storage_nodes;
  EXPECT_NEAR(power.energy().base(), 1000.0 * (26.4e3 + beside.base()), 1e-3);
  const auto json = nlohmann::json::parse(output::to_json(result));
  EXPECT_EQ(json["power"]["mean_power_w"].get<double>(), power.mean.equipment().base());
  EXPECT_EQ(json["power"]["mean"]["nodes_waiting_w"].get<double>(), power.waiting.base());
  EXPECT_FALSE(json["power"].contains("over_time"));
}

/// A spare idles. Jobs one after the other are never at work together.
TEST(JobsPower, PeaksWhereTheMostNodesHaveJobs) {
  const JobsResult result = two_jobs({"jobs.1.start=1000 s", "run.num_spares=1"});
  ASSERT_TRUE(result.feasible());
  EXPECT_NEAR(result.power.time.base(), 1500.0, 1e-6);
  EXPECT_NEAR(result.power.peak.nodes.total().base(), 2 * 10e3 + 3 * 2e3, 1e-6);
  EXPECT_NEAR(result.power.idle.nodes.total().base(), 10e3, 1e-6);
}

TEST(JobsPower, OverTimeAddsUpToTheEnergy) {
  const JobsResult result = two_jobs({}, {.trace = true});
  ASSERT_TRUE(result.power.over_time);
  const PowerSeries& series = *result.power.over_time;
  core::Energy sum;
  for (const core::Power& one : series.mean) sum += one * series.width;
  EXPECT_NEAR(sum / result.power.energy(), 1.0, 1e-9);
  const core::Power beside = result.power.idle.equipment() - result.power.idle.nodes.total();
  EXPECT_NEAR((series.mean.front() - beside).base(), 8e3, 1e-6) << "A starts up";
  EXPECT_NEAR((series.mean[series.mean.size() / 2] - beside).base(), 32e3, 1e-6);
  EXPECT_NEAR((series.mean.back() - beside).base(), 24e3, 1e-6) << "B has ended";
}

/// The whole cluster's only job draws what it does without `jobs`.
TEST(JobsPower, OfOneJobIsThatOfATrainingAlone) {
  const PowerSettings settings{"cluster.nodes=2", "jobs=[" + job("A", "nodes: 2") + "]"};
  const core::Node tree = load_scenario_tree(
      std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/three-jobs-one-powerscale.yaml", settings);
  const CheckedJobs jobs = read_jobs(tree, core::Catalogue(catalogue_roots()));
  const JobsResult result = simulate(jobs);
  const SimulationResult alone = simulate(jobs.jobs.front().checked);
  ASSERT_TRUE(result.feasible() && alone.feasible());
  EXPECT_NEAR(result.power.mean.equipment() / alone.power->mean_power(), 1.0, 1e-9);
  EXPECT_NEAR(result.power.energy() / alone.power->total_energy(), 1.0, 1e-9);
  EXPECT_EQ(result.power.peak.equipment(), alone.power->peak_power());
}

}  // namespace
}  // namespace railwright::simulation
