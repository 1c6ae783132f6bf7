// SPDX-License-Identifier: Apache-2.0
// A vision model through simulate, memory and the scenario's checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

const test::Settings kResNet{"workload={model: resnet-50, global_batch: 1024, steps: 100}",
                             "workload.micro_batch=64", "parallelism={}", "software=mxnet",
                             "installation=neutral"};

double size_of(const models::MemoryUse& use, std::string_view name) {
  for (const models::MemoryLine& line : use.lines) {
    if (line.name == name) return line.size.base();
  }
  return -1.0;
}

TEST(VisionModel, IsSimulatedAndEstimatedAlike) {
  for (const char* nodes : {"cluster.nodes=1", "cluster.nodes=2"}) {
    const CheckedScenario checked = test::scenario(test::join(kResNet, {nodes}));
    const SimulationResult simulated = simulate(checked);
    const SimulationResult estimated = simulate(checked, {.method = Method::kEstimate});
    ASSERT_TRUE(simulated.feasible());
    EXPECT_NEAR(simulated.step_time / estimated.step_time, 1.0, 0.01) << nodes;
    EXPECT_NEAR(simulated.breakdown.total() / simulated.step_time, 1.0, 1e-9);
    EXPECT_DOUBLE_EQ(simulated.samples_per_s, 1024.0 / simulated.step_time.base());
  }
}

TEST(VisionModel, HasImagesInPlaceOfTokens) {
  const SimulationResult result = simulate(test::scenario(kResNet));
  bool has_samples = false;
  for (const Output& output : outputs(result)) {
    EXPECT_FALSE(output.path.starts_with("tokens_")) << output.path;
    has_samples |= output.path == "samples_per_s";
  }
  EXPECT_TRUE(has_samples);
  // 6 x 4.089 GFLOP an image, of 16 accelerators.
  EXPECT_NEAR(result.model_flops_utilization,
              6 * 4'089'184'256.0 * result.samples_per_s / (16 * 989.4e12), 1e-9);
}

/// An fp32 copy and one moment; two activations of what is normalized, one of all else.
TEST(VisionModel, FillsMemoryWithImagesAndOneMoment) {
  const SimulationResult result = simulate(test::scenario(kResNet));
  constexpr double kParameters = 25'557'032;
  EXPECT_DOUBLE_EQ(size_of(result.memory, "parameters"), 2 * kParameters);
  EXPECT_DOUBLE_EQ(size_of(result.memory, "optimizer_state"), (4 + 4) * kParameters);
  EXPECT_DOUBLE_EQ(size_of(result.memory, "activations"), 2.0 * 64 * 22'431'720);
  EXPECT_EQ(size_of(result.memory, "logits"), -1.0);
  const SimulationResult recomputed =
      simulate(test::scenario(test::join(kResNet, {"software.recompute=full"})));
  EXPECT_LT(recomputed.memory.total(), result.memory.total());
  EXPECT_GT(recomputed.step_time, result.step_time);
}

TEST(VisionModel, IsWrittenOutWhole) {
  const Scenario scenario = test::scenario(kResNet).scenario;
  const core::Node tree = core::to_node(scenario);
  const CheckedScenario again = read_scenario(tree, core::Catalogue(catalogue_roots()));
  EXPECT_EQ(core::to_yaml(core::to_node(again.scenario)), core::to_yaml(tree));
}

TEST(VisionModel, RefusesWhatOnlyATransformerHas) {
  const test::Settings wrong{"workload.sequence_length=2048",
                             "workload.lora={rank: 8}",
                             "parallelism.tp=2",
                             "parallelism.pp=2",
                             "parallelism.cp=2",
                             "parallelism.sequence_parallel=true",
                             "workload.model={model: resnet-50, image_channels: 1}"};
  try {
    test::scenario(test::join(kResNet, wrong));
    FAIL() << "was accepted";
  } catch (const core::ConfigError& error) {
    std::vector<std::string> keys;
    for (const core::Diagnostic& problem : error.diagnostics()) keys.push_back(problem.path);
    for (const char* key : {"workload.sequence_length", "workload.lora", "parallelism.tp",
                            "parallelism.pp", "parallelism.cp", "parallelism.sequence_parallel",
                            "workload.model.blocks.0.layers.0.inputs"}) {
      EXPECT_NE(std::ranges::find(keys, key), keys.end()) << key;
    }
  }
}

TEST(VisionModel, ATransformerNeedsItsSequenceLength) {
  try {
    test::scenario({"workload={model: llama-2-7b, global_batch: 144, steps: 1}"});
    FAIL() << "was accepted";
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_TRUE(error.diagnostics()[0].message.starts_with("missing key 'sequence_length'"));
  }
}

}  // namespace
}  // namespace railwright::simulation
