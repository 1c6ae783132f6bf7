// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/schedule/pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {
namespace {

constexpr double kForward = 1.0;
constexpr double kBackward = 1.75;

std::vector<Layout> grid() {
  std::vector<Layout> layouts;
  for (const int pp : {1, 2, 3, 4, 8}) {
    for (const int v : {1, 2, 3, 5, 20}) {
      for (const int m : {1, 2, 3, 4, 8, 12, 24, 48}) {
        if (v > 1 && (pp == 1 || m % pp != 0)) continue;
        layouts.push_back({.pp = pp, .virtual_stages = v, .num_microbatches = m});
      }
    }
  }
  return layouts;
}

std::string words(const Layout& layout) {
  return "pp " + std::to_string(layout.pp) + " v " + std::to_string(layout.virtual_stages) + " m " +
         std::to_string(layout.num_microbatches);
}

/// Runs the stages' orders with every pass waiting for the one it consumes; free communication.
/// Returns the time of the last pass, or -1 where the stages wait for one another.
double run(const Layout& layout) {
  const auto p = static_cast<std::size_t>(layout.pp);
  const auto v = static_cast<std::size_t>(layout.virtual_stages);
  const auto m = static_cast<std::size_t>(layout.num_microbatches);
  std::vector<std::vector<Pass>> order;
  for (int stage = 0; stage < layout.pp; ++stage) order.push_back(pipeline_order(layout, stage));
  // End of each pass by depth in the model (chunk * p + stage) and micro-batch; -1: not yet run.
  std::vector<double> forward(p * v * m, -1.0);
  std::vector<double> backward(p * v * m, -1.0);
  std::vector<std::size_t> next(p, 0);
  std::vector<double> free_at(p, 0.0);
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::size_t stage = 0; stage < p; ++stage) {
      while (next[stage] < order[stage].size()) {
        const Pass& pass = order[stage][next[stage]];
        const std::size_t depth = static_cast<std::size_t>(pass.chunk) * p + stage;
        const auto at = [&](std::size_t d) {
          return d * m + static_cast<std::size_t>(pass.microbatch);
        };
        double ready = 0.0;
        if (pass.forward) {
          if (depth > 0) ready = forward[at(depth - 1)];
        } else {
          ready = forward[at(depth)];
          if (depth + 1 < p * v && ready >= 0.0) ready = backward[at(depth + 1)];
        }
        if (ready < 0.0) break;
        free_at[stage] = std::max(free_at[stage], ready) + (pass.forward ? kForward : kBackward);
        (pass.forward ? forward : backward)[at(depth)] = free_at[stage];
        ++next[stage];
        moved = true;
      }
    }
  }
  for (std::size_t stage = 0; stage < p; ++stage) {
    if (next[stage] != order[stage].size()) return -1.0;
  }
  return std::ranges::max(free_at);
}

TEST(Pipeline, RunsEveryPassOnceForwardBeforeBackward) {
  for (const Layout& layout : grid()) {
    for (int stage = 0; stage < layout.pp; ++stage) {
      const auto order = pipeline_order(layout, stage);
      const auto m = static_cast<std::size_t>(layout.num_microbatches);
      const std::size_t total = m * static_cast<std::size_t>(layout.virtual_stages);
      ASSERT_EQ(order.size(), 2 * total) << words(layout);
      std::vector<int> seen(total, 0);
      for (const Pass& pass : order) {
        const std::size_t i =
            static_cast<std::size_t>(pass.chunk) * m + static_cast<std::size_t>(pass.microbatch);
        ASSERT_LT(i, total) << words(layout);
        // 0: nothing yet, 1: forward done, 2: both done.
        ASSERT_EQ(seen[i], pass.forward ? 0 : 1) << words(layout) << " stage " << stage;
        ++seen[i];
      }
      EXPECT_TRUE(std::ranges::all_of(seen, [](int s) { return s == 2; })) << words(layout);
    }
  }
}

TEST(Pipeline, StagesNeverWaitForOneAnother) {
  for (const Layout& layout : grid()) EXPECT_GT(run(layout), 0.0) << words(layout);
}

TEST(Pipeline, BubbleOfEqualStagesIsTheIdealOne) {
  for (const Layout& layout : grid()) {
    const double time = run(layout);
    const double busy = layout.num_microbatches * layout.virtual_stages * (kForward + kBackward);
    const double p = layout.pp;
    const double ideal = (p - 1) / (layout.virtual_stages * layout.num_microbatches + p - 1);
    EXPECT_NEAR((time - busy) / time, ideal, 1e-12) << words(layout);
    EXPECT_NEAR(bubble_fraction(layout), ideal, 1e-15) << words(layout);
  }
}

TEST(Pipeline, HoldsOneMicrobatchMoreThanItWarmsUp) {
  for (const Layout& layout : grid()) {
    for (int stage = 0; stage < layout.pp; ++stage) {
      int in_flight = 0;
      int most = 0;
      int warmup = 0;
      bool warm = false;
      for (const Pass& pass : pipeline_order(layout, stage)) {
        warm = warm || !pass.forward;
        if (!warm) ++warmup;
        in_flight += pass.forward ? 1 : -1;
        most = std::max(most, in_flight);
      }
      const int total = layout.num_microbatches * layout.virtual_stages;
      EXPECT_EQ(most, std::min(num_warmup_passes(layout, stage) + 1, total)) << words(layout);
      // The first steady pair begins with one more forward pass.
      EXPECT_EQ(warmup, most) << words(layout);
    }
  }
}

TEST(Pipeline, WarmsUpAsMegatronDoes) {
  const Layout plain{.pp = 4, .virtual_stages = 1, .num_microbatches = 8};
  const Layout interleaved{.pp = 4, .virtual_stages = 2, .num_microbatches = 8};
  const Layout just_filled{.pp = 4, .virtual_stages = 2, .num_microbatches = 4};
  const int plain_warmup[] = {3, 2, 1, 0};
  const int interleaved_warmup[] = {10, 8, 6, 4};  // 2 (p - i - 1) + (v - 1) p
  for (int stage = 0; stage < 4; ++stage) {
    EXPECT_EQ(num_warmup_passes(plain, stage), plain_warmup[stage]);
    EXPECT_EQ(num_warmup_passes(interleaved, stage), interleaved_warmup[stage]);
    EXPECT_EQ(num_warmup_passes(just_filled, stage), 8);
  }
}

/// The example of Megatron's second paper: four devices, two chunks each, eight micro-batches.
TEST(Pipeline, InterleavesInGroupsOfStages) {
  const Layout layout{.pp = 4, .virtual_stages = 2, .num_microbatches = 8};
  const auto order = pipeline_order(layout, 3);
  // Warm-up of the last device: micro-batches 0-3 of chunk 0, then one forward, one backward.
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(order[static_cast<std::size_t>(i)].forward);
    EXPECT_EQ(order[static_cast<std::size_t>(i)].microbatch, i);
    EXPECT_EQ(order[static_cast<std::size_t>(i)].chunk, 0);
  }
  EXPECT_TRUE(order[4].forward);
  EXPECT_EQ(order[4].microbatch, 0);
  EXPECT_EQ(order[4].chunk, 1);
  EXPECT_FALSE(order[5].forward);
  EXPECT_EQ(order[5].microbatch, 0);
  EXPECT_EQ(order[5].chunk, 1);
}

}  // namespace
}  // namespace railwright::models
