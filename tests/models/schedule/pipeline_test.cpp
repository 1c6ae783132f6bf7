// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/schedule/pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {
namespace {

/// Of one pass.
struct Times {
  double forward = 1.0;
  double input_gradient = 0.75;
  double weight_gradient = 1.0;

  [[nodiscard]] double backward() const { return input_gradient + weight_gradient; }
  [[nodiscard]] double of(PassKind kind) const {
    switch (kind) {
      case PassKind::kForward:
        return forward;
      case PassKind::kBackward:
        return backward();
      case PassKind::kInputGradient:
        return input_gradient;
      case PassKind::kWeightGradient:
        return weight_gradient;
    }
    return 0.0;
  }
};

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

std::vector<Layout> grid_of(Schedule schedule) {
  std::vector<Layout> layouts;
  for (Layout layout : grid()) {
    if (layout.virtual_stages > 1) continue;
    if (schedule->splits_backward && layout.pp == 1) continue;
    if (schedule == Schedule("dualpipe") &&
        (layout.pp % 2 != 0 || layout.num_microbatches < 2 * layout.pp)) {
      continue;
    }
    layout.schedule = schedule;
    layouts.push_back(layout);
  }
  return layouts;
}

std::vector<Layout> all_schedules() {
  std::vector<Layout> layouts = grid();
  for (const Schedule schedule : {Schedule("gpipe"), Schedule("zb_h1"), Schedule("dualpipe")}) {
    for (const Layout& layout : grid_of(schedule)) layouts.push_back(layout);
  }
  return layouts;
}

std::string words(const Layout& layout) {
  return std::string(core::to_string(layout.schedule)) + " pp " + std::to_string(layout.pp) +
         " v " + std::to_string(layout.virtual_stages) + " m " +
         std::to_string(layout.num_microbatches);
}

bool is_forward(const Pass& pass) { return pass.kind == PassKind::kForward; }

/// When the passes of a model's chunks end; -1 of those that have not run.
class Ends {
 public:
  explicit Ends(const Layout& layout) : layout_(layout) {
    const auto size = static_cast<std::size_t>(layout.pp) *
                      static_cast<std::size_t>(layout.chunks_per_stage()) *
                      static_cast<std::size_t>(layout.num_microbatches);
    forward_.assign(size, -1.0);
    backward_.assign(size, -1.0);
  }

  /// When a pass of `stage` may start; -1 if it cannot yet.
  [[nodiscard]] double ready(int stage, const Pass& pass) const {
    const int depth = layout_.model_chunk(stage, pass.chunk);
    const int deepest = layout_.pp * layout_.virtual_stages - 1;
    if (pass.kind == PassKind::kWeightGradient) return backward_[at(depth, pass)];
    if (is_forward(pass)) return depth == 0 ? 0.0 : forward_[at(depth - 1, pass)];
    const double own = forward_[at(depth, pass)];
    if (depth == deepest || own < 0.0) return own;
    const double next = backward_[at(depth + 1, pass)];
    return next < 0.0 ? next : std::max(own, next);
  }
  void set(int stage, const Pass& pass, double time) {
    if (pass.kind == PassKind::kWeightGradient) return;
    auto& ends = is_forward(pass) ? forward_ : backward_;
    ends[at(layout_.model_chunk(stage, pass.chunk), pass)] = time;
  }

 private:
  /// Micro-batches of both directions have numbers of their own.
  [[nodiscard]] std::size_t at(int depth, const Pass& pass) const {
    const int direction = layout_.num_directions() == 2 ? pass.chunk : 0;
    const std::int64_t row = std::int64_t{direction} * layout_.pp * layout_.virtual_stages + depth;
    return static_cast<std::size_t>(row * layout_.num_microbatches + pass.microbatch);
  }

  const Layout& layout_;
  std::vector<double> forward_;
  std::vector<double> backward_;
};

/// Runs the stages' orders with every pass waiting for the one it consumes; free communication.
/// Returns the time of the last pass, or -1 where the stages wait for one another.
double run(const Layout& layout, const Times& times = {}) {
  const auto p = static_cast<std::size_t>(layout.pp);
  std::vector<std::vector<Pass>> order;
  for (int stage = 0; stage < layout.pp; ++stage) order.push_back(pipeline_order(layout, stage));
  Ends ends(layout);
  std::vector<std::size_t> next(p, 0);
  std::vector<double> free_at(p, 0.0);
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::size_t stage = 0; stage < p; ++stage) {
      while (next[stage] < order[stage].size()) {
        const auto passes =
            std::span(order[stage])
                .subspan(next[stage], order[stage][next[stage]].beside_next ? 2 : 1);
        bool all_ready = true;
        double start = free_at[stage];
        double time = 0.0;
        for (const Pass& pass : passes) {
          const double ready = ends.ready(static_cast<int>(stage), pass);
          all_ready = all_ready && ready >= 0.0;
          start = std::max(start, ready);
          time += times.of(pass.kind);
        }
        if (!all_ready) break;
        free_at[stage] = start + time;
        for (const Pass& pass : passes) ends.set(static_cast<int>(stage), pass, start + time);
        next[stage] += passes.size();
        moved = true;
      }
    }
  }
  for (std::size_t stage = 0; stage < p; ++stage) {
    if (next[stage] != order[stage].size()) return -1.0;
  }
  return std::ranges::max(free_at);
}

/// Of all passes of a stage.
double busy(const Layout& layout, const Times& times = {}) {
  return layout.num_microbatches * layout.virtual_stages * (times.forward + times.backward());
}

