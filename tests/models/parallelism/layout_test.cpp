// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "../../support/scenario.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {
namespace {

TEST(Layout, DividesAcceleratorsAndBatch) {
  const Layout layout = test::scenario(test::llama_2_70b()).layout;
  EXPECT_EQ(layout.tp, 4);
  EXPECT_EQ(layout.pp, 4);
  EXPECT_EQ(layout.dp, 3);
  EXPECT_EQ(layout.num_microbatches, 48);
  EXPECT_EQ(layout.layers_per_chunk, 1);
}

struct Refusal {
  Parallelism parallelism;
  int accelerators;
  const char* key;
  const char* part_of_message;
};

TEST(Layout, NamesWhatDoesNotDivide) {
  const Training training = test::scenario().scenario.workload;
  const Refusal refusals[] = {
      {{.tp = 3}, 48, "parallelism.tp", "attention heads"},
      {{.tp = 2, .pp = 64}, 128, "parallelism.pp", "more than the 32 layers"},
      {{.tp = 2, .pp = 3}, 48, "parallelism.pp", "does not divide the 32 layers"},
      {{.tp = 2, .pp = 16, .virtual_stages = 4},
       32,
       "parallelism.virtual_stages",
       "more than the 32 layers"},
      {{.tp = 2, .pp = 1, .virtual_stages = 4}, 16, "parallelism.virtual_stages", "at least 2"},
      {{.tp = 4, .pp = 4}, 24, "parallelism", "does not divide the 24 accelerators"},
      {{.tp = 2, .pp = 1}, 64, "workload.global_batch", "dp 32"},
      {{.tp = 2, .pp = 4, .virtual_stages = 2}, 128, "parallelism.virtual_stages", "divisible by"},
  };
  for (const Refusal& refusal : refusals) {
    Layout layout;
    const auto problems = make_layout(training, refusal.parallelism, refusal.accelerators, layout);
    const bool named = std::ranges::any_of(problems, [&](const core::Problem& problem) {
      return problem.key == refusal.key &&
             problem.message.find(refusal.part_of_message) != std::string::npos;
    });
    EXPECT_TRUE(named) << refusal.key << ": " << refusal.part_of_message;
  }
}

TEST(Layout, CountsEmbeddingAndLossAsLayersWhereTold) {
  Training training = test::scenario().scenario.workload;
  std::get<Transformer>(training.model).num_layers = 30;
  Layout layout;
  ASSERT_TRUE(make_layout(training,
                          {.tp = 2, .pp = 4, .embedding_as_layer = true, .loss_as_layer = true}, 16,
                          layout)
                  .empty());
  int num_layers = 0;
  for (int stage = 0; stage < 4; ++stage) {
    int of_stage = 0;
    for (int place = 0; place < 8; ++place) of_stage += layout.layer_at(stage, place) ? 1 : 0;
    EXPECT_EQ(of_stage, stage == 0 || stage == 3 ? 7 : 8);
    num_layers += of_stage;
  }
  EXPECT_EQ(num_layers, 30);
  EXPECT_FALSE(layout.layer_at(0, 0));
  EXPECT_FALSE(layout.layer_at(3, 7));
  const auto problems =
      make_layout(training, {.tp = 2, .pp = 4, .embedding_as_layer = true}, 16, layout);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].message.find("30 layers, embedding counted as 1 more"), std::string::npos);
}

