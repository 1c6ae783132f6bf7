// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/p_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "../../support/scenario.hpp"
#include "../memory_line.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {
namespace {

using test::line;

const std::string kMlp = "workload.p_tuning={virtual_tokens: 128, encoder_size: 2048}";

simulation::CheckedScenario with(const test::Settings& more) {
  return test::scenario(test::join({kMlp}, more));
}

ComputeModel cost(const simulation::CheckedScenario& checked) {
  const simulation::Scenario& s = checked.scenario;
  return {s.cluster.node.accelerator, s.workload, checked.layout, s.software, 1.0};
}

TEST(PTuning, AnMlpHasATableAndLayersWithBiases) {
  const std::int64_t expected = 128LL * 4096 + (4096LL * 2048 + 2048) + (2048LL * 4096 + 4096);
  EXPECT_EQ(num_trained_parameters(with({}).scenario.workload), expected);
  const PTuning three{.virtual_tokens = 128, .encoder_size = 2048, .num_layers = 3};
  EXPECT_EQ(prompt_parameters(three, 4096), expected + 2048LL * 2048 + 2048);
}

/// A layer of PyTorch's LSTM has 4 (in + H + 2) H parameters in each direction.
TEST(PTuning, AnLstmRunsBothWays) {
  const PTuning tuning{.virtual_tokens = 100,
                       .encoder = PromptEncoder::kLstm,
                       .encoder_size = 1024,
                       .num_layers = 2};
  const std::int64_t first = 2LL * 4 * (4096 + 1024 + 2) * 1024;
  const std::int64_t second = 2LL * 4 * (2048 + 1024 + 2) * 1024;
  const std::int64_t mlp = (2048LL * 2048 + 2048) + (2048LL * 4096 + 4096);
  EXPECT_EQ(prompt_parameters(tuning, 4096), 100LL * 4096 + first + second + mlp);
}

TEST(PTuning, VirtualTokensPassTheLayersButAreNotCounted) {
  const Training training = with({}).scenario.workload;
  EXPECT_EQ(sequence_length(training, LayerKind::kDense), 4096 + 128);
  EXPECT_EQ(residual_bytes(training), 2 * (4096 + 128) * 4096);
  EXPECT_EQ(tokens_per_step(training), 144 * 4096);
}

TEST(PTuning, VirtualTokensOfAnEncoderDecoderStandBeforeTheEncoder) {
  const Training training =
      with({"workload.model=t5-11b", "workload.sequence_length=512", "parallelism.tp=8"})
          .scenario.workload;
  EXPECT_EQ(sequence_length(training, LayerKind::kEncoder), 512 + 128);
  EXPECT_EQ(sequence_length(training, LayerKind::kDecoder), 512);
}

TEST(PTuning, FrozenWeightsHaveNeitherGradientsNorOptimizerState) {
  const auto checked = with({});
  const auto& scenario = checked.scenario;
  const auto& layout = checked.layout;
  const MemoryUse use = memory_of_stage(scenario.workload, layout, scenario.software, 0);
  const double held = models::sum(parameters_by_layer(scenario.workload.model, layout, 0)).total();
  const auto trained = static_cast<double>(num_trained_parameters(scenario.workload));
  EXPECT_DOUBLE_EQ(line(use, "parameters"), 2 * (held + trained));
  EXPECT_DOUBLE_EQ(line(use, "gradients"), 4 * trained);
  EXPECT_DOUBLE_EQ(line(use, "optimizer_state"), 12 * trained / layout.dp);
}

TEST(PTuning, OnlyTheFirstStageTrains) {
  const auto checked = test::scenario(test::join(test::llama_2_70b(), {kMlp}));
  const auto& scenario = checked.scenario;
  const auto& layout = checked.layout;
  EXPECT_GT(sum(trained_by_layer(scenario.workload, layout, 0)).total(), 0.0);
  for (int stage = 1; stage < layout.pp; ++stage) {
    EXPECT_EQ(sum(trained_by_layer(scenario.workload, layout, stage)).total(), 0.0);
  }
}

TEST(PTuning, ABackwardPassGoesThroughAllLayersWithOneProductForEach) {
  const PassCost layer = cost(with({})).layer(LayerKind::kDense);
  EXPECT_NEAR(layer.backward.matrix / layer.forward.matrix, 1.0, 0.05);
  const PassCost whole = cost(test::scenario()).layer(LayerKind::kDense);
  EXPECT_NEAR(layer.forward.matrix / whole.forward.matrix, (4096.0 + 128) / 4096, 0.05);
  const PassCost embedding = cost(with({})).embedding();
  EXPECT_GT(embedding.forward.matrix, core::Duration{});
  EXPECT_GT(embedding.backward.matrix, embedding.forward.matrix);
}

/// Six products of an LSTM of two layers, and a small kernel a virtual token and layer.
TEST(PTuning, AnLstmGoesThroughItsTokensOneByOne) {
  const simulation::CheckedScenario lstm = with({"workload.p_tuning.encoder=lstm"});
  const double overhead = lstm.scenario.cluster.node.accelerator.kernel_overhead.value.base();
  const ComputeCost forward = cost(lstm).embedding().forward;
  EXPECT_NEAR(forward.gaps.base() / overhead, 6 + 2 * 128, 1e-9);
  EXPECT_NEAR(cost(with({})).embedding().forward.gaps.base() / overhead, 2, 1e-9);
}

TEST(PTuning, ACheckpointHasTheEncoderOnly) {
  const simulation::Scenario scenario = with({}).scenario;
  EXPECT_EQ(checkpoint_bytes(scenario.workload, scenario.software.checkpoint),
            14 * num_trained_parameters(scenario.workload));
}

TEST(PTuning, ReducesTheEncoderOnly) {
  const test::BuiltScenario built({kMlp});
  std::int64_t bytes = 0;
  for (const auto& bucket : built.costs.stages[0].syncs[0].buckets) bytes += bucket.gradient_bytes;
  EXPECT_EQ(bytes, 4 * num_trained_parameters(built.checked.scenario.workload));
}

TEST(PTuning, GoesWithoutAdapters) {
  EXPECT_THROW(with({"workload.lora={rank: 8}"}), core::ConfigError);
  EXPECT_THROW(with({"workload.p_tuning.num_layers=1"}), core::ConfigError);
  EXPECT_NO_THROW(with({"workload.p_tuning.num_layers=1", "workload.p_tuning.encoder=lstm"}));
}

}  // namespace
}  // namespace railwright::models
