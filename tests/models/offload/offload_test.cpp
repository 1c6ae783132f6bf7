// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/offload/offload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::models {
namespace {

using test::Settings;

std::string tier(const std::string& keys) {
  return "{name: tier, description: a tier, read_rate: 200 GB/s, " + keys + "}";
}

Settings optimizer_in(const std::string& keys) {
  return {"software.offload={optimizer: " + tier(keys) + "}"};
}

Settings all_in(const std::string& keys) {
  return {"software.zero_stage=3",
          "software.offload={optimizer: " + tier(keys) + ", parameters: " + tier(keys) + "}"};
}

/// Llama 2 7B on one accelerator alone, nothing going along with anything.
Settings alone(const Settings& more) {
  return test::join(
      {"cluster.nodes=1", "cluster.node.num_accelerators=1", "cluster.node.num_pcie_switches=1",
       "cluster.node.num_hosts=1", "cluster.node.nics.count=1", "parallelism.tp=1",
       "workload.global_batch=2", "cluster.node.accelerator.memory=1 TB",
       "software.overlap_gradient_reduce=false", "software.overlap_parameter_gather=false"},
      more);
}

double size_of_line(const MemoryUse& use, std::string_view name) {
  const auto found = std::ranges::find(use.lines, name, &MemoryLine::name);
  return found == use.lines.end() ? -1.0 : found->size.base();
}

MemoryUse memory(const Settings& settings) {
  const auto checked = test::scenario(settings);
  return memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software, 0);
}

constexpr StateBytes kBytes{.weight = 2.0, .gradient = 2.0, .optimizer = 12.0};
constexpr double kParameters = 10e9;

TEST(Offload, TheStepInMemoryTakesItsTraffic) {
  const simulation::CheckedScenario checked = test::scenario(optimizer_in("update_rate: 100 GB/s"));
  const core::ComputeNode& node = checked.scenario.cluster.node;
  const Offload& offload = checked.scenario.software.offload;
  EXPECT_DOUBLE_EQ(offloaded_step_time(offload, kBytes, kParameters, node).base(), 28 * 0.1);
}

TEST(Offload, ASlowTierSetsTheStepByWhatItReadsAndWrites) {
  const simulation::CheckedScenario checked =
      test::scenario(optimizer_in("medium: drives, write_rate: 5 GB/s, update_rate: 100 GB/s"));
  const core::ComputeNode& node = checked.scenario.cluster.node;
  const Offload& offload = checked.scenario.software.offload;
  EXPECT_DOUBLE_EQ(offloaded_step_time(offload, kBytes, kParameters, node).base(),
                   14 * kParameters / 200e9 + 12 * kParameters / 5e9);
}

TEST(Offload, AFileSystemIsBoundByTheFrontEnd) {
  const simulation::CheckedScenario checked =
      test::scenario(optimizer_in("medium: file_system, write_rate: 1 TB/s"));
  const core::NicSet& nics = checked.scenario.cluster.node.front_end;
  const double front_end = nics.count * nics.nic.num_ports * nics.nic.line_rate.value.base() *
                           nics.transport.efficiency.value;
  const OffloadTier& remote = *checked.scenario.software.offload.optimizer;
  EXPECT_DOUBLE_EQ(write_rate(remote, checked.scenario.cluster.node).base(), front_end);
}

TEST(Offload, LeavesTheAcceleratorItsWeightsAndTwoBuckets) {
  const MemoryUse kept = memory({"software.zero_stage=2"});
  const MemoryUse use = memory(test::join({"software.zero_stage=2", "software.bucket=100 MB"},
                                          optimizer_in("medium: memory")));
  EXPECT_GT(size_of_line(kept, "optimizer_state"), 0.0);
  EXPECT_EQ(size_of_line(use, "optimizer_state"), 0.0);
  EXPECT_EQ(size_of_line(use, "gradients"), 200e6);
  EXPECT_EQ(size_of_line(use, "parameters"), size_of_line(kept, "parameters"));
  EXPECT_EQ(size_of_line(memory(all_in("medium: memory")), "parameters"), 0.0);
}

TEST(Offload, ANodeKeepsWhatItsAcceleratorsDoNot) {
  const auto checked = test::scenario(all_in("medium: memory"));
  const auto& scenario = checked.scenario;
  const auto& layout = checked.layout;
  const double shard =
      on_one_shard(models::sum(parameters_by_layer(scenario.workload.model, layout, 0)), layout);
  const auto uses = node_tier_uses(scenario.workload, layout, scenario.software, 8);
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_DOUBLE_EQ(uses[0].parameters.base(), 8 * 2 * shard);
  EXPECT_DOUBLE_EQ(uses[0].gradients.base(), 8 * 4 * shard);
  EXPECT_DOUBLE_EQ(uses[0].optimizer_state.base(), 8 * 12 * shard);
}

TEST(Offload, WhatATierCannotHoldIsInfeasibleWithNumbers) {
  const auto result =
      simulation::simulate(test::scenario(all_in("medium: drives, capacity: 20 GB")));
  ASSERT_EQ(result.infeasible.size(), 1U);
  const auto& use = result.tiers.at(0);
  EXPECT_NE(result.infeasible[0].what.find("in tier of 20.0 GB"), std::string::npos)
      << result.infeasible[0].what;
  EXPECT_GT(use.total().base(), 20e9);
}

