// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/memory/memory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "../../support/scenario.hpp"
#include "../memory_line.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {
namespace {

using test::line;

MemoryUse memory_of(const test::Settings& settings, int stage = 0) {
  const auto checked = test::scenario(settings);
  return memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software,
                         stage);
}

TEST(Memory, LinesAddUpToTheTotal) {
  const MemoryUse use = memory_of({});
  double sum = 0.0;
  for (const char* name :
       {"parameters", "gradients", "optimizer_state", "activations", "logits", "framework"}) {
    EXPECT_GT(line(use, name), 0.0) << name;
    sum += line(use, name);
  }
  EXPECT_DOUBLE_EQ(use.total().base(), sum);
  EXPECT_EQ(use.lines.size(), 6U);
  EXPECT_EQ(use.of(MemoryItem::kGradients).base(), line(use, "gradients"));
  EXPECT_EQ(use.of(MemoryItem::kGatheredLayers), core::DataSize{}) << "has no line";
}

TEST(Memory, WeightsGradientsAndStateFollowTheParametersOfTheRank) {
  const double parameters = (6'738'415'616.0 + 65 * 4096) / 2;  // norms stand on both tensor ranks
  const MemoryUse use = memory_of({});
  EXPECT_DOUBLE_EQ(line(use, "parameters"), 2 * parameters);
  EXPECT_DOUBLE_EQ(line(use, "gradients"), 4 * parameters);
  EXPECT_DOUBLE_EQ(line(use, "optimizer_state"), 12 * parameters / 8);
}

TEST(Memory, Zero1DividesTheOptimizerStateOverTheReplicas) {
  const test::Settings whole{"software.zero_stage={value: 0, source: test}"};
  const MemoryUse without = memory_of(whole);
  const MemoryUse with = memory_of({});
  EXPECT_DOUBLE_EQ(line(without, "optimizer_state"), 8 * line(with, "optimizer_state"));
  EXPECT_DOUBLE_EQ((without.total() - with.total()).base(),
                   line(without, "optimizer_state") - line(with, "optimizer_state"));
}

TEST(Memory, OneReplicaHoldsAllThreeHoldAThird) {
  const test::Settings one = test::join(test::llama_2_70b(), {"cluster.nodes=2"});
  const MemoryUse alone = memory_of(one);
  const MemoryUse third = memory_of(test::llama_2_70b());
  EXPECT_DOUBLE_EQ(line(alone, "optimizer_state"), 3 * line(third, "optimizer_state"));
  EXPECT_DOUBLE_EQ(line(alone, "parameters"), line(third, "parameters"));
}

TEST(Memory, LossesOfPyTorchHoldThreeWideCopies) {
  const double logits = 4096.0 * 32000 / 2;
  EXPECT_DOUBLE_EQ(line(memory_of({}), "logits"), 6 * logits);
  EXPECT_DOUBLE_EQ(line(memory_of({"software.loss_copies=true"}), "logits"), 12 * logits);
}

TEST(Memory, ALossInChunksHoldsTheLogitsOfOne) {
  const double all = line(memory_of({}), "logits");
  EXPECT_DOUBLE_EQ(line(memory_of({"software.loss_chunk=256"}), "logits"), all * 256 / 4096);
  EXPECT_DOUBLE_EQ(line(memory_of({"software.loss_chunk=8192"}), "logits"), all);
}

/// Two moments and an fp32 weight, of 4 B each or less.
TEST(Memory, AnOptimizerMayKeepNarrowNumbers) {
  const double all = line(memory_of({}), "optimizer_state");
  EXPECT_DOUBLE_EQ(line(memory_of({"software.moment_bytes=2"}), "optimizer_state"), all * 8 / 12);
  EXPECT_DOUBLE_EQ(line(memory_of({"software.moment_bytes=2", "software.master_weights=false"}),
                        "optimizer_state"),
                   all * 4 / 12);
}

TEST(Memory, GradientsOfTheModelStayBesideWiderSums) {
  const double parameters = line(memory_of({}), "parameters") / 2;
  const auto gradients = [](const std::string& bytes) {
    return line(
        memory_of({"software.model_gradients=true", "software.gradient_reduce_bytes=" + bytes}),
        "gradients");
  };
  EXPECT_DOUBLE_EQ(gradients("4"), (4 + 2) * parameters);
  EXPECT_DOUBLE_EQ(gradients("2"), 2 * parameters);
}

TEST(ReservedMemory, IsWhatIsInUseBlocksOfActivationsAndTheStepsCopies) {
  const auto reserved = [](const test::Settings& settings, double capacity) {
    const auto checked = test::scenario(settings);
    const models::SoftwareProfile& software = checked.scenario.software;
    const MemoryUse use = memory_of_stage(checked.scenario.workload, checked.layout, software, 0);
    return (reserved_memory(use, software, core::DataSize::from_base(capacity)) - use.total())
        .base();
  };
  const MemoryUse use = memory_of({});
  const double shard = line(use, "optimizer_state") / 12;
  const double slack = 0.28 * line(use, "activations");
  EXPECT_NEAR(reserved({}, 1e15), slack, 1.0);
  EXPECT_NEAR(reserved({"software.reserved_share=0", "software.step_copies_bytes=6"}, 1e15),
              6 * shard, 1.0);
  EXPECT_NEAR(reserved({}, use.total().base() + slack / 2), slack / 2, 1.0);
  EXPECT_EQ(reserved({}, use.total().base() / 2), 0.0);
}

TEST(Memory, Llama70bOnSixNodesFitsOnlyWithZero1) {
  const auto largest = [](const test::Settings& more) {
    const auto checked = test::scenario(test::join(test::llama_2_70b(), more));
    return largest_memory_use(checked.scenario.workload, checked.layout, checked.scenario.software);
  };
  EXPECT_LT(largest({}).total().base(), 80e9);
  EXPECT_GT(largest({"software.zero_stage={value: 0, source: test}"}).total().base(), 80e9);
}

TEST(Memory, LargestIsTheLargestStage) {
  const auto checked = test::scenario(test::llama_2_70b());
  const MemoryUse largest =
      largest_memory_use(checked.scenario.workload, checked.layout, checked.scenario.software);
  int found = 0;
  for (int stage = 0; stage < 4; ++stage) {
    const MemoryUse use = memory_of(test::llama_2_70b(), stage);
    EXPECT_LE(use.total().base(), largest.total().base()) << stage;
    if (stage == largest.stage) found += use.total().base() == largest.total().base() ? 1 : 0;
    EXPECT_EQ(line(use, "logits") > 0.0, stage == 3) << stage;
  }
  EXPECT_EQ(found, 1);
}

double activations(const test::Settings& settings) {
  const auto checked = test::scenario(settings);
  return activations_per_layer(checked.scenario.workload, checked.layout, checked.scenario.software,
                               LayerKind::kDense)
      .base();
}

test::Settings recompute(const std::string& mode) {
  return {"software.recompute={value: " + mode + ", source: test}"};
}

TEST(Activations, AreTheInputsThatABackwardPassReads) {
  // t h: norms' and matrices' inputs 4, Q and attention output 2, K and V 2; t f: gate, up,
  // product.
  const double expected = 2.0 * 4096 * ((4 + 2 + 2) * 4096.0 + 3 * 11008.0);
  EXPECT_DOUBLE_EQ(activations({"parallelism.tp=1"}), expected);
  EXPECT_DOUBLE_EQ(activations(test::join({"parallelism.tp=1"}, recompute("full"))),
                   2.0 * 4096 * 4096);
}

/// Equations 1, 2 and 4 and the selective one of [@korthikanti2022reducing], without a gate, with
/// dropout and scores of every head.
TEST(Activations, AreThoseOfThePaperWhereAttentionIsNotFused) {
  const double sbh = 4096.0 * 4096.0;
  const double scores = 5.0 * 32 * 4096 / 4096;
  const auto of = [&](int tp, bool sequence_parallel, const std::string& mode) {
    return activations(test::join(
        {"workload.model.gated_ffn=false", "workload.model.ffn_size=16384",
         "software.attention={value: unfused, source: test}",
         "software.dropout={value: true, source: test}", "parallelism.tp=" + std::to_string(tp),
         "parallelism.sequence_parallel=" + std::string(sequence_parallel ? "true" : "false")},
        recompute(mode)));
  };
  EXPECT_DOUBLE_EQ(of(1, false, "none"), sbh * (34 + scores));
  EXPECT_DOUBLE_EQ(of(8, false, "none"), sbh * (10 + 24.0 / 8 + scores / 8));
  EXPECT_DOUBLE_EQ(of(8, true, "none"), sbh / 8 * (34 + scores));
  EXPECT_DOUBLE_EQ(of(8, true, "selective"), sbh * 34 / 8);
}

TEST(Activations, SequenceParallelismDividesAllOfThem) {
  for (const char* mode : {"none", "full"}) {
    EXPECT_DOUBLE_EQ(
        8 * activations(test::join({"parallelism.tp=8", "parallelism.sequence_parallel=true"},
                                   recompute(mode))),
        activations(test::join({"parallelism.tp=1"}, recompute(mode))));
  }
}

/// The first of p stages holds p v + p - 1 chunks of 1/v of its layers instead of p whole ones.
TEST(Activations, InterleavingHoldsMore) {
  const double plain = line(
      memory_of(test::join(test::llama_2_70b(), {"parallelism.virtual_stages=1"})), "activations");
  for (const int v : {2, 4, 5, 20}) {
    const double interleaved =
        line(memory_of(test::join(test::llama_2_70b(),
                                  {"parallelism.virtual_stages=" + std::to_string(v)})),
             "activations");
    const double p = 4.0;
    EXPECT_NEAR(interleaved / plain, 1 + (p - 1) / (p * v), 1e-12) << v;
  }
}

/// Bytes a token and layer of 16-bit elements, one tensor-parallel rank of two.
TEST(Activations, FollowWhatRecomputeKeeps) {
  const auto kept = [](const std::string& recompute) {
    const auto checked =
        test::scenario({"software.recompute={value: " + recompute + ", source: test}"});
    return activations_per_layer(checked.scenario.workload, checked.layout,
                                 checked.scenario.software, LayerKind::kDense)
               .base() /
           4096 / 2;
  };
  const double h = 4096;
  const double f = 11008 / 2.0;
  EXPECT_DOUBLE_EQ(kept("none"), 4 * h + 4 * h / 2 + 3 * f);
  EXPECT_DOUBLE_EQ(kept("elementwise"), 2 * h + 3 * h / 2 + 2 * f);
  EXPECT_DOUBLE_EQ(kept("feed_forward"), 2 * h + 3 * h / 2);
  EXPECT_DOUBLE_EQ(kept("full"), h);
}

TEST(Activations, RecomputedBlocksLieBesideKeptOnes) {
  const test::Settings full{"software.recompute={value: full, source: test}"};
  const auto activations = [&](int recomputed) {
    return line(
        memory_of(test::join(full, {"software.recompute_layers=" + std::to_string(recomputed)})),
        "activations");
  };
  EXPECT_DOUBLE_EQ(activations(32), line(memory_of(full), "activations"));
  EXPECT_DOUBLE_EQ(activations(0), line(memory_of({}), "activations"));
  EXPECT_DOUBLE_EQ(activations(8), 0.25 * activations(32) + 0.75 * activations(0));
  EXPECT_EQ(line(memory_of(test::join(full, {"software.recompute_layers=0"})), "recomputed_layer"),
            0.0);
}

/// A stage holds its own layers and its mirror image's; gradients of both ends are one sum.
TEST(Memory, DualPipeHoldsTwoStages) {
  const test::Settings settings = test::join(test::llama_2_70b(), {"parallelism.virtual_stages=1"});
  const test::Settings dual = test::join(settings, {"parallelism.schedule=dualpipe"});
  for (const int stage : {0, 1}) {
    const MemoryUse use = memory_of(dual, stage);
    const double own = line(memory_of(settings, stage), "parameters");
    const double mirrored = line(memory_of(settings, 3 - stage), "parameters");
    EXPECT_DOUBLE_EQ(line(use, "parameters"), own + mirrored);
    EXPECT_DOUBLE_EQ(line(use, "optimizer_state"), line(use, "parameters") / 2 * 12 / 6);
  }
}

TEST(Memory, FewMicrobatchesHoldNoMoreThanThereAre) {
  const MemoryUse use = memory_of(
      test::join(test::llama_2_70b(), {"workload.global_batch=6", "parallelism.virtual_stages=1"}));
  const double layer = activations(test::llama_2_70b());
  EXPECT_DOUBLE_EQ(line(use, "activations"), 2 * 20 * layer);
}

}  // namespace
}  // namespace railwright::models
