// SPDX-License-Identifier: Apache-2.0
// Attention, fused and not.
#include "railwright/models/kernel/attention.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "../../support/scenario.hpp"
#include "published_h100.hpp"
#include "railwright/models/compute/compute.hpp"

namespace railwright::models {
namespace {

constexpr double kTokens = 4096.0;
constexpr double kHidden = 4096.0;

PassCost layer_of(const test::Settings& settings, LayerKind kind = LayerKind::kDense) {
  const auto checked = test::scenario(test::published_h100(settings));
  return ComputeModel(checked.scenario.cluster.node.accelerator, checked.scenario.workload,
                      checked.layout, checked.scenario.software, 1.0)
      .layer(kind);
}

std::string attention(std::string_view kernel) {
  return "software.attention={value: " + std::string(kernel) + ", source: test}";
}

/// Half of the keys, and half a block on the diagonal.
double causal_keys(double keys) { return keys / 2 + 64; }

constexpr double kForwardRate = 989.4e12 * 0.35;
constexpr double kBackwardRate = kForwardRate * 0.8;

TEST(Attention, CausalIsTwoAndFiveProductsOfHalfTheScores) {
  const PassCost layer = layer_of({"parallelism.tp=2"});
  const double product = 2 * kTokens * causal_keys(kTokens) * kHidden / 2;
  EXPECT_NEAR(layer.forward.attention.base(), 2 * product / kForwardRate, 1e-12);
  EXPECT_NEAR(layer.backward.attention.base(), 5 * product / kBackwardRate, 1e-12);
}

TEST(Attention, LatentOneHasWiderQueriesThanValues) {
  const PassCost layer =
      layer_of({"parallelism.tp=2", "workload.model.head_size=128",
                "workload.model.latent_attention={kv_rank: 512, rope_size: 64, value_size: 128}"});
  const double product = 2 * kTokens * causal_keys(kTokens) * 32 / 2;
  EXPECT_NEAR(layer.forward.attention.base(), product * (192 + 128) / kForwardRate, 1e-12);
  EXPECT_NEAR(layer.backward.attention.base(), product * (3 * 192 + 2 * 128) / kBackwardRate,
              1e-12);
}

TEST(Attention, AnEncoderAttendsBothWaysAndADecoderToItToo) {
  const test::Settings settings{"parallelism.tp=1", "workload.model.encoder_layers=32",
                                "workload.encoder_sequence_length=1024"};
  EXPECT_NEAR(layer_of(settings, LayerKind::kEncoder).forward.attention.base(),
              4 * 1024.0 * 1024 * kHidden / kForwardRate, 1e-12);
  EXPECT_NEAR(layer_of(settings, LayerKind::kDecoder).forward.attention.base(),
              4 * kTokens * (causal_keys(kTokens) + 1024) * kHidden / kForwardRate, 1e-12);
}

TEST(Attention, KernelsWrittenForTheDeviceAreFaster) {
  const PassCost portable = layer_of({attention("fused")});
  const PassCost native = layer_of({attention("fused_native")});
  EXPECT_NEAR(portable.forward.attention / native.forward.attention, 0.75 / 0.35, 1e-12);
  EXPECT_NEAR(portable.backward.attention / native.backward.attention, 0.75 / 0.35, 1e-12);
  // On a device without such kernels a profile runs the portable ones.
  const test::Settings other{"cluster.node.accelerator=mi250x-gcd", "software.collectives=rccl",
                             "software.model=nemo-24.09"};
  EXPECT_EQ(layer_of(test::join(other, {attention("fused")})).forward.attention,
            layer_of(other).forward.attention);
}

/// Up to 0.5 and 0.35 of an A100's peak for the 0.73 and 0.63 of the second version.
TEST(Attention, TheFirstVersionIsSlower) {
  const PassCost first = layer_of({attention("fused_first")});
  const PassCost second = layer_of({attention("fused")});
  EXPECT_NEAR(second.forward.attention / first.forward.attention, 0.50 / 0.73, 1e-12);
  EXPECT_NEAR(second.backward.attention / first.backward.attention, 0.35 / 0.63, 1e-12);
}

TEST(Attention, HeadsArePaddedToKernels) {
  const auto time = [](int width) {
    return layer_of({"workload.model.head_size=" + std::to_string(width)}).forward.attention;
  };
  EXPECT_EQ(time(72), time(96));
  EXPECT_LT(time(64), time(72));
}

/// Attention of a rank of cp 2 over 8,192 tokens.
PassCost shared_layer(std::string_view exchange, const test::Settings& more = {}) {
  return layer_of(
      test::join({"parallelism={tp: 2, cp: 2}", "workload.sequence_length=8192",
                  "software.context_exchange={value: " + std::string(exchange) + ", source: test}"},
                 more));
}

/// A rank has a block of the start and one of the end of a sequence: its own share as a causal
/// kernel, and the other's as half of it or for half of its queries.
TEST(Attention, RanksOfARingHaveHalfOfItsKeys) {
  const double scores = 4096 * causal_keys(4096) + 4096 * 2048;
  for (const char* exchange : {"ring", "gathered_ring"}) {
    EXPECT_NEAR(shared_layer(exchange).forward.attention.base(),
                4 * scores * kHidden / 2 / kForwardRate, 1e-12)
        << exchange;
  }
}

/// Blocks of 2,048 queries over 2,048 and 8,192 keys, or 4,096 and 6,144, with half of their own.
TEST(Attention, RanksThatGatherHaveTwoKernels) {
  const double scores = 4096 * (3072 + causal_keys(2048));
  EXPECT_NEAR(shared_layer("all_gather").forward.attention.base(),
              4 * scores * kHidden / 2 / kForwardRate, 1e-12);
}

TEST(Attention, RanksThatSwapHaveTheWholeSequenceForFewerHeads) {
  const double scores = 8192 * causal_keys(8192);
  EXPECT_NEAR(shared_layer("all_to_all").forward.attention.base(),
              4 * scores * kHidden / 4 / kForwardRate, 1e-12);
}

TEST(Attention, RanksThatSwapAndGoRoundDoBoth) {
  const auto attention_of = [](const test::Settings& settings) {
    return layer_of(test::join({"cluster.nodes=1", "workload.sequence_length=8192"}, settings))
        .forward.attention;
  };
  const auto both = attention_of({"parallelism={tp: 2, cp: 4}", "software.context_swap_ranks=2",
                                  "software.context_exchange=all_to_all_ring"});
  const auto ring = attention_of({"parallelism={tp: 4, cp: 2}"});
  EXPECT_NEAR(both.base(), ring.base(), 1e-12);
}

/// Two streams leave one last wave of tiles, one stream leaves one for each kernel.
TEST(Attention, KernelsInTwoStreamsFillTheLastWaveOfOneAnother) {
  const auto time = [](const std::string& exchange) {
    const auto checked = test::scenario(
        {"parallelism={tp: 2, cp: 4}", "cluster.nodes=1", "workload.sequence_length=16384",
         "software.context_exchange={value: " + exchange + ", source: test}"});
    return ComputeModel(checked.scenario.cluster.node.accelerator, checked.scenario.workload,
                        checked.layout, checked.scenario.software, 1.0)
        .layer(LayerKind::kDense)
        .forward.attention;
  };
  EXPECT_LT(time("ring"), time("gathered_ring"));
}

/// Joins of pieces by Transformer Engine move 6 bytes of an output of 16 bits, PyTorch's 10 and
/// more; a rank that swaps lays out queries, keys, values and outputs twice.
TEST(Attention, RanksThatShareASequenceOrderAndJoin) {
  const auto elementwise = [](std::string_view exchange) {
    return shared_layer(exchange).forward.elementwise.base();
  };
  const double ring = elementwise("ring");
  const double alone = layer_of({"parallelism.tp=2"}).forward.elementwise.base();
  EXPECT_GT(ring, alone);
  EXPECT_GT(elementwise("gathered_ring") - alone, 10.0 / 6.0 * (ring - alone));
  // Llama 2 7B has as many heads of keys and values as of queries: 4 x 8 bytes of an element.
  EXPECT_NEAR((elementwise("all_to_all") - alone) / (ring - alone), 4.0 * 8.0 / (0.75 * 6.0), 1e-9);
}

/// What accelerators take as their own efficiency, and others are scaled by.
TEST(Attention, EfficienciesAreThoseOfALongSequence) {
  constexpr AttentionShape kShape{.queries = 16384, .keys = 16384, .heads = 32, .kv_heads = 8};
  constexpr double kWork = 4.0 * 16384 * 16384 / 2 * 128 * 32;
  for (const char* name : {"a100-sxm-80gb", "h100-sxm", "b200-sxm", "gb200", "l40s"}) {
    const core::Accelerator device =
        test::scenario({"cluster.node.accelerator=" + std::string(name)})
            .scenario.cluster.node.accelerator;
    const core::AttentionKernels& attention = device.kernels->attention;
    const double seconds = attention_prefill_time(device, attention.training, kShape).base();
    EXPECT_NEAR(kWork / seconds / device.bf16_rate.value.base(), attention.training_efficiency,
                5e-4)
        << name;
    const auto& native = device.native_attention_efficiency;
    EXPECT_EQ(native ? native->value : device.attention_efficiency.value,
              attention.training_efficiency)
        << name;
    if (!attention.flash_2) continue;
    const double portable = attention_prefill_time(device, *attention.flash_2, kShape).base();
    EXPECT_NEAR(kWork / portable / device.bf16_rate.value.base(),
                attention.flash_2_efficiency.value(), 5e-4)
        << name;
    EXPECT_EQ(device.attention_efficiency.value, attention.flash_2_efficiency.value()) << name;
  }
}

TEST(Attention, LongSequencesReachTheEfficiency) {
  double before = 0.0;
  for (const int length : {512, 1024, 2048, 4096, 16384, 131072}) {
    const PassCost layer = layer_of({"workload.sequence_length=" + std::to_string(length)});
    const double work = 2.0 * length * length * kHidden / 2;
    const double share = work / layer.forward.attention.base() / kForwardRate;
    EXPECT_GT(share, before);
    EXPECT_LT(share, 1.0);
    before = share;
  }
  EXPECT_GT(before, 0.99);
}

/// A block of 128 queries is one multiprocessor's: the last one has four blocks of keys.
TEST(Attention, FewBlocksLeaveMultiprocessorsIdle) {
  const test::Settings small{"workload.sequence_length=512", "parallelism.tp=8"};
  EXPECT_NEAR(layer_of(small).forward.attention.base(),
              4 * 128.0 * 512 * 128 / (kForwardRate / 132), 1e-12);
}

/// The products and four bytes a score of softmax forward and six backward; dropout five more each
/// way.
TEST(Attention, UnfusedReadsAndWritesEveryScore) {
  const test::Settings unfused{"parallelism.tp=2", attention("unfused")};
  const double scores = kTokens * kTokens * 16;
  const double bandwidth = 3.35e12 * 0.9;
  const PassCost plain = layer_of(unfused);
  const PassCost dropped =
      layer_of(test::join(unfused, {"software.dropout={value: true, source: test}"}));
  EXPECT_NEAR((dropped.forward.attention - plain.forward.attention).base(), scores * 5 / bandwidth,
              1e-12);
  EXPECT_NEAR((dropped.backward.attention - plain.backward.attention).base(),
              scores * 5 / bandwidth, 1e-12);
  const auto products = [&](int num) { return num * 2 * scores * 128 / (989.4e12 * 0.803); };
  EXPECT_GT(plain.forward.attention.base(), products(2) + scores * 4 / bandwidth);
  EXPECT_GT(plain.backward.attention.base(), products(4) + scores * 6 / bandwidth);
  EXPECT_LT(plain.forward.attention.base(), 2 * (products(2) + scores * 8 / bandwidth));
}

/// Where products cost no more than what they read and write: of scores S and of a head's T x 128
/// H, both 2 bytes. Forward two products move S and 2 H each, softmax reads and writes S, values
/// are put in order. Backward four products, softmax, and four gradients put in order.
TEST(Attention, UnfusedMovesScoresAndHeads) {
  const std::string fast = "cluster.node.accelerator.bf16_rate=1e12 TFLOP/s";
  const PassCost layer = layer_of({"parallelism.tp=2", attention("unfused"), fast});
  const double scores = kTokens * kTokens * 16 * 2;
  const double heads = kTokens * 128 * 16 * 2;
  const double bandwidth = 3.35e12 * 0.9;
  EXPECT_NEAR(layer.forward.attention.base() * bandwidth,
              2 * (scores + 2 * heads) + 2 * scores + 2 * heads, 1e3);
  EXPECT_NEAR(layer.backward.attention.base() * bandwidth,
              4 * (scores + 2 * heads) + 3 * scores + 4 * 2 * heads, 1e3);
}

TEST(Attention, UnfusedHeadsOffABoundaryAreSlower) {
  const auto time = [](int width) {
    return layer_of({attention("unfused"), "workload.model.head_size=" + std::to_string(width)})
        .forward.attention;
  };
  EXPECT_GT(time(150), time(160));
}

}  // namespace
}  // namespace railwright::models