TEST(Pipeline, RunsEveryPassOnceInTheOrderOfItsParts) {
  for (const Layout& layout : all_schedules()) {
    for (int stage = 0; stage < layout.pp; ++stage) {
      const auto m = static_cast<std::size_t>(layout.microbatches_per_chunk());
      const std::size_t total = m * static_cast<std::size_t>(layout.chunks_per_stage());
      // 0: nothing yet, 1: forward done, 2: gradients of inputs done, 3: all done.
      std::vector<int> seen(total, 0);
      for (const Pass& pass : pipeline_order(layout, stage)) {
        const std::size_t i =
            static_cast<std::size_t>(pass.chunk) * m + static_cast<std::size_t>(pass.microbatch);
        ASSERT_LT(i, total) << words(layout);
        const bool is_weight = pass.kind == PassKind::kWeightGradient;
        ASSERT_EQ(seen[i], is_forward(pass) ? 0 : is_weight ? 2 : 1) << words(layout);
        seen[i] = is_forward(pass) ? 1 : pass.kind == PassKind::kInputGradient ? 2 : 3;
      }
      EXPECT_TRUE(std::ranges::all_of(seen, [](int s) { return s == 3; })) << words(layout);
    }
  }
}

TEST(Pipeline, StagesNeverWaitForOneAnother) {
  for (const Layout& layout : all_schedules()) EXPECT_GT(run(layout), 0.0) << words(layout);
}

TEST(Pipeline, BubbleOfEqualStagesIsTheIdealOne) {
  for (const Layout& layout : grid()) {
    const double time = run(layout);
    const double p = layout.pp;
    const double ideal = (p - 1) / (layout.virtual_stages * layout.num_microbatches + p - 1);
    EXPECT_NEAR((time - busy(layout)) / time, ideal, 1e-12) << words(layout);
    EXPECT_NEAR(bubble_fraction(layout), ideal, 1e-15) << words(layout);
  }
}

/// (p - 1) (F + B - W), a third of 1F1B's where all three take as long [@qi2023zero]; with fewer
/// micro-batches than stages no more than m - 1 weight gradients fill it.
TEST(Pipeline, WeightGradientsFillTheBubbleOfZbH1) {
  std::vector<Layout> layouts = grid_of(Schedule("zb_h1"));
  for (const auto& [pp, m] : {std::pair{2, 1}, {4, 1}, {4, 3}, {8, 2}, {8, 7}, {16, 5}}) {
    layouts.push_back({.pp = pp, .schedule = Schedule("zb_h1"), .num_microbatches = m});
  }
  for (const Times times : {Times{1.0, 1.0, 1.0}, Times{1.0, 1.1, 0.9}, Times{1.0, 1.3, 0.8}}) {
    for (const Layout& layout : layouts) {
      const double idle = run(layout, times) - busy(layout, times);
      const int filled = std::min(layout.pp, layout.num_microbatches) - 1;
      EXPECT_NEAR(
          idle,
          (layout.pp - 1) * (times.forward + times.input_gradient) - filled * times.weight_gradient,
          1e-9)
          << words(layout);
    }
  }
  for (const Layout& layout : layouts) {
    const Times alike{1.0, 1.0, 1.0};
    const double time = run(layout, alike);
    EXPECT_NEAR(bubble_fraction(layout), (time - busy(layout, alike)) / time, 1e-12);
  }
}

/// (p/2 - 1) (F&B + B - 3W) with whole backward passes B. [@deepseek_v3]
TEST(Pipeline, BubbleOfDualPipeIsThePublishedOne) {
  for (const Layout& layout : grid_of(Schedule("dualpipe"))) {
    const Times alike{1.0, 1.0, 1.0};
    const double time = run(layout, alike);
    const double idle = time - busy(layout, alike);
    EXPECT_NEAR(idle, (layout.pp / 2.0 - 1) * (3.0 + 2.0 - 3.0), 1e-9) << words(layout);
    EXPECT_NEAR(bubble_fraction(layout), idle / time, 1e-12) << words(layout);
  }
}

/// What a stage holds when it holds most, by walking its passes.
TEST(Pipeline, CountsMicrobatchesInFlight) {
  for (const Layout& layout : all_schedules()) {
    for (int stage = 0; stage < layout.pp; ++stage) {
      int in_flight = 0;
      int most = 0;
      for (const Pass& pass : pipeline_order(layout, stage)) {
        if (pass.kind == PassKind::kInputGradient) continue;
        in_flight += is_forward(pass) ? 1 : -1;
        most = std::max(most, in_flight);
      }
      int counted = 0;
      for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
        counted += microbatches_in_flight(layout, stage, chunk);
      }
      EXPECT_EQ(counted, most) << words(layout) << " stage " << stage;
      if (layout.schedule == Schedule("zb_h1")) {
        EXPECT_EQ(most, std::min(layout.pp, layout.num_microbatches)) << words(layout);
      }
      if (layout.schedule == Schedule("dualpipe")) {
        EXPECT_EQ(most, layout.pp + 1) << words(layout);
      }
    }
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
        warm = warm || !is_forward(pass);
        if (!warm) ++warmup;
        in_flight += is_forward(pass) ? 1 : -1;
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
    EXPECT_TRUE(is_forward(order[static_cast<std::size_t>(i)]));
    EXPECT_EQ(order[static_cast<std::size_t>(i)].microbatch, i);
    EXPECT_EQ(order[static_cast<std::size_t>(i)].chunk, 0);
  }
  EXPECT_TRUE(is_forward(order[4]));
  EXPECT_EQ(order[4].microbatch, 0);
  EXPECT_EQ(order[4].chunk, 1);
  EXPECT_FALSE(is_forward(order[5]));
  EXPECT_EQ(order[5].microbatch, 0);
  EXPECT_EQ(order[5].chunk, 1);
}

}  // namespace
}  // namespace railwright::models
