// SPDX-License-Identifier: Apache-2.0
// The cost of a layer, embedding, head and optimizer.
#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "published_h100.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/kernel/experts.hpp"

namespace railwright::models {
namespace {

constexpr double kSequence = 4096.0;
constexpr double kModelWidth = 4096.0;

ComputeModel costs_of(const test::Settings& settings, double efficiency = 1.0) {
  const auto checked = test::scenario(test::published_h100(settings));
  return {checked.scenario.cluster.node.accelerator, checked.scenario.workload, checked.layout,
          checked.scenario.software, efficiency};
}

/// A device without waves and without memory limits, and a model of whole tiles: only arithmetic is
/// left.
test::Settings arithmetic_of_whole_tiles() {
  const std::string accelerator = "cluster.node.accelerator.";
  return {accelerator + "num_multiprocessors={value: 1, source: test}",
          accelerator + "memory_bandwidth={value: 3e9 TB/s, source: test}",
          accelerator + "gemm_efficiency={value: 1, source: test}", "workload.model.ffn_size=16384",
          "workload.model.vocabulary_size=32768"};
}

/// Two operations for each multiply-add.
double product_seconds(double rows, double inner, double columns) {
  return 2.0 * rows * inner * columns / 989.4e12;
}

/// One product forward; backward one for the input and one for the weight.
struct ProductSeconds {
  double forward = 0.0;
  double backward = 0.0;

