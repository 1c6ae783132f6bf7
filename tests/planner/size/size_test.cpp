// SPDX-License-Identifier: Apache-2.0
// `size`: the smallest cluster that meets the goals, and what it consists of.
#include "railwright/planner/size/size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "../../support/source_tree.hpp"
#include "quick_size.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/size/racks.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "railwright/planner/so_far.hpp"
#include "railwright/simulation/results/topology.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/training/spares.hpp"

namespace railwright::test {
namespace {

using core::Duration;
using planner::SizingResult;

constexpr double kDay = 86400.0;

/// Llama 2 7B on five billion tokens: quick to size. Nothing fails, no storage.
core::Node sized_tree(const std::vector<std::string>& settings = {}) {
  return quick_to_size(
      "{deadline: 1 d, tokens: 5e9, max_global_batch: 512, parts: {max_nodes: 64}}", settings);
}

SizingResult run(const std::vector<std::string>& settings,
                 const core::Catalogue& catalogue = source_catalogue()) {
  return planner::size(sized_tree(settings), catalogue, {});
}

/// Its scenario, run by itself, gives the time that it says; one node less is too late.
TEST(Size, GivesTheFewestNodesThatKeepTheDeadline) {
  const SizingResult result = run({"goals.deadline=12 h"});
  ASSERT_TRUE(result.feasible());
  const planner::SizedCluster& cluster = result.sized[0].cluster;
  const auto tree = sized_tree(cluster.settings);
  const auto alone = simulation::simulate(simulation::read_scenario(tree, source_catalogue()));
  ASSERT_TRUE(alone.feasible());
  EXPECT_EQ(alone.run.job().training_time(), cluster.result.run.job().training_time());
  const auto& batch = cluster.configuration.configuration;
  EXPECT_EQ(alone.steps, std::ceil(5e9 / (4096.0 * static_cast<double>(batch.global_batch))));
  EXPECT_LE(cluster.training_time, Duration::from_base(0.5 * kDay));
  ASSERT_GT(cluster.num_nodes, 1);
  ASSERT_FALSE(result.sized[0].steps_down.empty());
  EXPECT_EQ(cluster.num_nodes, 2);
  EXPECT_EQ(result.sized[0].steps_down[0].what, "1 node");
  EXPECT_NE(result.sized[0].steps_down[0].misses.find("too late"), std::string::npos);
  // Half the time takes about twice the nodes, never fewer than that less one.
  const SizingResult half = run({"goals.deadline=6 h"});
  ASSERT_TRUE(half.feasible());
  EXPECT_GE(half.sized[0].cluster.num_nodes, 2 * cluster.num_nodes - 1);
  EXPECT_LE(half.sized[0].cluster.num_nodes, 2 * cluster.num_nodes + 2);
}

/// Llama 2 70B on 8 billion tokens, at most 96 sequences a step.
const std::vector<std::string> kLarge = {
    "workload={model: llama-2-70b, sequence_length: 4096, global_batch: 96, steps: 1}",
    "search.tp=[1, 2, 4]", "search.pp=[1, 3, 5]",
    "goals={deadline: 1 d, tokens: 8e9, max_global_batch: 96}"};

/// Whether the best configuration that `search` finds on so many nodes keeps the deadline.
bool keeps_a_day(int num_nodes) {
  std::vector<std::string> settings = kLarge;
  settings.push_back(fmt::format("cluster.nodes={}", num_nodes));
  settings.push_back(fmt::format("workload.global_batch={}", 8 * num_nodes));
  settings.emplace_back("search.max_global_batch=96");
  const auto found = planner::search(sized_tree(settings), source_catalogue(),
                                     {.num_best = 1, .num_simulated = 0});
  if (!found.feasible()) return false;
  const planner::SearchEntry& best = found.best.front();
  settings.insert(settings.end(), best.settings.begin(), best.settings.end());
  const double tokens = 4096.0 * static_cast<double>(best.configuration.global_batch);
  settings.push_back(fmt::format("workload.steps={}", static_cast<int>(std::ceil(8e9 / tokens))));
  const auto alone =
      simulation::simulate(simulation::read_scenario(sized_tree(settings), source_catalogue()));
  return alone.feasible() && planner::TimeSpread(alone).below(0.5) <= Duration::from_base(kDay);
}

/// Counts that divide nothing or lack memory lie between those that meet the goals: trying each
/// count alone finds none below the answer, and a limit just above the answer does not miss it.
TEST(Size, AgreesWithTryingEveryCountAndMoreFreedomNeverTakesMoreNodes) {
  int least = 1;
  while (least < 22 && !keeps_a_day(least)) ++least;
  EXPECT_EQ(least, 15);
  for (const int most : {15, 16, 18, 20, 22}) {
    std::vector<std::string> limited = kLarge;
    limited.push_back(fmt::format("goals.parts.max_nodes={}", most));
    const SizingResult result = run(limited);
    ASSERT_TRUE(result.feasible()) << most;
    EXPECT_EQ(result.sized[0].cluster.num_nodes, least) << most;
    EXPECT_FALSE(result.sized[0].steps_down.empty());
  }
}

/// What a run adds to its steps makes nodes late whose steps alone are in time. Nodes are taken by
/// a deadline just above the time of their whole simulation, and ruled out by one just below it.
TEST(Size, RunsRuleOutNodesWhoseStepsAloneAreInTime) {
  std::vector<std::string> failing = kLarge;
  for (const char* setting :
       {"cluster.storage={node: powerscale-f710, count: 3, switch: z9664f-on, num_switches: 2}",
        "checkpoint={interval: 20 min}", "reliability=rsc-1", "run={start_up: 1 h}",
        "run.targets={checkpoint_stall: 0.1}", "goals.parts.max_nodes=15"}) {
    failing.emplace_back(setting);
  }
  const SizingResult result = run(failing);
  ASSERT_TRUE(result.feasible()) << result.missed[0].why;
  const planner::SizedCluster& cluster = result.sized[0].cluster;
  EXPECT_EQ(cluster.num_nodes, 15);
  ASSERT_FALSE(cluster.result.run.needs.empty());
  EXPECT_EQ(cluster.num_storage_nodes, cluster.result.run.storage.num_nodes);
  const auto with_deadline = [&](double of_time) {
    failing.push_back(fmt::format("goals.deadline={} s", of_time * cluster.training_time.base()));
    return run(failing);
  };
  const SizingResult above = with_deadline(1.0001);
  ASSERT_TRUE(above.feasible()) << above.missed[0].why;
  EXPECT_EQ(above.sized[0].cluster.training_time, cluster.training_time);
  const SizingResult below = with_deadline(0.9999);
  ASSERT_EQ(below.missed.size(), 1U);
  EXPECT_NE(below.missed[0].why.find("too late"), std::string::npos) << below.missed[0].why;
}

/// Of the numbers of nodes that are late by their runs alone, one is simulated as a whole: the one
/// below the answer. Then there are the answer and the most nodes, each with and without spares.
TEST(Size, SimulatesTheClustersOfTheAnswerAlone) {
  const SizingResult result = planner::size(
      simulation::load_scenario_tree(kSource + "/examples/size-llama2-70b-30-days.yaml",
                                     {"goals.parts.nics=[8]"}),
      source_catalogue(), {});
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(result.sized[0].cluster.num_nodes, 64);
  EXPECT_LE(result.counts.clusters, 6);
  EXPECT_GT(result.counts.replicas, 0);
  EXPECT_LE(result.counts.replicas, 80);
  EXPECT_GT(result.counts.runs, 0);
  EXPECT_LE(result.counts.runs, 36);
}

/// 6 x 69 billion x 8 billion tokens and causal attention in a day keep 5.0 nodes of 7.9 Pflop/s
/// busy at their peak, 5.3 at the median site.
TEST(Size, TriesNoCountThatIsLateAtPeakRates) {
  std::vector<std::int64_t> tried;
  std::vector<std::string> answers;
  std::int64_t fastest = 0;
  const planner::SizeOptions options{
      .progress = [&](std::string_view what, std::int64_t count, std::int64_t of) {
        if (count == planner::kSoFar) {
          EXPECT_TRUE(tried.empty() || !answers.empty());  // the first comes before all trials
          answers.emplace_back(what);
          return;
        }
        tried.push_back(count);
        if (!what.ends_with(", fastest")) return;
        EXPECT_EQ(count, fastest++);  // trials, not nodes, whose number goes up and down
        EXPECT_LT(count, of);
      }};
  const SizingResult result = planner::size(sized_tree(kLarge), source_catalogue(), options);
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(tried.front(), 6);
  EXPECT_GT(fastest, 0);
  ASSERT_GE(answers.size(), 2U);
  EXPECT_NE(answers.front().find("of steps by estimate"), std::string::npos) << answers.front();
  EXPECT_TRUE(answers.back().starts_with("15 nodes, ")) << answers.back();
}

TEST(Size, TokensMayFollowTheParameters) {
  const SizingResult result =
      run({"goals={deadline: 60 d, tokens_per_parameter: 20, parts: {max_nodes: 64}}"});
  ASSERT_TRUE(result.feasible());
  const auto& simulated = result.sized[0].cluster.result;
  const double tokens = static_cast<double>(simulated.tokens_per_step * simulated.steps);
  EXPECT_NEAR(tokens / (20.0 * 6.738e9), 1.0, 1e-3);
}

TEST(Size, SaysWhichGoalIsMissedAndByHowMuch) {
  const SizingResult late = run({"goals.deadline=10 min"});
  EXPECT_FALSE(late.feasible());
  ASSERT_EQ(late.missed.size(), 1U);
  EXPECT_NE(late.missed[0].why.find("64 nodes: "), std::string::npos);
  EXPECT_NE(late.missed[0].why.find("too late"), std::string::npos);
  const SizingResult power = run({"goals.deadline=6 h", "goals.power=9 kW"});
  ASSERT_EQ(power.missed.size(), 1U);
  EXPECT_NE(power.missed[0].why.find("it draws"), std::string::npos);
  const SizingResult memory = run({"workload.model=llama-2-70b", "goals.parts.max_nodes=1"});
  ASSERT_EQ(memory.missed.size(), 1U);
  EXPECT_NE(memory.missed[0].why.find("least memory"), std::string::npos);
  EXPECT_NE(output::verdict(power).find("no cluster meets the goals"), std::string::npos);
}

TEST(Size, SaysWhatTheMostNodesOfAFabricMiss) {
  const SizingResult result = run({"goals.deadline=2 h", "cluster.fabric.topology=single_switch"});
  ASSERT_EQ(result.missed.size(), 1U);
  const std::string& why = result.missed[0].why;
  EXPECT_TRUE(
      why.starts_with("8 nodes, the most that can be plugged in (9 nodes x 8 NICs need 72 "
                      "ports; qm9790 has 64): "))
      << why;
  EXPECT_NE(why.find("too late"), std::string::npos) << why;
}

TEST(Size, ABetterDeviceInTheCatalogueWinsAndAWorseOneDoesNot) {
  const auto folder = std::filesystem::temp_directory_path() / "railwright_size_test";
  std::filesystem::create_directories(folder / "nodes");
  const auto put = [&](const std::string& name, const std::string& speed) {
    std::ofstream(folder / "nodes" / (name + ".yaml"))
        << "model: xe9680-h100\nname: " << name << "\naccelerator: {bf16_rate: {value: " << speed
        << ", source: made up}}\n";
  };
  put("faster", "1979 TFLOP/s");
  put("slower", "494 TFLOP/s");
  const core::Catalogue catalogue({folder.string(), kSource + "/models/catalogue"});
  const SizingResult result =
      run({"goals.deadline=6 h", "goals.parts.nodes=[xe9680-h100, faster, slower]"}, catalogue);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(result.sized.size(), 3U) << output::to_text(result);
  EXPECT_EQ(result.sized[*result.chosen].cluster.option, "faster");
  EXPECT_EQ(result.fastest->option, "faster");
  EXPECT_GT(result.sized[2].cluster.num_nodes, result.sized[0].cluster.num_nodes);
}

/// The example with few choices and room for 2,000 checkpoints: 30 storage nodes.
core::Node tree_with_many_checkpoints(const std::string& more) {
  return simulation::load_scenario_tree(
      kSource + "/examples/size-llama2-70b-30-days.yaml",
      {"goals.parts.nics=[8]", "goals.deadline=300 d", "prices=null", "goals.confidence=0.5",
       "search.tp=[4]", "search.pp=[4]", "search.micro_batch=[1]", "search.recompute=[none]",
       "run.replicas=4", "run.targets.checkpoints_kept=2000", "goals.parts.max_nodes=16", more});
}

/// Room for two thousand checkpoints of 1 TB takes more storage nodes than the least; a node fewer
/// has none for the last of them.
TEST(Size, BuysStorageNodes) {
  const SizingResult result =
      planner::size(tree_with_many_checkpoints("name=many checkpoints"), source_catalogue(), {});
  ASSERT_TRUE(result.feasible()) << output::to_text(result);
  const planner::SizedCluster& cluster = result.sized[0].cluster;
  const auto& needs = cluster.result.run.needs;
  ASSERT_EQ(needs.size(), 3U);
  int most = 0;
  for (const auto& need : needs) most = std::max(most, need.num_nodes);
  EXPECT_EQ(cluster.num_storage_nodes, most);
  const topologies::StorageCluster storage =
      *simulation::read_scenario(
           simulation::load_scenario_tree(kSource + "/examples/size-llama2-70b-30-days.yaml",
                                          cluster.settings),
           source_catalogue())
           .scenario.cluster.storage;
  const double needed =
      2000.0 * static_cast<double>(cluster.result.run.job().checkpoint.bytes) + storage.used.base();
  const auto usable = [&](int nodes) {
    return models::usable_capacity(storage.node, nodes, storage.data_reduction).base();
  };
  EXPECT_GE(usable(most), needed);
  EXPECT_LT(usable(most - 1), needed);
}

/// More storage nodes than two switches of 34 ports can take.
TEST(Size, BuysTheSwitchesOfItsStorageNodes) {
  const core::Node tree = tree_with_many_checkpoints("cluster.storage.switch.num_ports=34");
  const SizingResult result = planner::size(tree, source_catalogue(), {});
  ASSERT_TRUE(result.feasible()) << output::to_text(result);
  std::vector<std::string> bought = result.sized[0].cluster.settings;
  const auto cluster = [&] {
    return simulation::read_cluster(simulation::with_settings(tree, bought), source_catalogue());
  };
  const int switches = cluster().cluster.storage->num_switches;
  EXPECT_GT(switches, 2);
  EXPECT_TRUE(simulation::topology(cluster()).feasible());
  bought.push_back(fmt::format("cluster.storage.num_switches={}", switches - 1));
  EXPECT_FALSE(simulation::topology(cluster()).feasible());
}

/// Configurations that computation favours have 4 or 8 writers of checkpoints, which miss the
/// target of 3 % whatever the storage; one of 16 writers keeps it and the deadline.
TEST(Size, FallsBackOnConfigurationsWithMoreWriters) {
  const std::vector<std::string> all = {
      "goals.tokens=1.5e12",  "goals.confidence=0.8",     "goals.parts.nodes=[xe9680-b200]",
      "goals.parts.nics=[8]", "goals.parts.max_nodes=30", "goals.deadline=45 day",
      "run.replicas=4",       "search.tp=[1, 2]",         "prices=null"};
  std::vector<std::string> some = all;
  some.insert(some.end(), {"search.tp=[2]", "search.pp=[8]"});
  const auto sized = [](const std::vector<std::string>& settings) {
    return planner::size(simulation::load_scenario_tree(
                             kSource + "/examples/size-llama2-70b-30-days.yaml", settings),
                         source_catalogue(), {});
  };
  const SizingResult narrow = sized(some);
  const SizingResult wide = sized(all);
  ASSERT_TRUE(narrow.feasible());
  ASSERT_TRUE(wide.feasible()) << output::verdict(wide);
  EXPECT_LE(wide.sized[0].cluster.num_nodes, narrow.sized[0].cluster.num_nodes);
  // What rejects larger clusters than the last late one is said.
  some.insert(some.end(), {"search.tp=[1]", "search.pp=[4]"});
  const SizingResult none = sized(some);
  ASSERT_FALSE(none.feasible());
  EXPECT_NE(none.missed[0].why.find("holds the target of checkpoint stall"), std::string::npos)
      << none.missed[0].why;
}

TEST(Size, ChanceIsLogNormalOnEachSideOfThePrediction) {
  EXPECT_NEAR(planner::normal_quantile(0.9), 1.2815515655, 1e-9);
  simulation::SimulationResult result;
  result.step_time = Duration::from_base(1.0);
  result.step_time_low = Duration::from_base(0.9);
  result.step_time_high = Duration::from_base(1.27);
  simulation::JobRun job;
  job.training_time_s = {.mean = 100.0, .low = 100.0, .high = 100.0};
  result.run.jobs = {job};
  const planner::TimeSpread spread(result);
  EXPECT_NEAR(spread.probability_of(Duration::from_base(127.0)), 0.9, 1e-9);
  EXPECT_NEAR(spread.probability_of(Duration::from_base(90.0)), 0.1, 1e-9);
  EXPECT_NEAR(spread.below(0.9).base(), 127.0, 1e-6);
  EXPECT_NEAR(spread.below(0.5).base(), 100.0, 1e-6);
  EXPECT_NEAR(spread.probability_of(Duration::from_base(100.0)), 0.5, 1e-9);
  EXPECT_NEAR(spread.below(0.7).base(),
              100.0 * std::pow(1.27, planner::normal_quantile(0.7) / planner::normal_quantile(0.9)),
              1e-6);
}

/// All ends of a site that is slower than predicted everywhere: its faster end is its half.
TEST(Size, ChanceOfASiteWithoutThePrediction) {
  EXPECT_NEAR(planner::site_factor(1.1, 1.3, 0.1), 1.1, 1e-9);
  EXPECT_NEAR(planner::site_factor(1.1, 1.3, 0.5), 1.1, 1e-9);
  EXPECT_NEAR(planner::site_factor(1.1, 1.3, 0.9), 1.3, 1e-9);
  EXPECT_NEAR(planner::site_factor(0.7, 0.9, 0.1), 0.7, 1e-9);
  EXPECT_NEAR(planner::site_factor(0.7, 0.9, 0.9), 0.9, 1e-9);
}

/// Ten failures in 100 days, each repaired in ten: one node in the mean is away. By Poisson's
/// numbers 1, 1, 1/2, 1/6 over e no more than three are with 98 %, than two with 92 %.
TEST(Size, SparesStandInForNodesUnderRepair) {
  auto scenario =
      simulation::read_scenario(sized_tree({"reliability=rsc-1"}), source_catalogue()).scenario;
  scenario.cluster.num_nodes = 100;
  scenario.reliability->repair.value = Duration::from_base(10.0 * kDay);
  simulation::JobRun job;
  job.training_time_s.mean = 100.0 * kDay;
  job.failures[static_cast<std::size_t>(models::Component::kNode)] = 6.0;
  job.failures[static_cast<std::size_t>(models::Component::kNic)] = 4.0;
  job.failures[static_cast<std::size_t>(models::Component::kSoftware)] = 500.0;
  EXPECT_EQ(simulation::spares_for(scenario, job), 3);
  scenario.reliability.reset();
  EXPECT_EQ(simulation::spares_for(scenario, job), 0);
}

/// Racks of four nodes, one failure in 100 days, each repaired in 10 days: 0.1 racks are out in the
/// mean, none with 90.5 %, one or none with 99.5 %: four nodes stand by. Single nodes of which 0.4
/// are out in the mean take two (93.8 % with one, 99.2 % with two).
TEST(Size, SparesOfARackStandByTogether) {
  simulation::Scenario scenario;
  scenario.cluster.num_nodes = 64;
  scenario.cluster.node.num_trays = 1;
  scenario.reliability.emplace();
  scenario.reliability->repair.value = Duration::from_base(10.0 * kDay);
  simulation::JobRun job;
  job.training_time_s.mean = 100.0 * kDay;
  job.failures[static_cast<std::size_t>(models::Component::kNode)] = 4.0;
  EXPECT_EQ(simulation::spares_for(scenario, job), 2);
  scenario.reliability->failures = {{.component = models::Component::kRack,
                                     .mtbf = {Duration::from_base(1600.0 * kDay), "test", true},
                                     .num_nodes = 4}};
  job.failures = {};
  job.failures[static_cast<std::size_t>(models::Component::kRack)] = 1.0;
  EXPECT_EQ(simulation::spares_for(scenario, job), 4);
}

/// A node of six units draws 8.3 kW computing: four to a rack of 40 kW, seven by units alone.
TEST(Size, RacksHoldWhatUnitsAndPowerAllow) {
  const SizingResult result = run({"goals.deadline=6 h"});
  ASSERT_TRUE(result.feasible());
  const planner::SizedCluster& cluster = result.sized[0].cluster;
  EXPECT_EQ(cluster.racks.nodes_per_rack, 4);
  EXPECT_EQ(cluster.racks.of_nodes, (cluster.num_nodes + 3) / 4);
  EXPECT_EQ(cluster.racks.of_others, 1);
  const auto scenario =
      simulation::read_scenario(sized_tree(cluster.settings), source_catalogue()).scenario;
  const auto high = planner::racks_for(scenario, cluster.result,
                                       {.units = 42, .power = core::Power::from_base(100e3)});
  EXPECT_EQ(high.nodes_per_rack, 7);
  const auto weak = planner::racks_for(scenario, cluster.result,
                                       {.units = 42, .power = core::Power::from_base(8e3)});
  EXPECT_EQ(weak.nodes_per_rack, 0);
}

/// A node without a price costs nothing in a sum: no cluster is the cheapest, and the fewest nodes
/// decide.
TEST(Size, ComparesNoCostsWhileAPartThatDecidesHasNoPrice) {
  const std::string prices = "prices={nodes: {xe9680-h100: 100000 USD}, ownership: 4 y}";
  const std::vector<std::string> settings = {
      "goals.deadline=4 h", "goals.parts.nodes=[xe9680-h100, xe9680-h200]", prices};
  const SizingResult result = run(settings);
  ASSERT_EQ(result.sized.size(), 2U) << output::to_text(result);
  EXPECT_FALSE(result.is_by_cost());
  EXPECT_NE(std::ranges::find(result.unpriced, "xe9680-h200"), result.unpriced.end());
  for (const planner::Sized& one : result.sized) {
    EXPECT_LE(result.sized[*result.chosen].cluster.num_nodes, one.cluster.num_nodes);
  }
  const std::string said = output::verdict(result);
  EXPECT_NE(said.find("not comparable: no price of "), std::string::npos) << said;
  EXPECT_EQ(output::to_text(result).find("heapest"), std::string::npos);
  EXPECT_NE(output::to_json(result).find("\"cheapest\": null"), std::string::npos);
}

/// The verdict names the server, not the scenario, and that nothing fails.
TEST(Size, SaysWhichNodesAndThatNothingFails) {
  const SizingResult result = run({"goals.deadline=12 h", "name=an order of 2026"});
  const std::string said = output::verdict(result);
  EXPECT_NE(said.find("2 x xe9680-h100 train in "), std::string::npos) << said;
  EXPECT_NE(said.find("none are assumed: the scenario has no `reliability`"), std::string::npos);
  const SizingResult few = run({"goals.deadline=12 h", "goals.parts.nics=[4]"});
  EXPECT_NE(output::verdict(few).find(" x xe9680-h100 (4 NICs) train"), std::string::npos);
}

/// Nothing but the node has a price: the sum is a lower limit, and the text names the rest.
TEST(Size, NamesPartsWithoutAPrice) {
  const SizingResult result =
      run({"goals.deadline=12 h", "prices={nodes: {xe9680-h100: 100000 USD}, ownership: 4 y}"});
  ASSERT_TRUE(result.feasible());
  const std::string text = output::to_text(result);
  EXPECT_NE(text.find("without a price"), std::string::npos) << text;
  EXPECT_NE(text.find("at least"), std::string::npos);
  EXPECT_NE(output::to_json(result).find("\"cost_is_partial\": true"), std::string::npos);
  EXPECT_NE(text.find("best of many predictions is optimistic"), std::string::npos);
  EXPECT_NE(output::to_json(result).find("\"selection\""), std::string::npos);
}

TEST(Size, SaysAllThatIsWrongWithGoals) {
  try {
    run(
        {"goals={deadline: 1 d, tokens: 1, tokens_per_parameter: 2, budget: 5 USD, parts: "
         "{storage_nodes: [all]}}"});
    FAIL() << "nothing thrown";
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3U);
  }
  EXPECT_THROW(planner::size(nics_example(), source_catalogue(), {}), core::ConfigError);
}

}  // namespace
}  // namespace railwright::test
