// SPDX-License-Identifier: Apache-2.0
// Multi-token prediction. [@deepseek_v3]
#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {
namespace {

test::Settings deepseek(int modules) {
  return {"cluster.nodes=8",
          "workload.model={model: deepseek-v3, mtp_layers: " + std::to_string(modules) + "}",
          "workload.sequence_length=4096",
          "workload.global_batch=64",
          "parallelism.tp=1",
          "parallelism.ep=8",
          "parallelism.pp=8",
          "parallelism.layers_per_chunk=[8, 8, 8, 8, 8, 8, 8, 5]",
          "cluster.node.accelerator.memory=1 TB"};
}

Transformer model(int modules) {
  return transformer_of(test::scenario(deepseek(modules)).scenario.workload);
}

/// The published checkpoint has 685 billion parameters: 671 of the model and 14 of one module, of
/// which 1.85 are the embedding and the head that it shares.
TEST(MultiTokenPrediction, AModuleHasALayerAndAProjection) {
  const auto of_module = static_cast<double>(num_parameters(model(1)) - num_parameters(model(0)));
  EXPECT_NEAR(of_module + 2 * 129280.0 * 7168, 13.4e9, 0.1e9);
  const auto layer = static_cast<double>(layer_parameters(model(0), LayerKind::kExperts));
  EXPECT_NEAR(of_module, layer + 2.0 * 7168 * 7168, 1e6);
}

TEST(MultiTokenPrediction, WorkGrowsByALayerAProjectionAndAHead) {
  const double none = training_work_per_token(model(0), 4096).base();
  const double one = training_work_per_token(model(1), 4096).base();
  const double two = training_work_per_token(model(2), 4096).base();
  EXPECT_NEAR(two - one, one - none, 1e-6 * one);
  // 671 billion parameters of which a token passes 37: a module adds about a 61st of them and a
  // head.
  EXPECT_NEAR((one - none) / none, 0.045, 0.01);
}

/// The last stage has five layers of eight, so a module of about two fits beside them; a third of
/// them does not.
TEST(MultiTokenPrediction, TheLastStageHoldsAndComputesIt) {
  const auto memory = [](int modules, int stage) {
    const auto checked = test::scenario(deepseek(modules));
    return memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software,
                           stage)
        .total()
        .base();
  };
  EXPECT_EQ(memory(1, 0), memory(0, 0));
  EXPECT_GT(memory(1, 7), memory(0, 7) + 2 * 11e9 / 8);
  EXPECT_NEAR(memory(2, 7) - memory(1, 7), memory(1, 7) - memory(0, 7), 1.0);
}

}  // namespace
}  // namespace railwright::models