TEST(Layout, ChunksMayHaveDifferentNumbersOfLayers) {
  Training training = test::scenario().scenario.workload;
  std::get<Transformer>(training.model).num_layers = 14;
  Parallelism parallelism{.tp = 2, .pp = 2, .virtual_stages = 2, .embedding_as_layer = true};
  parallelism.layers_per_chunk = {4, 3, 5, 3};
  training.global_batch = 8 * training.micro_batch;
  Layout layout;
  ASSERT_TRUE(make_layout(training, parallelism, 16, layout).empty());
  EXPECT_EQ(layout.layers_per_chunk, 5);
  // By stage: places of both of its chunks, five each.
  const std::vector<std::vector<int>> expected = {{-1, 0, 1, 2, -1, 6, 7, 8, 9, 10},
                                                  {3, 4, 5, -1, -1, 11, 12, 13, -1, -1}};
  for (int stage = 0; stage < 2; ++stage) {
    std::vector<int> layers;
    for (int place = 0; place < 10; ++place) {
      layers.push_back(layout.layer_at(stage, place).value_or(-1));
    }
    EXPECT_EQ(layers, expected[static_cast<std::size_t>(stage)]);
  }
  double sum = 0.0;
  for (int stage = 0; stage < 2; ++stage) {
    sum += models::sum(parameters_by_layer(training.model,
                                           {.pp = 2,
                                            .virtual_stages = 2,
                                            .layers_per_chunk = 5,
                                            .chunk_starts = layout.chunk_starts,
                                            .embedding_as_layer = true},
                                           stage))
               .total();
  }
  EXPECT_DOUBLE_EQ(sum, static_cast<double>(num_parameters(training.model)));

  parallelism.layers_per_chunk = {4, 3, 5};
  EXPECT_EQ(make_layout(training, parallelism, 16, layout).size(), 2U);  // too few, and their sum
}

/// Megatron's layouts end with a chunk of multi-token prediction and the loss alone.
TEST(Layout, AChunkMayHaveNoLayer) {
  Training training = test::scenario().scenario.workload;
  auto& model = std::get<Transformer>(training.model);
  model.num_layers = 14;
  model.tied_embeddings = false;
  training.global_batch = 8 * training.micro_batch;
  Parallelism parallelism{.tp = 2, .pp = 2, .virtual_stages = 2, .layers_per_chunk = {5, 4, 5, 0}};
  Layout layout;
  ASSERT_TRUE(make_layout(training, parallelism, 16, layout).empty());
  for (int place = 5; place < 10; ++place) EXPECT_FALSE(layout.layer_at(1, place)) << place;
  const double last = models::sum(parameters_by_layer(training.model, layout, 1)).total();
  const double layers =
      4.0 * parameters_of_layer(model, LayerKind::kDense, layout.slices()).total();
  EXPECT_DOUBLE_EQ(last, layers + parameters_behind_layers(model, layout).total());
  parallelism.layers_per_chunk = {5, 4, 4, 0};
  EXPECT_EQ(make_layout(training, parallelism, 16, layout).size(), 1U);  // a layer is left out
}

/// Both directions of DualPipe hold the whole model.
TEST(Layout, MirroredStagesHoldTheSameLayers) {
  const Layout layout{.pp = 4, .schedule = Schedule("dualpipe"), .layers_per_chunk = 2};
  for (int stage = 0; stage < 4; ++stage) {
    for (int place = 0; place < 4; ++place) {
      EXPECT_EQ(layout.layer_at(stage, place), layout.layer_at(3 - stage, (place + 2) % 4));
    }
  }
  EXPECT_EQ(layout.layer_at(1, 0), 2);
  EXPECT_EQ(layout.layer_at(1, 2), 4);
}

/// Against a walk over the schedule's first passes, place by place.
TEST(Layout, MicrobatchesInFlightAreThoseOfTheWarmup) {
  for (const int v : {1, 2, 4}) {
    const Layout layout{.pp = 4,
                        .virtual_stages = v,
                        .num_microbatches = 8,
                        .layers_per_chunk = 2,
                        .embedding_as_layer = true,
                        .loss_as_layer = true};
    for (int stage = 0; stage < 4; ++stage) {
      const int passes = std::min(num_warmup_passes(layout, stage) + 1, 8 * v);
      std::vector<int> in_flight(static_cast<std::size_t>(v));
      for (int k = 0; k < passes; ++k) {
        ++in_flight[static_cast<std::size_t>(v == 1 ? 0 : k % (4 * v) / 4)];
      }
      for (int chunk = 0; chunk < v; ++chunk) {
        EXPECT_EQ(microbatches_in_flight(layout, stage, chunk),
                  in_flight[static_cast<std::size_t>(chunk)])
            << v << " " << stage << " " << chunk;
      }
    }
  }
}

