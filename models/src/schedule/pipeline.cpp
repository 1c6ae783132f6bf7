// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/schedule/pipeline.hpp"

#include <algorithm>

#include "dualpipe.hpp"

namespace railwright::models {

namespace {

/// The k-th pass of one direction: micro-batches advance in groups of pp through chunk after chunk.
Pass nth_interleaved(const Layout& layout, int k, PassKind kind) {
  const int group = layout.pp * layout.virtual_stages;
  const int chunk = (k % group) / layout.pp;
  return {.kind = kind,
          .microbatch = (k / group) * layout.pp + k % layout.pp,
          .chunk = kind == PassKind::kForward ? chunk : layout.virtual_stages - 1 - chunk};
}

Pass nth_pass(const Layout& layout, int k, PassKind kind) {
  if (layout.virtual_stages == 1) return {.kind = kind, .microbatch = k};
  return nth_interleaved(layout, k, kind);
}

/// Forward and backward passes in turn, behind `warmup` forward passes.
std::vector<Pass> in_turn(const Layout& layout, int warmup) {
  const int total = layout.num_microbatches * layout.virtual_stages;
  std::vector<Pass> order;
  order.reserve(2 * static_cast<std::size_t>(total));
  for (int k = 0; k < total + warmup; ++k) {
    if (k < total) order.push_back(nth_pass(layout, k, PassKind::kForward));
    if (k >= warmup) order.push_back(nth_pass(layout, k - warmup, PassKind::kBackward));
  }
  return order;
}

std::vector<Pass> zb_h1_order(const Layout& layout, int stage) {
  std::vector<Pass> order;
  order.reserve(3 * static_cast<std::size_t>(layout.num_microbatches));
  int weight_gradients = 0;
  const auto add_weight_gradient = [&] {
    order.push_back({.kind = PassKind::kWeightGradient, .microbatch = weight_gradients++});
  };
  for (Pass pass : in_turn(layout, num_warmup_passes(layout, stage))) {
    if (pass.kind == PassKind::kBackward) pass.kind = PassKind::kInputGradient;
    order.push_back(pass);
    if (pass.kind == PassKind::kInputGradient && pass.microbatch >= stage) add_weight_gradient();
  }
  while (weight_gradients < layout.num_microbatches) add_weight_gradient();
  return order;
}

/// Micro-batches in flight of each chunk when all chunks together have most.
std::vector<int> max_in_flight(const Layout& layout, int stage) {
  std::vector<int> in_flight(static_cast<std::size_t>(layout.chunks_per_stage()), 0);
  std::vector<int> most = in_flight;
  int total = 0;
  int largest = 0;
  for (const Pass& pass : pipeline_order(layout, stage)) {
    if (pass.kind == PassKind::kInputGradient) continue;
    const int change = pass.kind == PassKind::kForward ? 1 : -1;
    in_flight[static_cast<std::size_t>(pass.chunk)] += change;
    total += change;
    if (total <= largest) continue;
    largest = total;
    most = in_flight;
  }
  return most;
}

}  // namespace

std::vector<Pass> pipeline_order(const Layout& layout, int stage) {
  if (layout.schedule == Schedule::kDualPipe) return dualpipe_order(layout, stage);
  if (layout.schedule == Schedule::kZbH1) return zb_h1_order(layout, stage);
  return in_turn(layout, num_warmup_passes(layout, stage));
}

int num_warmup_passes(const Layout& layout, int stage) {
  const int total = layout.num_microbatches * layout.virtual_stages;
  if (layout.schedule == Schedule::kGpipe) return total;
  const int distance = layout.pp - stage - 1;
  if (layout.virtual_stages == 1) return std::min(total, distance);
  if (layout.num_microbatches == layout.pp) return total;
  return std::min(total, 2 * distance + (layout.virtual_stages - 1) * layout.pp);
}

int microbatches_in_flight(const Layout& layout, int stage, int chunk) {
  if (splits_backward(layout.schedule)) {
    return max_in_flight(layout, stage)[static_cast<std::size_t>(chunk)];
  }
  const int passes = std::min(num_warmup_passes(layout, stage) + 1,
                              layout.num_microbatches * layout.virtual_stages);
  // Interleaved, micro-batches pass in groups of pp through chunk after chunk.
  const int group = layout.virtual_stages == 1 ? 1 : layout.pp;
  const int turn = group * layout.virtual_stages;
  return passes / turn * group + std::clamp(passes % turn - chunk * group, 0, group);
}

double bubble_fraction(const Layout& layout) {
  const double fill = layout.pp - layout.num_directions();
  const double passes =
      splits_backward(layout.schedule) ? 3.0 : static_cast<double>(layout.virtual_stages);
  return fill / (passes * layout.num_microbatches + fill);
}

}  // namespace railwright::models