  void add(double inner, double columns) {
    forward += product_seconds(kSequence, inner, columns);
    backward +=
        product_seconds(kSequence, columns, inner) + product_seconds(inner, kSequence, columns);
  }
};

/// Four matrices of a layer are read in 4.127 bits and written in 16, once in each pass.
TEST(LayerCost, WeightsInFourBitsAreMadeWholeBeforeTheirProducts) {
  const auto of = [](const std::string& base) {
    return costs_of({"parallelism.tp=1", "workload.lora={rank: 8, base: " + base + "}"})
        .layer(LayerKind::kDense);
  };
  const double parameters = 4 * 4096.0 * 4096 + 3 * 4096.0 * 11008;
  const double bytes = parameters * ((4.0 + 8.0 / 64 + 32.0 / (64 * 256)) / 8 + 2);
  const auto checked = test::scenario(test::published_h100({"parallelism.tp=1"}));
  const double seconds =
      bytes / checked.scenario.cluster.node.accelerator.elementwise_bandwidth().base();
  const auto longer = [&](ComputeCost PassCost::* pass) {
    return ((of("nf4").*pass).elementwise - (of("whole").*pass).elementwise).base();
  };
  EXPECT_NEAR(longer(&PassCost::forward) / seconds, 1.0, 1e-9);
  EXPECT_NEAR(longer(&PassCost::backward) / seconds, 1.0, 1e-9);
}

TEST(LayerCost, MatrixTimeIsOneProductForwardAndTwoBackward) {
  for (const int tp : {1, 2, 4, 8}) {
    const ComputeModel model =
        costs_of(test::join(arithmetic_of_whole_tiles(), {"parallelism.tp=" + std::to_string(tp)}));
    ProductSeconds layer;
    layer.add(kModelWidth, 3 * kModelWidth / tp);
    layer.add(kModelWidth / tp, kModelWidth);
    layer.add(kModelWidth, 2.0 * 16384 / tp);
    layer.add(16384.0 / tp, kModelWidth);
    const PassCost& dense = model.layer(LayerKind::kDense);
    EXPECT_NEAR(dense.forward.matrix.base() / layer.forward, 1.0, 1e-12) << tp;
    EXPECT_NEAR(dense.backward.matrix.base() / layer.backward, 1.0, 1e-12) << tp;
    ProductSeconds head;
    head.add(kModelWidth, 32768.0 / tp);
    EXPECT_NEAR(model.head().forward.matrix.base() / head.forward, 1.0, 1e-12) << tp;
    EXPECT_NEAR(model.head().backward.matrix.base() / head.backward, 1.0, 1e-12) << tp;
  }
}

TEST(LayerCost, FullRecomputeRunsTheForwardPassAgain) {
  const PassCost none = costs_of({}).layer(LayerKind::kDense);
  const PassCost full =
      costs_of({"software.recompute={value: full, source: test}"}).layer(LayerKind::kDense);
  EXPECT_DOUBLE_EQ(full.forward.total().base(), none.forward.total().base());
  EXPECT_DOUBLE_EQ(full.backward.matrix.base(),
                   (none.backward.matrix + none.forward.matrix).base());
  EXPECT_DOUBLE_EQ(full.backward.total().base(),
                   (none.backward.total() + none.forward.total()).base());
}

TEST(LayerCost, SplitBackwardPassesAddUpToTheWhole) {
  for (const char* recompute : {"none", "selective", "full"}) {
    const test::Settings settings{"parallelism.pp=2", std::string("software.recompute={value: ") +
                                                          recompute + ", source: test}"};
    const ComputeModel whole = costs_of(settings);
    const ComputeModel split = costs_of(test::join(settings, {"parallelism.schedule=zb_h1"}));
    const auto seconds = [](const ComputeCost& cost) { return cost.total().base(); };
    const PassCost& layer = split.layer(LayerKind::kDense);
    EXPECT_EQ(seconds(whole.layer(LayerKind::kDense).weight), 0.0);
    EXPECT_NEAR(seconds(layer.backward) + seconds(layer.weight),
                seconds(whole.layer(LayerKind::kDense).backward), 1e-15);
    // One of three products of the layer's matrices, forward and backward.
    EXPECT_NEAR(layer.weight.matrix / layer.forward.matrix, 1.0, 0.1) << recompute;
    EXPECT_NEAR(seconds(split.head().backward) + seconds(split.head().weight),
                seconds(whole.head().backward), 1e-15);
  }
}

/// Between selective and full recompute: what is not a product, and the products into the block.
TEST(LayerCost, RecomputeOfAllButSomeProducts) {
  const auto backward = [](const std::string& recompute) {
    return costs_of({"software.recompute={value: " + recompute + ", source: test}"})
        .layer(LayerKind::kDense)
        .backward;
  };
  const ComputeCost forward = costs_of({}).layer(LayerKind::kDense).forward;
  const ComputeCost none = backward("none");
  const ComputeCost elementwise = backward("elementwise");
  EXPECT_DOUBLE_EQ(elementwise.matrix.base(), none.matrix.base());
  EXPECT_DOUBLE_EQ(elementwise.attention.base(), (none.attention + forward.attention).base());
  EXPECT_DOUBLE_EQ(elementwise.elementwise.base(), (none.elementwise + forward.elementwise).base());
  const ComputeCost feed_forward = backward("feed_forward");
  const core::Duration into_block = feed_forward.matrix - none.matrix;
  // Two of three matrices of a gated block of 11,008: the layer has 4 h h and 3 h f.
  EXPECT_NEAR(into_block / forward.matrix, 2.0 * 11008 / (4.0 * 4096 + 3.0 * 11008), 0.02);
  EXPECT_DOUBLE_EQ(feed_forward.elementwise.base(), elementwise.elementwise.base());
  EXPECT_LT(feed_forward.total(), backward("full").total());
}

TEST(LayerCost, LayersThatFullRecomputeLeavesOutAreThoseWithout) {
  const test::Settings full{"software.recompute={value: full, source: test}"};
  const ComputeModel some = costs_of(test::join(full, {"software.recompute_layers=3"}));
  EXPECT_EQ(some.kept_layer(LayerKind::kDense).backward.total(),
            costs_of({}).layer(LayerKind::kDense).backward.total());
  EXPECT_EQ(some.layer(LayerKind::kDense).backward.total(),
            costs_of(full).layer(LayerKind::kDense).backward.total());
}

TEST(LayerCost, SelectiveRecomputeRunsTheAttentionAgain) {
  const PassCost none = costs_of({}).layer(LayerKind::kDense);
  const PassCost some =
      costs_of({"software.recompute={value: selective, source: test}"}).layer(LayerKind::kDense);
  EXPECT_NEAR((some.backward.total() - none.backward.total()).base(), none.forward.attention.base(),
              1e-15);
  EXPECT_DOUBLE_EQ(some.backward.matrix.base(), none.backward.matrix.base());
}

TEST(LayerCost, SequenceParallelismDividesNormsAndResiduals) {
  const PassCost whole = costs_of({"parallelism.tp=8"}).layer(LayerKind::kDense);
  const PassCost divided =
      costs_of({"parallelism.tp=8", "parallelism.sequence_parallel=true"}).layer(LayerKind::kDense);
  // Two norms of 2 and two residuals of 3 accesses, 2 bytes each, on 7 of 8 tokens no longer here.
  const double saved = kSequence * 7 / 8 * kModelWidth * 2 * (2 * 2 + 2 * 3) / (3.35e12 * 0.9);
  EXPECT_NEAR((whole.forward.elementwise - divided.forward.elementwise).base(), saved, 1e-15);
  EXPECT_DOUBLE_EQ(whole.forward.matrix.base(), divided.forward.matrix.base());
  EXPECT_DOUBLE_EQ(whole.forward.attention.base(), divided.forward.attention.base());
}

/// Both blocks gather and scatter all tokens: read and written once more each, on every rank.
TEST(LayerCost, SequenceCopiesReorderWhatIsGatheredAndScattered) {
  const auto cost = [](const test::Settings& more) {
    return costs_of(test::join({"parallelism.tp=8", "parallelism.sequence_parallel=true"}, more))
        .layer(LayerKind::kDense);
  };
  const PassCost plain = cost({});
  const PassCost copied = cost({"software.sequence_copies=true"});
  const double one = 2.0 * kSequence * kModelWidth * 2 * 2 / (3.35e12 * 0.9);
  EXPECT_NEAR((copied.forward.elementwise - plain.forward.elementwise).base(), 2 * one, 1e-15);
  EXPECT_NEAR((copied.backward.elementwise - plain.backward.elementwise).base(), 2 * one, 1e-15);
}

TEST(LayerCost, GapsAreTheKernelsOfALayer) {
  const PassCost layer = costs_of({}).layer(LayerKind::kDense);
  EXPECT_NEAR(layer.forward.gaps.base(), 20 * 2e-6, 1e-15);
  EXPECT_NEAR(layer.backward.gaps.base(), 2 * 20 * 2e-6, 1e-15);
}

TEST(LayerCost, AHostThatLaunchesSlowlyHoldsTheDevice) {
  const std::string full = "software.recompute={value: full, source: test}";
  const auto with_launch = [](const std::string& time, const test::Settings& more = {}) {
    return costs_of(test::join({"software.host_launch={value: " + time + ", source: test}"}, more))
        .layer(LayerKind::kDense);
  };
  EXPECT_NEAR(with_launch("1 ms").forward.total().base(), 20e-3, 1e-12);
  EXPECT_NEAR(with_launch("1 ms").backward.total().base(), 40e-3, 1e-12);
  EXPECT_NEAR(with_launch("1 ms", {full}).backward.total().base(), 60e-3, 1e-12);
  // 20 launches of 1 us are far below what the device computes.
  EXPECT_EQ(with_launch("1 us").forward.total(), with_launch("0 us").forward.total());
}

/// 16 experts of which a token passes 4: a quarter of the tokens in each. Separate products take
/// their arithmetic, a grouped one what expert_gemm_time() says.
TEST(LayerCost, ExpertsTakeTheTimeOfThoseATokenPasses) {
  const test::Settings settings =
      test::join(arithmetic_of_whole_tiles(),
                 {"parallelism.tp=1",
                  "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}"});
  const auto time = [&](const test::Settings& more) {
    return costs_of(test::join(settings, more)).layer(LayerKind::kExperts).forward.matrix.base();
  };
  const double attention = product_seconds(kSequence, kModelWidth, 4 * kModelWidth);
  const double router = product_seconds(kSequence, kModelWidth, 16);
  const double experts = product_seconds(kSequence / 4, kModelWidth, 16 * 2 * 2048.0) +
                         product_seconds(kSequence / 4, 2048, 16 * kModelWidth);
  const double separate = time({"software.expert_kernels={value: separate, source: test}"});
  // 16 columns fill a quarter of the narrowest tile.
  EXPECT_GT(separate, attention + experts + 4 * router);
  EXPECT_LT(separate, attention + experts + 5 * router);

  const auto checked = test::scenario(test::published_h100(settings));
  const auto of_group = [&](std::int64_t columns, std::int64_t inner) {
    return expert_gemm_time(checked.scenario.cluster.node.accelerator,
                            {.tokens_of_expert = static_cast<std::int64_t>(kSequence) / 4,
                             .num_experts = 16,
                             .columns = columns,
                             .inner = inner})
        .base();
  };
  const double products =
      of_group(std::int64_t{2} * 2048, kModelWidth) + of_group(kModelWidth, 2048);
  const double grouped = time({"software.expert_kernels={value: grouped, source: test}"});
  EXPECT_NEAR(grouped - products, separate - experts, 1e-9);
}

/// Two products an expert, and under fp8 a cast of each one's rows.
TEST(LayerCost, ExpertsOfTheirOwnAreLaunchedOneByOne) {
  const auto passes = [](const char* kernels, const char* precision) {
    return costs_of(
               {"parallelism.tp=1", "software.host_launch={value: 10 ms, source: test}",
                "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}",
                "software.expert_kernels={value: " + std::string(kernels) + ", source: test}",
                "software.precision={value: " + std::string(precision) + ", source: test}"})
        .layer(LayerKind::kExperts);
  };
  for (const char* precision : {"bf16", "fp8"}) {
    const double launches = 16 * 2 * (precision == std::string("fp8") ? 2 : 1);
    const PassCost grouped = passes("grouped", precision);
    const PassCost separate = passes("separate", precision);
    EXPECT_NEAR(grouped.forward.total().base(), 35 * 10e-3, 1e-9);
    EXPECT_NEAR(separate.forward.total().base(), (35 + launches) * 10e-3, 1e-9) << precision;
    EXPECT_NEAR(separate.backward.total().base(), 2 * (35 + launches) * 10e-3, 1e-9);
  }
}

/// A layer's kernels, 16 experts with two products each, and of what routing takes the half that
/// stays outside of partial graphs.
TEST(LayerCost, GraphsTakeLaunchesFromTheHost) {
  const auto launches = [](const char* graphs, LayerKind kind) {
    const PassCost cost =
        costs_of({"parallelism.tp=1", "software.host_launch={value: 10 ms, source: test}",
                  "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}",
                  "software.expert_kernels={value: separate, source: test}",
                  "software.cuda_graphs={value: " + std::string(graphs) + ", source: test}"})
            .layer(kind);
    return std::pair{cost.forward.total().base() / 10e-3, cost.backward.total().base() / 10e-3};
  };
  const auto expect = [&](const char* graphs, LayerKind kind, double count) {
    const auto [forward, backward] = launches(graphs, kind);
    EXPECT_NEAR(forward, count, 1e-9) << graphs;
    EXPECT_NEAR(backward, 2 * count, 1e-9) << graphs;
  };
  expect("none", LayerKind::kDense, 20);
  expect("none", LayerKind::kExperts, 20 + 15 + 32);
  expect("partial", LayerKind::kExperts, 8 + 32);
  EXPECT_LT(launches("partial", LayerKind::kDense).first, 1.0);
  EXPECT_LT(launches("full", LayerKind::kExperts).first, 1.0);
  EXPECT_LT(launches("full", LayerKind::kExperts).second, 1.0);
}

/// A gated activation of experts reads two halves and writes one, and its output is cast into two
/// copies; backward five accesses, and the cast of both halves' gradient.
TEST(LayerCost, FusedExpertsActivateAndCastInTheirProducts) {
  const auto layer = [](const char* kernels) {
    return costs_of(
               {"parallelism.tp=1",
                "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}",
                "software.precision={value: fp8, source: test}",
                "software.fp8_scaling={value: block, source: test}",
                "software.expert_kernels={value: " + std::string(kernels) + ", source: test}"})
        .layer(LayerKind::kExperts);
  };
  const PassCost grouped = layer("grouped");
  const PassCost fused = layer("fused");
  const double inner = kSequence * 4 * 2048;
  const double bandwidth = 3.35e12 * 0.9;
  EXPECT_NEAR((grouped.forward.elementwise - fused.forward.elementwise).base(),
              inner * (3 * 2 + 4) / bandwidth, 1e-12);
  EXPECT_NEAR((grouped.backward.elementwise - fused.backward.elementwise).base(),
              inner * (5 * 2 + 2 * 4) / bandwidth, 1e-12);
  EXPECT_EQ(grouped.forward.matrix, fused.forward.matrix);
}

/// What an all-to-all brings is read and written once more, by expert, and once on its way home;
/// not where a rank has one expert, or where a dispatcher lays tokens out behind the exchange.
TEST(LayerCost, ChunksOfAnAllToAllAreSortedByExpert) {
  const auto layer = [](const char* dispatcher, int experts) {
    return costs_of({"parallelism.tp=1", "parallelism.ep=4",
                     "workload.model.experts={count: " + std::to_string(experts) +
                         ", top_k: 4, ffn_size: 2048, dense_layers: 1}",
                     "software.expert_dispatcher={value: " + std::string(dispatcher) +
                         ", source: test}"})
        .layer(LayerKind::kExperts);
  };
  const double moved = kSequence * 4 * kModelWidth * 2 * 4 / (3.35e12 * 0.9);
  const PassCost sorted = layer("all_to_all", 16);
  const PassCost laid_out = layer("deepep", 16);
  EXPECT_NEAR((sorted.forward.elementwise - laid_out.forward.elementwise).base(), moved, 1e-12);
  EXPECT_NEAR((sorted.backward.elementwise - laid_out.backward.elementwise).base(), moved, 1e-12);
  EXPECT_EQ(layer("all_to_all", 4).forward.elementwise, layer("deepep", 4).forward.elementwise);
}

/// Of each copy of a token: in bytes of 2, the product with its weight is written in fp32 (2),
/// added (1 + 2 + 2), joined (2 + 2) and cast (2 + 1). Backward the cast (1 + 2), that of the sum
/// (2 + 1 and 1 + 1, joined), and twice a product that is written and added up (2 + 2 + 2); the
/// gradients of all biases read those of their outputs.
TEST(LayerCost, TheLastBiasOfExpertsIsAddedByKernelsOfItsOwn) {
  const auto layer = [](const char* biases) {
    return costs_of(
               {"parallelism.tp=1", "parallelism.ep=4",
                "workload.model.biases=" + std::string(biases),
                "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}"})
        .layer(LayerKind::kExperts);
  };
  const double access = kSequence * 4 * kModelWidth * 2 / (3.35e12 * 0.9);
  const PassCost with = layer("true");
  const PassCost without = layer("false");
  EXPECT_NEAR((with.forward.elementwise - without.forward.elementwise).base(), 14 * access, 1e-12);
  const double backward = (with.backward.elementwise - without.backward.elementwise).base();
  EXPECT_GT(backward, 20 * access);
  EXPECT_LT(backward, 24 * access);
}

TEST(LayerCost, GraphsOfTheRouterLeaveAttentionToTheHost) {
  const auto gaps = [](const char* graphs) {
    return costs_of(
               {"parallelism.tp=1",
                "workload.model.experts={count: 16, top_k: 4, ffn_size: 2048, dense_layers: 1}",
                "software.host_launch={value: 1 ms, source: test}",
                "software.cuda_graphs={value: " + std::string(graphs) + ", source: test}"})
        .layer(LayerKind::kExperts)
        .forward.gaps.base();
  };
  // Seven of the fifteen kernels that bring tokens to their experts.
  EXPECT_NEAR(gaps("none") - gaps("router"), 7e-3, 1e-9);
  EXPECT_GT(gaps("router"), gaps("partial"));
}

TEST(LayerCost, InstallationSlowsEverything) {
  const ComputeModel neutral = costs_of({});
  const ComputeModel slow = costs_of({}, 0.5);
  const auto expect_twice = [](const PassCost& of_slow, const PassCost& of_neutral) {
    EXPECT_DOUBLE_EQ(of_slow.forward.total().base(), 2 * of_neutral.forward.total().base());
    EXPECT_DOUBLE_EQ(of_slow.backward.total().base(), 2 * of_neutral.backward.total().base());
  };
  expect_twice(slow.layer(LayerKind::kDense), neutral.layer(LayerKind::kDense));
  expect_twice(slow.embedding(), neutral.embedding());
  expect_twice(slow.head(), neutral.head());
  EXPECT_DOUBLE_EQ(slow.optimizer_time(1e9).base(), 2 * neutral.optimizer_time(1e9).base());
  const test::Settings narrow{"software.precision={value: fp8, source: test}"};
  EXPECT_DOUBLE_EQ(costs_of(narrow, 0.5).weight_cast_time(1e9).base(),
                   2 * costs_of(narrow).weight_cast_time(1e9).base());
  EXPECT_GT(costs_of(narrow).weight_cast_time(1e9), core::Duration{});
}

/// fp32 gradients are zeroed (4 bytes), their norm read (4), clipped (8); Adam reads them (4),
/// reads and writes two moments and the weight (24); the weight is read and written in bf16 (6).
TEST(Optimizer, StreamsFiftyBytesAParameter) {
  EXPECT_NEAR(costs_of({}).optimizer_time(1e9).base(), 50e9 / (3.35e12 * 0.9), 1e-12);
  // 16-bit gradients are zeroed (2 for 4) and copied to fp32 (6); fp16 ones are unscaled (8).
  const test::Settings half{"software.gradient_reduce_bytes={value: 2, source: test}"};
  EXPECT_NEAR(costs_of(half).optimizer_time(1e9).base(), 54e9 / (3.35e12 * 0.9), 1e-12);
  EXPECT_NEAR(costs_of(test::join(half, {"software.precision={value: fp16, source: test}"}))
                  .optimizer_time(1e9)
                  .base(),
              62e9 / (3.35e12 * 0.9), 1e-12);
}

/// 16-bit moments move 8 bytes less; without an fp32 weight only the 16-bit one is read and written
/// (4 for 14).
TEST(Optimizer, StreamsLessWhereItKeepsNarrowNumbers) {
  const test::Settings narrow{"software.moment_bytes=2"};
  EXPECT_NEAR(costs_of(narrow).optimizer_time(1e9).base(), 42e9 / (3.35e12 * 0.9), 1e-12);
  EXPECT_NEAR(
      costs_of(test::join(narrow, {"software.master_weights=false"})).optimizer_time(1e9).base(),
      32e9 / (3.35e12 * 0.9), 1e-12);
}

TEST(Head, ALossInChunksRunsItsForwardPassAgain) {
  const PassCost whole = costs_of({}).head();
  const PassCost chunks = costs_of({"software.loss_chunk=256"}).head();
  EXPECT_EQ(chunks.forward.matrix, whole.forward.matrix);
  EXPECT_NEAR(chunks.backward.matrix.base(), (whole.backward.matrix + whole.forward.matrix).base(),
              1e-12);
  EXPECT_NEAR(chunks.backward.elementwise.base(),
              (whole.backward.elementwise + whole.forward.elementwise).base(), 1e-12);
}

TEST(Head, AnFp32CopyOfTheLogitsIsReadAndWritten) {
  const PassCost apart = costs_of({}).head();
  const PassCost fused = costs_of({"software.fused_loss={value: true, source: test}"}).head();
  const double logits = kSequence * 32000 / 2;
  const double bandwidth = 3.35e12 * 0.9;
  EXPECT_NEAR((apart.forward.elementwise - fused.forward.elementwise).base(),
              logits * (38 - 4) / bandwidth, 1e-12);
  EXPECT_NEAR((apart.backward.elementwise - fused.backward.elementwise).base(),
              logits * (14 - 4) / bandwidth, 1e-12);
}

TEST(LayerCost, EagerKernelsMoveMore) {
  const PassCost fused = costs_of({}).layer(LayerKind::kDense);
  const PassCost eager =
      costs_of({"software.elementwise={value: eager, source: test}"}).layer(LayerKind::kDense);
  // Two norms of 18 for 2 accesses, an activation of 5 for 3, positions of 10 for 2.
  const double more = 2 * kSequence * (2 * kModelWidth * 16 + 11008 / 2.0 * 2 + kModelWidth * 8);
  EXPECT_NEAR((eager.forward.elementwise - fused.forward.elementwise).base(),
              more / (3.35e12 * 0.9), 1e-12);
  EXPECT_EQ(eager.forward.matrix, fused.forward.matrix);
}

/// Gradients of weights, of four bytes here, are read twice and written to be added to earlier ones
/// where the product does not add them itself.
TEST(LayerCost, GradientsAreAddedToThoseOfEarlierMicroBatches) {
  const PassCost inside = costs_of({}).layer(LayerKind::kDense);
  const PassCost apart =
      costs_of({"software.gradient_accumulation_fusion={value: false, source: test}"})
          .layer(LayerKind::kDense);
  const double parameters = (4 * kModelWidth * kModelWidth + 3 * kModelWidth * 11008) / 2;
  EXPECT_NEAR((apart.backward.elementwise - inside.backward.elementwise).base(),
              12 * parameters / (3.35e12 * 0.9), 1e-12);
}

TEST(LayerCost, LessOfAnySpeedNeverHelps) {
  const auto total = [](const test::Settings& settings) {
    const ComputeModel model = costs_of(settings);
    core::Duration sum = model.optimizer_time(1e9);
    for (const PassCost* cost :
         {&model.layer(LayerKind::kDense), &model.embedding(), &model.head()}) {
      sum += cost->forward.total() + cost->backward.total();
    }
    return sum;
  };
  const std::string device = "cluster.node.accelerator.";
  const core::Duration base = total({});
  for (const char* worse : {"bf16_rate={value: 800 TFLOP/s, source: test}",
                            "memory_bandwidth={value: 2 TB/s, source: test}",
                            "gemm_efficiency={value: 0.6, source: test}",
                            "attention_efficiency={value: 0.2, source: test}",
                            "memory_efficiency={value: 0.7, source: test}",
                            "kernel_overhead={value: 5 us, source: test}"}) {
    EXPECT_GT(total({device + worse}), base) << worse;
  }
}

}  // namespace
}  // namespace railwright::models