TEST(Layout, ReportsAllProblemsAtOnce) {
  Training training = test::scenario().scenario.workload;
  std::get<Transformer>(training.model).num_kv_heads = 5;
  Layout layout;
  const auto problems = make_layout(training, {.tp = 3, .pp = 5, .virtual_stages = 1}, 30, layout);
  std::set<std::string> keys;
  for (const auto& problem : problems) keys.insert(problem.key);
  EXPECT_TRUE(keys.contains("workload.model.num_kv_heads"));
  EXPECT_TRUE(keys.contains("parallelism.tp"));
  EXPECT_TRUE(keys.contains("parallelism.pp"));
}

TEST(Shards, HoldTheWholeModelWhereEmbeddingAndLossCountAsLayers) {
  Transformer model = transformer_of(test::scenario().scenario.workload);
  model.num_layers = 30;
  const Layout layout{.pp = 4,
                      .virtual_stages = 2,
                      .layers_per_chunk = 4,
                      .embedding_as_layer = true,
                      .loss_as_layer = true};
  double sum = 0.0;
  for (int stage = 0; stage < 4; ++stage)
    sum += models::sum(parameters_by_layer(model, layout, stage)).total();
  EXPECT_DOUBLE_EQ(sum, static_cast<double>(num_parameters(model)));
  EXPECT_DOUBLE_EQ(parameters_by_layer(model, layout, 0).front().total(), 32000.0 * 4096);
  EXPECT_DOUBLE_EQ(parameters_by_layer(model, layout, 3).back().total(), 32000.0 * 4096 + 4096);
}

/// All ranks of the model-parallel grid together hold every matrix once and each norm tp times.
TEST(Shards, TogetherHoldTheWholeModel) {
  for (const auto& [tp, pp, v] :
       {std::tuple{1, 1, 1}, {2, 1, 1}, {4, 2, 1}, {8, 4, 2}, {2, 4, 8}}) {
    const Transformer model = transformer_of(test::scenario().scenario.workload);
    const Layout layout{.tp = tp, .pp = pp, .virtual_stages = v, .layers_per_chunk = 32 / (pp * v)};
    double sum = 0.0;
    for (int stage = 0; stage < pp; ++stage)
      sum += tp * models::sum(parameters_by_layer(model, layout, stage)).total();
    const double norms = (2.0 * 32 + 1) * 4096;
    EXPECT_DOUBLE_EQ(sum, 6'738'415'616.0 + (tp - 1) * norms) << tp << " " << pp << " " << v;
  }
}

TEST(Shards, EmbeddingIsFirstAndHeadLast) {
  const Transformer model = transformer_of(test::scenario().scenario.workload);
  const Layout layout{.tp = 2, .pp = 2, .virtual_stages = 2, .layers_per_chunk = 8};
  const auto first = parameters_by_layer(model, layout, 0);
  const auto last = parameters_by_layer(model, layout, 1);
  const double embedding = 32000.0 * 4096 / 2;
  ASSERT_EQ(first.size(), 16U);
  EXPECT_DOUBLE_EQ(first.front().total() - first[1].total(), embedding);
  EXPECT_DOUBLE_EQ(first.back().total(), first[1].total());
  EXPECT_DOUBLE_EQ(last.back().total() - last[1].total(), embedding + 4096);
  EXPECT_DOUBLE_EQ(last.front().total(), first[1].total());
}

TEST(Shards, ATiedHeadIsCopiedToTheLastStageOnly) {
  Transformer tied = transformer_of(test::scenario().scenario.workload);
  tied.tied_embeddings = true;
  const Layout whole{.layers_per_chunk = 32};
  EXPECT_DOUBLE_EQ(models::sum(parameters_by_layer(tied, whole, 0)).total(),
                   6'738'415'616.0 - 32000.0 * 4096);
  const Layout two{.pp = 2, .layers_per_chunk = 16};
  EXPECT_DOUBLE_EQ(models::sum(parameters_by_layer(tied, two, 0)).total() +
                       models::sum(parameters_by_layer(tied, two, 1)).total(),
                   6'738'415'616.0);
}

}  // namespace
}  // namespace railwright::models
