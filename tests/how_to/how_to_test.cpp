// SPDX-License-Identifier: Apache-2.0
// An algorithm, a schedule and a topology with two files of their own each, and two lines in
// their table, as the how-tos say: scenarios name them, and what is simulated is theirs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../simulation/step/equal_stages.hpp"
#include "../support/source_tree.hpp"
#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

TEST(HowTo, AddedScheduleHasItsOwnBubble) {
  for (const int m : {2, 8, 12}) {
    StepCosts costs = test::equal_stages(4, 1, m, 2);
    costs.layout.schedule = models::Schedule("two_waves");
    const StepResult step = simulate_step(costs);
    const double share = 6.0 / (m + 6.0);
    EXPECT_DOUBLE_EQ(models::bubble_fraction(costs.layout), share);
    EXPECT_NEAR(step.step_time.base(), 0.006 * m / (1 - share), 1e-9);
    EXPECT_NEAR(step.breakdown[Cause::kPipelineBubble] / step.step_time, share, 1e-9);
  }
}

SimulationResult simulated(const std::vector<std::string>& settings) {
  return simulate(read_scenario(
      load_scenario_tree(test::kSource + "/examples/neutral-llama-2-7b.yaml", settings),
      test::source_catalogue()));
}

TEST(HowTo, AScenarioNamesTheSchedule) {
  const std::string layout = "parallelism={tp: 2, pp: 4, schedule: ";
  const auto plain = simulated({"workload.global_batch=16", layout + "gpipe}"});
  const auto added = simulated({"workload.global_batch=16", layout + "two_waves}"});
  ASSERT_TRUE(plain.feasible());
  EXPECT_GT(added.step_time, plain.step_time);
  EXPECT_LT(added.memory.total(), plain.memory.total()) << "half of the activations";
  EXPECT_THROW(simulated({"parallelism={pp: 4, schedule: two_wave}"}), core::ConfigError);
  EXPECT_THROW(simulated({"parallelism={schedule: two_waves}"}), core::ConfigError) << "no stages";
}

TEST(HowTo, AScenarioNamesTheMixer) {
  const auto with = [](const std::string& mixer) {
    return simulated(
        {"workload.model={model: llama-2-7b, mixers: [" + mixer + "], mixer_pattern: '***a'}"});
  };
  const auto attention = with("{kind: attention}");
  const auto mean = with("{kind: running_mean}");
  // A quarter of 32 layers have two matrices in place of four, and a vector.
  EXPECT_EQ(attention.num_parameters - mean.num_parameters, 8 * (2LL * 4096 * 4096 - 4096));
  EXPECT_LT(mean.step_time, attention.step_time);
  EXPECT_LT(mean.memory.total(), attention.memory.total());
  EXPECT_THROW(with("{kind: running_means}"), core::ConfigError);
}

/// All-reduce of 8 GB on the eight accelerators of a node.
core::Duration all_reduce(const std::string& algorithm) {
  const auto result = simulate(
      read_benchmark(load_scenario_tree(test::kSource + "/examples/all-reduce-8-h100-nodes.yaml",
                                        {"cluster.nodes=1", "benchmark.size=8 GB",
                                         "benchmark.library.all_reduce_algorithm=" + algorithm}),
                     test::source_catalogue()));
  EXPECT_EQ(core::to_string(result.choice.algorithm), algorithm);
  return result.time;
}

TEST(HowTo, AScenarioNamesTheAlgorithm) {
  // The first member sends and receives 7 times the buffer; in a ring each 2 * 7 / 8 of it, behind
  // the slices that fill it.
  EXPECT_NEAR(all_reduce("star") / all_reduce("ring"), 4.0, 0.05);
}

TEST(HowTo, AScenarioNamesTheTopology) {
  const auto names = topologies::topology_names();
  EXPECT_EQ(names.back(), "zigzag_chain");
  const std::string chain = "cluster.fabric={topology: zigzag_chain, switch: qm9790, links: ";
  const auto wide = simulated({"cluster.nodes=4", chain + "32}"});
  const auto narrow = simulated({"cluster.nodes=4", chain + "2}"});
  EXPECT_GT(narrow.step_time, wide.step_time);
}

}  // namespace
}  // namespace railwright::simulation
