// SPDX-License-Identifier: Apache-2.0
// Power of several jobs, by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

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

/// Steps and waits of two equal jobs add up to all of the time but for rounding: that is no power.
TEST(JobsPower, IsNothingWithoutAJobWhereAllNodesHaveOneAllTheTime) {
  for (const int interval : {5, 7, 10, 13}) {
    const std::string plan =
        "nodes: 2, run: {start_up: 0.1 s, step_time: 1.1 s}, checkpoint: "
        "{interval_steps: " +
        std::to_string(interval) + "}";
    const JobsResult result = two_jobs({"jobs=[" + job("A", plan) + "," + job("B", plan) + "]"});
    ASSERT_TRUE(result.feasible());
    EXPECT_EQ(result.power.without_job.base(), 0.0) << interval;
    const core::Power with_jobs = result.power.in_steps + result.power.waiting;
    EXPECT_NEAR(with_jobs / result.power.mean.nodes.total(), 1.0, 1e-12);
  }
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

/// The job of a whole cluster as one of `jobs`, and without them.
struct BothWays {
  JobsResult of_jobs;
  SimulationResult alone;
};

/// Simulates one job of two nodes both ways, with `more` settings of the scenario.
BothWays both_ways(const PowerSettings& more) {
  const std::string path =
      std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/three-jobs-one-powerscale.yaml";
  PowerSettings settings{"cluster.nodes=2", "jobs=[" + job("A", "nodes: 2") + "]"};
  settings.insert(settings.end(), more.begin(), more.end());
  core::Node tree = load_scenario_tree(path, settings);
  const core::Catalogue catalogue(catalogue_roots());
  BothWays both{.of_jobs = simulate(read_jobs(tree, catalogue)), .alone = {}};
  core::Node only = tree.find("jobs")->items.front();
  std::erase_if(only.entries, [](const core::Entry& entry) { return entry.key == "nodes"; });
  for (const core::Entry& entry : tree.entries) {
    if (entry.key == "cluster" || entry.key == "power") only.entries.push_back(entry);
  }
  both.alone = simulate(read_scenario(only, catalogue));
  return both;
}

/// The whole cluster's only job draws what it does without `jobs`, under any plan.
TEST(JobsPower, OfOneJobIsThatOfATrainingAlone) {
  double last_step = 0.0;
  for (const char* plan : {"power={}", "power={node_cap: 7 kW, pue: 1.3, carbon_intensity: 380}",
                           "power={accelerator_cap: 400 W, carbon_intensity: 50}"}) {
    SCOPED_TRACE(plan);
    const auto [result, alone] = both_ways({plan});
    ASSERT_TRUE(result.feasible() && alone.feasible());
    EXPECT_NEAR(result.power.mean_power() / alone.power->mean_power(), 1.0, 1e-9);
    EXPECT_NEAR(result.power.energy() / alone.power->total_energy(), 1.0, 1e-9);
    EXPECT_EQ(result.power.peak_power(), alone.power->peak_power());
    EXPECT_EQ(result.power.idle_power(), alone.power->idle_power());
    EXPECT_EQ(result.power.clock, alone.power->node.clock);
    EXPECT_EQ(result.step_times.front(), alone.step_time);
    EXPECT_NE(result.step_times.front().base(), last_step);
    last_step = result.step_times.front().base();
    const auto json = nlohmann::json::parse(output::to_json(result));
    const auto of_alone = nlohmann::json::parse(output::to_json(alone));
    EXPECT_NEAR(result.step_intervals.front().low, alone.step_time_low / alone.step_time, 1e-12);
    EXPECT_NEAR(result.step_intervals.front().high, alone.step_time_high / alone.step_time, 1e-12);
    ASSERT_EQ(json["energy"].contains("carbon_kg"), of_alone["energy"].contains("carbon_kg"));
    if (!json["energy"].contains("carbon_kg")) continue;
    EXPECT_NEAR(
        json["energy"]["carbon_kg"].get<double>() / of_alone["energy"]["carbon_kg"].get<double>(),
        1.0, 1e-9);
  }
}

/// Parts stay the equipment's; what is of the whole is the building's.
TEST(JobsPower, IsOfTheBuildingWithItsPue) {
  const JobsResult bare = two_jobs({}, {.trace = true});
  const JobsResult built = two_jobs({"power.pue=1.5"}, {.trace = true});
  EXPECT_NEAR(built.power.mean_power() / bare.power.mean_power(), 1.5, 1e-12);
  EXPECT_NEAR(built.power.energy() / bare.power.energy(), 1.5, 1e-12);
  EXPECT_EQ(built.power.mean.nodes.total(), bare.power.mean.nodes.total());
  EXPECT_NEAR(built.power.over_time->mean.front() / bare.power.over_time->mean.front(), 1.5, 1e-12);
}

TEST(JobsPower, OfAPlanThatLeavesNothingIsRefusedOnce) {
  try {
    two_jobs({"power.node_cap=1 kW"});
    FAIL();
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U) << error.what();
    EXPECT_EQ(error.diagnostics().front().path, "power.node_cap");
  }
}

}  // namespace
}  // namespace railwright::simulation