/// Eight accelerators share the way, and each has an eighth of a bucket that eight replicas reduce.
TEST(Offload, CollectivesRunNoFasterThanTheTier) {
  const test::BuiltScenario built(
      test::join(all_in("write_rate: 4 GB/s"), {"parallelism.tp=2", "parallelism.zero_group=8"}));
  const simulation::ParameterSync& sync = built.costs.stages[0].syncs[0];
  const core::ComputeNode& node = built.checked.scenario.cluster.node;
  EXPECT_DOUBLE_EQ(sync.gradient_sync.ceiling, 4e9);
  EXPECT_DOUBLE_EQ(sync.parameter_gather.ceiling, std::min(200e9, host_link_rate(node).base()));
}

TEST(Offload, OneAcceleratorSendsItsGradientsAndWaitsForTheStep) {
  const Settings settings = alone(optimizer_in("write_rate: 10 GB/s, update_rate: 100 GB/s"));
  const test::BuiltScenario offloaded(settings);
  const test::BuiltScenario kept(alone({}));
  const double parameters =
      static_cast<double>(num_parameters(kept.checked.scenario.workload.model));
  const double expected = simulation::simulate_step(kept.costs).step_time.base() -
                          kept.costs.stages[0].optimizer.base() + 4 * parameters / 10e9 +
                          (2 * 12 + 4 + 2) * parameters / 100e9;
  EXPECT_NEAR(simulation::simulate_step(offloaded.costs).step_time.base(), expected,
              1e-6 * expected);
  EXPECT_NEAR(simulation::estimate_step(offloaded.costs).total().base(), expected, 1e-6 * expected);
}

TEST(Offload, OneAcceleratorReadsEachLayerBeforeEachPass) {
  const Settings settings =
      alone(test::join({"software.overlap_parameter_gather=true"}, all_in("medium: drives")));
  const test::BuiltScenario built(settings);
  const double rate =
      host_link_rate(built.checked.scenario.cluster.node).base();  // Below the tier's.
  const double parameters =
      static_cast<double>(num_parameters(built.checked.scenario.workload.model));
  const auto step = simulation::simulate_step(built.costs);
  EXPECT_GE(step.step_time.base(), 2 * 2 * 2 * parameters / rate);  // Two micro-batches.
  EXPECT_NEAR(simulation::estimate_step(built.costs).total() / step.step_time, 1.0, 0.02);
}

TEST(Offload, ParametersInATierAreThoseOfZero3) {
  try {
    test::scenario({"software.offload={parameters: " + tier("medium: drives") + "}"});
    FAIL();
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("software.offload.parameters: parameters come from"),
              std::string::npos)
        << error.what();
  }
}

Settings activations_in(const std::string& keys, double share) {
  return {"software.offload={activations: " + tier(keys) +
          ", activation_share: " + std::to_string(share) + "}"};
}

TEST(Offload, AcceleratorsKeepTwoLayersOfTheActivationsThatGoAway) {
  const auto all = size_of_line(memory({}), "activations");
  const auto checked = test::scenario({});
  const double layer =
      activations_per_layer(checked.scenario.workload, checked.layout, checked.scenario.software,
                            last_kind(transformer_of(checked.scenario.workload)))
          .base();
  ASSERT_GT(all, 8.0 * layer);
  EXPECT_NEAR(size_of_line(memory(activations_in("", 1.0)), "activations") / (2.0 * layer), 1.0,
              1e-9);
  EXPECT_NEAR(size_of_line(memory(activations_in("", 0.5)), "activations") / (0.5 * all), 1.0,
              1e-9);
  const auto away = test::scenario(activations_in("", 0.5));
  const auto uses = node_tier_uses(away.scenario.workload, away.layout, away.scenario.software, 8);
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_NEAR(uses[0].activations.base() / (8.0 * 0.5 * all), 1.0, 1e-9);
}

/// A pass takes as long as its activations are on the way where that is longer than it computes.
TEST(Offload, PassesWaitForActivationsThatAreLongerOnTheirWay) {
  const Settings slow = activations_in("write_rate: 1 GB/s", 1.0);
  const test::BuiltScenario plain(alone({}));
  const test::BuiltScenario fast(alone(activations_in("write_rate: 200 GB/s", 0.01)));
  const test::BuiltScenario waiting(alone(slow));
  const auto step = [](const test::BuiltScenario& built) {
    return simulation::simulate_step(built.costs).step_time.base();
  };
  EXPECT_DOUBLE_EQ(step(fast), step(plain));
  const auto& scenario = waiting.checked.scenario;
  const Transformer& model = transformer_of(scenario.workload);
  const double layer = activations_per_layer(scenario.workload, waiting.checked.layout,
                                             scenario.software, last_kind(model))
                           .base();
  // Two micro-batches; the other passes take at least what they take alone.
  const double sent = 2.0 * model.num_layers * layer / 1e9;
  EXPECT_GT(step(waiting), sent);
  EXPECT_LT(step(waiting), sent + 1.2 * step(plain));
  EXPECT_NEAR(simulation::estimate_step(waiting.costs).total().base() / step(waiting), 1.0, 1e-6);
}

TEST(Offload, RefusesAShareOfNothing) {
  EXPECT_THROW(test::scenario({"software.offload={activation_share: 0.5}"}), core::ConfigError);
  EXPECT_THROW(test::scenario(activations_in("", 0.0)), core::ConfigError);
}

}  // namespace
}  // namespace railwright::models
