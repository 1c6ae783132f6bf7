// SPDX-License-Identifier: Apache-2.0
// What layers keep under fp8 and beside frozen weights, by hand from Transformer Engine 2.4.0
// (pytorch/module/linear.py, tensor/_internal/float8_tensor_base.py).
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "../../support/scenario.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {
namespace {

constexpr double kNarrowHidden = 4096;
constexpr double kFfn = 11008;
constexpr double kEmbeddings = 2.0 * 32000 * 4096 + 4096;  ///< embedding, head and the last norm

const test::Settings kFp8{"parallelism.tp=1", "software.precision={value: fp8, source: test}"};

/// Bytes a token and layer of Llama 2 7B.
double kept(const test::Settings& settings) {
  const auto checked = test::scenario(settings);
  return activations_per_layer(checked.scenario.workload, checked.layout, checked.scenario.software,
                               LayerKind::kDense)
             .base() /
         4096;
}

double parameters(const test::Settings& settings) {
  const auto checked = test::scenario(settings);
  const MemoryUse use =
      memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software, 0);
  return use.lines.front().size.base();
}

std::string fact(const std::string& key, const std::string& value) {
  return "software." + key + "={value: " + value + ", source: test}";
}

double held() {
  const auto checked = test::scenario(kFp8);
  return models::sum(parameters_by_layer(checked.scenario.workload.model, checked.layout, 0))
      .total();
}

/// Norms: input wide, output narrow. Attention: q, k, v and output wide, and a cast of the output.
/// Feed-forward: gate and up wide, their product narrow.
TEST(Fp8Activations, AreNarrowWhereAProductSavesItsCast) {
  EXPECT_DOUBLE_EQ(kept(kFp8), 2 * 3 * kNarrowHidden + (8 + 1) * kNarrowHidden + (4 + 1) * kFfn);
  EXPECT_DOUBLE_EQ(kept(test::join(kFp8, {fact("fp8_saved_inputs", "false")})),
                   kept({"parallelism.tp=1"}));
  EXPECT_DOUBLE_EQ(kept(test::join(kFp8, {fact("fp8_activation_input", "true")})),
                   kept(kFp8) - 2 * kFfn);
}

TEST(Fp8Weights, AreCopiesBesideWideOnesOrAllThereIs) {
  const double layers = held() - kEmbeddings;
  EXPECT_DOUBLE_EQ(parameters(kFp8), 2 * kEmbeddings + (2 + 1 + 1) * layers);
  const test::Settings primary = test::join(kFp8, {fact("fp8_primary_weights", "true")});
  EXPECT_DOUBLE_EQ(parameters(primary), 2 * kEmbeddings + (1 + 1) * layers);
  EXPECT_DOUBLE_EQ(parameters(test::join(primary, {fact("fp8_weight_transposes", "false")})),
                   2 * kEmbeddings + layers);
  EXPECT_DOUBLE_EQ(
      parameters(test::join(
          primary, {"cluster.node.accelerator.fp8_any_layout={value: true, source: test}"})),
      2 * kEmbeddings + layers);
}

/// FSDP casts what it has gathered for one layer and one pass.
TEST(Fp8Weights, OfAShardHaveNoCopies) {
  const test::Settings sharded = test::join(kFp8, {fact("zero_stage", "3")});
  EXPECT_DOUBLE_EQ(parameters(sharded), 2 * held() / 16);
}

/// Norms: inputs, and the output that the adapter of q, k and v reads. Feed-forward: gate and up.
TEST(FrozenProducts, KeepNoInputs) {
  const test::Settings lora{"parallelism.tp=1", "workload.lora={rank: 8}"};
  const double expected =
      2 * (2 * kNarrowHidden + kNarrowHidden + 4 * kNarrowHidden + 2 * kFfn + 2 * 8);
  EXPECT_DOUBLE_EQ(kept(lora), expected);
  EXPECT_DOUBLE_EQ(kept(test::join(kFp8, {"workload.lora={rank: 8}"})), expected);
}

/// Layers at 4.127 bits a weight in place of 16: 4, a byte for 64 and four bytes for 64 x 256.
/// Embedding and head stay whole, as the adapters do.
TEST(FourBits, HoldTheMatricesOfLayers) {
  const auto of = [](const std::string& base) {
    return parameters({"parallelism.tp=1", "workload.lora={rank: 8, base: " + base + "}"});
  };
  const double layers = 6'738'415'616.0 - kEmbeddings;
  const double bits = 4.0 + 8.0 / 64 + 32.0 / (64 * 256);
  EXPECT_NEAR(of("whole") - of("nf4"), layers * (2 - bits / 8), 1.0);
}

TEST(FrozenProducts, KeepWhatTheirAdaptersRead) {
  EXPECT_DOUBLE_EQ(kept({"parallelism.tp=1", "workload.lora={rank: 8, targets: all}"}),
                   kept({"parallelism.tp=1"}) + 2 * 4 * 8);
}

}  // namespace
}  // namespace railwright::models
