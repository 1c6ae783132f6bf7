// SPDX-License-Identifier: Apache-2.0
#include "one_f_one_b.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

/// Returns the k-th pass of one direction: micro-batches advance in groups of pp through chunk
/// after chunk.
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

}  // namespace

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

int one_f_one_b_warmup(const Layout& layout, int stage) {
  const int total = layout.num_microbatches * layout.virtual_stages;
  const int distance = layout.pp - stage - 1;
  if (layout.virtual_stages == 1) return std::min(total, distance);
  if (layout.num_microbatches == layout.pp) return total;
  return std::min(total, 2 * distance + (layout.virtual_stages - 1) * layout.pp);
}

std::vector<Pass> one_f_one_b_order(const Layout& layout, int stage) {
  return in_turn(layout, one_f_one_b_warmup(layout, stage));
}

double one_f_one_b_bubble(const Layout& layout) {
  const double fill = layout.pp - 1;
  return fill / (static_cast<double>(layout.virtual_stages) * layout.num_microbatches + fill);
}

}  // namespace railwright::models
