// SPDX-License-Identifier: Apache-2.0
// What an iteration holds in the mean, by hand.
#include "railwright/models/inference/batching.hpp"

#include <gtest/gtest.h>

namespace railwright::models {
namespace {

TEST(BatchingMix, OfShortPromptsHasOneNowAndThen) {
  const auto mix =
      BatchingMix::of(10, {.prompt_tokens = 100, .output_tokens = 100, .max_tokens = 8192});
  EXPECT_EQ(mix.pieces, 1.0);
  EXPECT_EQ(mix.piece, 100.0);
  EXPECT_DOUBLE_EQ(mix.requests, 10 / 100.0);  // each takes 1 + 99 iterations
  EXPECT_DOUBLE_EQ(mix.piece_share, 0.1);
  EXPECT_EQ(mix.pieces_at_once, 1.0);
}

TEST(BatchingMix, OfManyRequestsHasSeveralPiecesInEachIteration) {
  const BatchingLimits limits{.prompt_tokens = 100, .output_tokens = 50, .max_tokens = 8192};
  const auto mix = BatchingMix::of(200, limits);
  EXPECT_DOUBLE_EQ(mix.requests, 4.0);
  EXPECT_EQ(mix.piece_share, 1.0);
  EXPECT_DOUBLE_EQ(mix.pieces_at_once, 4.0);
  EXPECT_DOUBLE_EQ(mix.decodes_beside(limits), 4.0 * 49);
}

TEST(BatchingMix, LongPromptsPassInPieces) {
  const auto mix =
      BatchingMix::of(100, {.prompt_tokens = 20000, .output_tokens = 11, .max_tokens = 2100});
  EXPECT_EQ(mix.pieces, 10.0);
  EXPECT_EQ(mix.piece, 2000.0);
  // 100 requests want 100 * 20010 / 20 tokens an iteration, 2,100 pass.
  EXPECT_DOUBLE_EQ(mix.requests, 2100.0 / 20010.0);
}

// Each iteration of steps ends 4 of 200 requests; their prompts pass before the next, 3 at a time.
TEST(BatchingMix, PromptsAlonePassBetweenTheSteps) {
  const BatchingLimits limits{
      .prompt_tokens = 100, .output_tokens = 51, .max_tokens = 350, .mixes_prompts = false};
  const auto mix = BatchingMix::of(200, limits);
  EXPECT_DOUBLE_EQ(mix.requests, 4.0);
  EXPECT_DOUBLE_EQ(mix.pieces_at_once, 3.0);
  EXPECT_DOUBLE_EQ(mix.piece_share, 4.0 / 3.0);
  EXPECT_EQ(mix.decodes_beside(limits), 0.0);
  const auto few = BatchingMix::of(10, limits);
  EXPECT_DOUBLE_EQ(few.piece_share, 0.2);
  EXPECT_EQ(few.pieces_at_once, 1.0);
}

// No decode step takes room from the pieces of prompts that are all there is.
TEST(BatchingMix, OfPromptsAloneFillsTheIteration) {
  const BatchingLimits limits{.prompt_tokens = 8192, .output_tokens = 1, .max_tokens = 8192};
  const auto whole = BatchingMix::of(1, limits);
  EXPECT_EQ(whole.pieces, 1.0);
  EXPECT_EQ(whole.requests, 1.0);
  EXPECT_EQ(whole.decodes_beside(limits), 0.0);
  const auto eight = BatchingMix::of(8, {.prompt_tokens = 1024, .output_tokens = 1});
  EXPECT_EQ(eight.requests, 8.0);
  EXPECT_EQ(eight.pieces_at_once, 8.0);
  const auto cut = BatchingMix::of(1, {.prompt_tokens = 20000, .output_tokens = 1});
  EXPECT_EQ(cut.pieces, 3.0);
  EXPECT_DOUBLE_EQ(cut.requests, 1.0 / 3.0);
}

TEST(BatchCycle, CountsIterations) {
  const BatchCycle cycle{.batch = 10,
                         .output_tokens = 101,
                         .pieces = 1,
                         .requests = 10.0 / 101,
                         .iteration = core::Duration::from_base(0.04),
                         .with_piece = core::Duration::from_base(0.2)};
  EXPECT_DOUBLE_EQ(cycle.requests_per_s(), 10.0 / (101 * 0.04));
  EXPECT_DOUBLE_EQ(cycle.time_to_first_token().base(), 0.24);
  EXPECT_DOUBLE_EQ(cycle.time_per_output_token().base(), 0.04);
  BatchCycle prepared = cycle;
  prepared.iterations_ahead = 2.0;
  EXPECT_DOUBLE_EQ(prepared.time_to_first_token().base(), 0.28);
}

TEST(BatchCycle, OfOneRequestWaitsForNobody) {
  const BatchCycle cycle{.batch = 1,
                         .output_tokens = 101,
                         .pieces = 1,
                         .requests = 1.0 / 101,
                         .iteration = core::Duration::from_base(3.2 / 101),
                         .with_piece = core::Duration::from_base(0.2)};
  EXPECT_DOUBLE_EQ(cycle.time_to_first_token().base(), 0.2);
  EXPECT_DOUBLE_EQ(cycle.time_per_output_token().base(), 0.03);
}

}  // namespace
}  // namespace railwright::models
