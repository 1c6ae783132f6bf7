// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/lora.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "../memory_line.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {
namespace {

using test::line;

simulation::CheckedScenario with_lora(const std::string& lora, const test::Settings& more = {}) {
  return test::scenario(test::join({"workload.lora={" + lora + "}"}, more));
}

TEST(Lora, CountsTwoNarrowMatricesForEachTarget) {
  // Queries, keys and values are one product of 3 x 4,096 columns; gate and up one of 2 x 11,008.
  const std::int64_t attention = 8LL * ((4096 + 3 * 4096) + (4096 + 4096));
  const std::int64_t feed_forward = 8LL * ((4096 + 2 * 11008) + (11008 + 4096));
  EXPECT_EQ(num_trained_parameters(with_lora("rank: 8").scenario.workload), 32 * attention);
  EXPECT_EQ(num_trained_parameters(with_lora("rank: 8, targets: all").scenario.workload),
            32 * (attention + feed_forward));
  const Training whole = test::scenario().scenario.workload;
  EXPECT_EQ(num_trained_parameters(whole), num_parameters(whole.model));
}

TEST(Lora, LeavesTheRouterAloneAndAdaptsEachExpert) {
  const Training training =
      with_lora("rank: 4, targets: all", {"workload.model=mixtral-8x7b"}).scenario.workload;
  const auto sum =
      adapter_parameters(*training.lora, transformer_of(training), LayerKind::kExperts);
  EXPECT_EQ(sum.expert, 8LL * 4 * ((4096 + 2 * 14336) + (14336 + 4096)));
  EXPECT_EQ(sum.dense, 4LL * ((4096 + 6144) + (4096 + 4096)));
}

TEST(Lora, FrozenWeightsHaveNeitherGradientsNorOptimizerState) {
  const auto checked = with_lora("rank: 8");
  const auto& scenario = checked.scenario;
  const auto& layout = checked.layout;
  const MemoryUse lora = memory_of_stage(scenario.workload, layout, scenario.software, 0);
  const double held = models::sum(parameters_by_layer(scenario.workload.model, layout, 0)).total();
  const double trained = sum(trained_by_layer(scenario.workload, layout, 0)).total();
  EXPECT_LT(trained, 0.01 * held);
  EXPECT_DOUBLE_EQ(line(lora, "parameters"), 2 * (held + trained));
  EXPECT_DOUBLE_EQ(line(lora, "gradients"), 4 * trained);
  EXPECT_DOUBLE_EQ(line(lora, "optimizer_state"), 12 * trained / layout.dp);
}

TEST(Lora, ABackwardPassHasNoProductForFrozenWeights) {
  const auto time = [](const simulation::CheckedScenario& checked) {
    const simulation::Scenario& s = checked.scenario;
    return ComputeModel(s.cluster.node.accelerator, s.workload, checked.layout, s.software, 1.0)
        .layer(LayerKind::kDense);
  };
  const PassCost whole = time(test::scenario());
  const PassCost lora = time(with_lora("rank: 8"));
  EXPECT_NEAR(whole.backward.matrix / whole.forward.matrix, 2.0, 0.1);
  EXPECT_GT(lora.forward.matrix, whole.forward.matrix);
  EXPECT_GT(lora.backward.matrix, whole.forward.matrix * 0.95);
  EXPECT_LT(lora.backward.matrix, whole.forward.matrix * 1.3);
}

TEST(Lora, CastsNoFrozenWeightInAStep) {
  const test::BuiltScenario built(
      {"workload.lora={rank: 8}", "software.precision={value: fp8, source: test}"});
  const test::BuiltScenario wide({"workload.lora={rank: 8}"});
  EXPECT_EQ(built.costs.stages[0].optimizer, wide.costs.stages[0].optimizer);
}

/// A frozen matrix and the head take 4 operations a token and parameter, an adapter 6.
TEST(Lora, CountsOnlyTheGradientsThatAreComputed) {
  const Training training = with_lora("rank: 8").scenario.workload;
  const Transformer& model = transformer_of(training);
  const double matrices = 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 32000.0 * 4096;
  const double attention = 12.0 * 32 * 4096 * 4096;
  const auto adapters = static_cast<double>(num_trained_parameters(training));
  EXPECT_DOUBLE_EQ(training_work_per_step(training).base() / tokens_per_step(training),
                   4 * matrices + attention + 6 * adapters);
  EXPECT_DOUBLE_EQ(training_work_per_token(model, 4096).base(), 6 * matrices + attention);
}

TEST(Lora, ACheckpointHasAdaptersOnly) {
  const simulation::Scenario scenario = with_lora("rank: 8").scenario;
  EXPECT_EQ(checkpoint_bytes(scenario.workload, scenario.software.checkpoint),
            14 * num_trained_parameters(scenario.workload));
}

TEST(Lora, ReducesAdaptersOnly) {
  const test::BuiltScenario built({"workload.lora={rank: 16}"});
  std::int64_t gradient_bytes = 0;
  for (const auto& bucket : built.costs.stages[0].syncs[0].buckets) {
    gradient_bytes += bucket.gradient_bytes;
  }
  const double trained =
      sum(trained_by_layer(built.checked.scenario.workload, built.checked.layout, 0)).total();
  EXPECT_EQ(gradient_bytes, static_cast<std::int64_t>(4 * trained));
}

}  // namespace
}  // namespace railwright::models
