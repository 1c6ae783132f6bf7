// SPDX-License-Identifier: Apache-2.0
// What threads share: a finished fabric, a catalogue, and the pieces of a comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "../../planner/sweep/sweep_support.hpp"
#include "../../support/scenario.hpp"
#include "../../support/source_tree.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::test {
namespace {

constexpr int kNumThreads = 4;

TEST(Threads, ShareAFabricWhoseRoutesAreFoundOnTheWay) {
  const BuiltScenario fresh({"cluster.nodes=4"});
  const BuiltScenario reference({"cluster.nodes=4"});
  const core::Fabric& fabric = fresh.built.fabric;
  std::vector<int> num_different(kNumThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kNumThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int from = 0; from < fabric.num_accelerators(); ++from) {
          const int to = (from + 5 + t) % fabric.num_accelerators();
          if (fabric.accelerator_route(from, to) !=
              reference.built.fabric.accelerator_route(from, to)) {
            ++num_different[static_cast<std::size_t>(t)];
          }
        }
      });
    }
  }
  EXPECT_EQ(num_different, std::vector<int>(kNumThreads));
}

TEST(Threads, SimulateAtTheSameTimeWithOneCatalogue) {
  const core::Catalogue catalogue = source_catalogue();
  const core::Node tree = nics_example();
  std::vector<std::string> results(kNumThreads);
  {
    std::vector<std::jthread> threads;
    for (std::string& result : results) {
      threads.emplace_back([&] {
        result = output::to_json(simulation::simulate(simulation::read_scenario(tree, catalogue)));
      });
    }
  }
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

/// Each thread prepares and asks all of them, in an order of its own.
TEST(Threads, PrepareAndAskOneEstimator) {
  const BuiltScenario built({"cluster.nodes=4"});
  std::vector<simulation::Configuration> configurations;
  for (const int tp : {1, 2, 4, 8}) {
    for (const int micro_batch : {1, 2}) {
      for (const int zero_stage : {0, 1}) {
        simulation::Configuration c = simulation::configuration_of(built.checked);
        c.tp = tp;
        c.micro_batch = micro_batch;
        c.zero_stage = zero_stage;
        c.global_batch = 256;
        configurations.push_back(c);
      }
    }
  }
  simulation::Estimator alone(built.checked);
  alone.prepare(configurations, 1);
  simulation::Estimator shared(built.checked);
  std::vector<int> num_different(kNumThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kNumThreads; ++t) {
      threads.emplace_back([&, t] {
        std::vector<simulation::Configuration> own = configurations;
        std::ranges::rotate(own, own.begin() + std::ptrdiff_t{5} * t % std::ssize(own));
        for (const simulation::Configuration& c : own) {
          shared.prepare_unclaimed(std::span(&c, 1));
          shared.prepare(std::span(&c, 1), 1);
          const simulation::Estimate one = shared.estimate(c);
          const simulation::Estimate other = alone.estimate(c);
          if (one.status != simulation::EstimateStatus::kOk || one.step_time != other.step_time) {
            ++num_different[static_cast<std::size_t>(t)];
          }
        }
      });
    }
  }
  EXPECT_EQ(num_different, std::vector<int>(kNumThreads));
  EXPECT_EQ(shared.num_entries(), alone.num_entries());
}

/// Replicas of a run in which everything fails now and then.
TEST(Threads, SimulateReplicasToTheSameBytesWhateverTheirNumber) {
  const BuiltScenario built(
      {"reliability={name: test, description: test, failures: [{component: accelerator, mtbf: "
       "30000 s}, {component: software, mtbf: 20000 s}, {component: storage_node, mtbf: "
       "5000 s}], detection: 1 min, restart: 2 min, replacement: 3 min, repair: 1 h}",
       "checkpoint.interval_steps=20", "workload.steps=200", "run={num_spares: 1, replicas: 16}"});
  const simulation::RunJob job{.checked = &built.checked,
                               .step_time = core::Duration::from_base(7.0),
                               .start = {},
                               .first_node = 0};
  std::vector<std::string> results;
  for (const int num_threads : {1, 2, 8}) {
    simulation::SimulationResult result;
    result.run = simulation::simulate_run(std::span(&job, 1), built.built.fabric,
                                          built.checked.scenario.run, {.num_threads = num_threads});
    results.push_back(output::to_json(result, true));
  }
  EXPECT_NE(results[0].find("load_over_time"), std::string::npos);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Threads, CompareGivesTheSameBytesEveryTime) {
  core::Node tree = nics_example();
  core::Node* cases = tree.find("comparison")->find("cases");
  cases->items.resize(1);
  const auto run = [&] { return output::to_json(planner::compare(tree, source_catalogue())); };
  const std::string first = run();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(), first);
}

TEST(Threads, SearchFindsTheSameWhateverTheirNumber) {
  core::Node tree = nics_example();
  core::set_path(tree, "search={rank_order: [tp-cp-ep-dp-pp], cp: [1], zero_stage: [0, 1]}");
  planner::SearchOptions options{
      .num_simulated = 1, .front = true, .num_threads = 1, .progress = {}};
  const std::string one = output::to_json(planner::search(tree, source_catalogue(), options));
  options.num_threads = kNumThreads;
  EXPECT_EQ(output::to_json(planner::search(tree, source_catalogue(), options)), one);
}

TEST(Threads, SweepGivesTheSameRowsWhateverTheirNumber) {
  const core::Catalogue catalogue = source_catalogue();
  const auto keys = simulation::read_variations(
      {"parallelism.tp=1,2,4", "cluster.node.nics.count=8,4,2", "workload.micro_batch=1,2,3",
       "software.recompute=none,selective,full", "software.zero_stage=0,1,2,3"});
  const core::Node tree = example("neutral-llama-2-7b", {"cluster.storage=null"});
  const auto rows = [&](int num_threads, bool in_order) {
    const planner::Sweep sweep(
        tree, catalogue, keys,
        {.method = simulation::Method::kEstimate, .num_threads = num_threads});
    MemoryTable table(in_order);
    sweep.run(table);
    if (in_order) {
      EXPECT_TRUE(std::ranges::is_sorted(table.came));
    }
    return table.rows;
  };
  const auto one = rows(1, false);
  EXPECT_EQ(one.size(), 324U);
  for (const int num_threads : {2, 8}) {
    EXPECT_EQ(rows(num_threads, false), one);
    EXPECT_EQ(rows(num_threads, true), one);
  }
}

}  // namespace
}  // namespace railwright::test
