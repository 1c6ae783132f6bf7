// SPDX-License-Identifier: Apache-2.0
// What `explain` says of a step, checked by making the step again.
#include "railwright/planner/explain/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../../support/source_tree.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {
namespace {

using planner::Elasticity;
using planner::Explanation;

core::Node tree_of(const std::string& example, const std::vector<std::string>& settings = {}) {
  return simulation::load_scenario_tree(kSource + "/examples/" + example, settings);
}

/// Two nodes whose gradients wait for the network.
core::Node slow_network() {
  return tree_of(
      "neutral-llama-2-7b.yaml",
      {"software.overlap_gradient_reduce=false", "software.overlap_parameter_gather=false",
       "cluster.node.nics.nic={model: connectx-7, line_rate: 4 Gb/s}"});
}

/// Not asked for: the times inside of kernels, such as those that tiles take to start.
constexpr double kOfKernels = 0.03;

TEST(Explain, ElasticitiesOfAllRatesAndLatenciesAddUpToOne) {
  for (const char* example :
       {"neutral-llama-2-7b.yaml", "llama-2-70b-six-nodes.yaml", "mi300x-fine-tuning.yaml",
        "powerscale-checkpoints.yaml", "pod-256.yaml"}) {
    const auto made =
        planner::explain(tree_of(example), source_catalogue(), simulation::Method::kEstimate);
    EXPECT_NEAR(made.sum, 1.0, kOfKernels) << example;
    EXPECT_LT(made.sum, 1.01) << example;
  }
  const auto simulated = planner::explain(tree_of("neutral-llama-2-7b.yaml"), source_catalogue(),
                                          simulation::Method::kSimulate);
  EXPECT_NEAR(simulated.sum, 1.0, kOfKernels);
}

/// Reductions beside computation: the closed form takes them for hidden, events wait for the NICs.
TEST(Explain, FindsWhatTheClosedFormCallsNothing) {
  const core::Node tree =
      tree_of("pod-256.yaml", {"cluster.nodes=2", "software=internevo", "parallelism={tp: 8}",
                               "workload={model: llama-2-7b, sequence_length: 4096, global_batch: "
                               "2, micro_batch: 1, steps: 10}"});
  const Explanation made =
      planner::explain(tree, source_catalogue(), simulation::Method::kSimulate);
  EXPECT_TRUE(std::abs(made.sum - 1.0) <= 0.02 || !made.sum_note().empty()) << made.sum;
  EXPECT_NEAR(made.sum, 1.0, 0.02);
}

/// As fast as the NICs, and only named in the scenario.
TEST(Explain, KnowsTheRatesOfNamedSwitches) {
  const auto made = planner::explain(tree_of("powerscale-checkpoints.yaml"), source_catalogue(),
                                     simulation::Method::kEstimate);
  EXPECT_EQ(
      std::ranges::count(made.elasticities, "cluster.fabric.switch.port_rate", &Elasticity::path),
      1);
}

/// A rate that another one limits as much has an elasticity and saves nothing alone: a note says
/// so.
TEST(Explain, SaysWhyARateSavesNothingAlone) {
  const auto made = planner::explain(tree_of("neutral-llama-2-7b.yaml"), source_catalogue());
  const std::string note = made.tie_note(5e-4);
  for (const char* path : {"cluster.node.nics.nic.line_rate", "cluster.fabric.switch.port_rate"}) {
    const auto one = std::ranges::find(made.elasticities, path, &Elasticity::path);
    ASSERT_NE(one, made.elasticities.end()) << path;
    EXPECT_TRUE(one->gains_nothing_alone()) << path;
    EXPECT_NE(note.find(path), std::string::npos) << note;
  }
  EXPECT_EQ(note.find("cluster.node.accelerator.bf16_rate"), std::string::npos) << note;
  EXPECT_EQ(made.tie_note(0.5), "");
}

TEST(Explain, TheLargestGainsWhatItSaysWhenItIsLifted) {
  const core::Node tree = slow_network();
  const Explanation made = planner::explain(tree, source_catalogue());
  const Elasticity& top = made.elasticities.front();
  EXPECT_EQ(top.path, "cluster.node.nics.nic.line_rate");
  EXPECT_TRUE(std::ranges::is_sorted(made.elasticities, std::greater{}, &Elasticity::elasticity));
  core::Node lifted = tree;
  core::set_path(lifted, top.path + "=4.04 Gb/s");
  const auto then = simulation::simulate(simulation::read_scenario(lifted, source_catalogue()));
  EXPECT_NEAR(1.0 - then.step_time / made.step_time, top.gain, 1e-9);
  EXPECT_GT(top.gain, 0.001);
}

TEST(Explain, RatesThatBoundTheSameTransferShareIt) {
  // A switch as slow as the NICs: neither helps alone.
  core::Node tree = slow_network();
  core::set_path(tree, "cluster.fabric.switch={model: qm9790, port_rate: 4 Gb/s}");
  const Explanation made =
      planner::explain(tree, source_catalogue(), simulation::Method::kEstimate);
  const auto of = [&](const std::string& path) {
    const auto found = std::ranges::find(made.elasticities, path, &Elasticity::path);
    return found == made.elasticities.end() ? Elasticity{} : *found;
  };
  const Elasticity nic = of("cluster.node.nics.nic.line_rate");
  const Elasticity port = of("cluster.fabric.switch.port_rate");
  EXPECT_NEAR(nic.gain, 0.0, 1e-9);
  EXPECT_NEAR(port.gain, 0.0, 1e-9);
  EXPECT_GT(nic.loss, 0.001);
  EXPECT_NEAR(nic.elasticity, port.elasticity, 1e-6);
  EXPECT_NEAR(made.sum, 1.0, 0.01);
  ASSERT_TRUE(made.next);
  EXPECT_EQ(std::ranges::count(made.next->lifted, nic.path), 1);
  EXPECT_EQ(std::ranges::count(made.next->lifted, port.path), 1);
}

TEST(Explain, SaysWhatComesNext) {
  const Explanation made =
      planner::explain(slow_network(), source_catalogue(), simulation::Method::kEstimate);
  ASSERT_TRUE(made.next);
  EXPECT_EQ(made.next->lifted.front(), made.elasticities.front().path);
  EXPECT_NE(made.next->next, made.elasticities.front().path);
  EXPECT_LT(made.next->step_time, made.step_time);
  core::Node lifted = slow_network();
  core::set_path(lifted, "cluster.node.nics.nic.line_rate=4000 Gb/s");
  const auto then = simulation::simulate(simulation::read_scenario(lifted, source_catalogue()),
                                         {.method = simulation::Method::kEstimate});
  EXPECT_NEAR(made.next->step_time / then.step_time, 1.0, 1e-9);
}

TEST(Explain, OutagesAreWhatTheSameFaultsGive) {
  const core::Node tree = tree_of("rail-optimized-256.yaml", {"workload.steps=10"});
  const Explanation made =
      planner::explain(tree, source_catalogue(), simulation::Method::kEstimate);
  ASSERT_GE(made.outages.size(), 2U);
  core::Node faulty = tree;
  core::set_path(faulty, "cluster.faults.nics=[{node: 0, nic: 0}]");
  const auto then = simulation::simulate(simulation::read_scenario(faulty, source_catalogue()),
                                         {.method = simulation::Method::kEstimate});
  EXPECT_EQ(made.outages[0].step_time, then.step_time);
  EXPECT_TRUE(made.outages[1].what.starts_with("leaf"));
  EXPECT_GE(made.outages[1].step_time, made.step_time);
}

TEST(Explain, SaysWhyNothingRunsWithoutTheOnlySwitch) {
  const Explanation made = planner::explain(tree_of("neutral-llama-2-7b.yaml"), source_catalogue(),
                                            simulation::Method::kEstimate);
  ASSERT_GE(made.outages.size(), 2U);
  EXPECT_FALSE(made.outages[1].why_not.empty());
}

TEST(Explain, StorageMayBeOnTheScaleOutFabric) {
  const Explanation made = planner::explain(tree_of("storage-on-infiniband.yaml"),
                                            source_catalogue(), simulation::Method::kEstimate);
  EXPECT_TRUE(made.feasible());
  EXPECT_FALSE(made.elasticities.empty());
  EXPECT_EQ(made.outages.back().what, "a storage node down");
}

TEST(Explain, OfWhatDoesNotFitSaysThatAlone) {
  const Explanation made = planner::explain(
      tree_of("neutral-llama-2-7b.yaml", {"workload.micro_batch=18", "software.recompute=none"}),
      source_catalogue());
  EXPECT_FALSE(made.feasible());
  EXPECT_TRUE(made.elasticities.empty());
  EXPECT_NE(output::verdict(made).find("does not fit"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
