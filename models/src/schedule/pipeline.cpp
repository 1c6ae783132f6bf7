// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

namespace {

/// The k-th pass of one direction: micro-batches advance in groups of pp through chunk after chunk.
Pass nth_pass(const Layout& layout, int k, bool forward) {
  const int group = layout.pp * layout.virtual_stages;
  const int chunk = (k % group) / layout.pp;
  return {.forward = forward,
          .microbatch = (k / group) * layout.pp + k % layout.pp,
          .chunk = forward ? chunk : layout.virtual_stages - 1 - chunk};
}

Pass nth_pass_of(const Layout& layout, int k, bool forward) {
  if (layout.virtual_stages == 1) return {.forward = forward, .microbatch = k, .chunk = 0};
  return nth_pass(layout, k, forward);
}

}  // namespace

std::vector<Pass> pipeline_order(const Layout& layout, int stage) {
  const int total = layout.num_microbatches * layout.virtual_stages;
  const int warmup = num_warmup_passes(layout, stage);
  std::vector<Pass> order;
  order.reserve(2 * static_cast<std::size_t>(total));
  for (int k = 0; k < warmup; ++k) order.push_back(nth_pass_of(layout, k, true));
  for (int k = warmup; k < total; ++k) {
    order.push_back(nth_pass_of(layout, k, true));
    order.push_back(nth_pass_of(layout, k - warmup, false));
  }
  for (int k = total - warmup; k < total; ++k) order.push_back(nth_pass_of(layout, k, false));
  return order;
}

double bubble_fraction(const Layout& layout) {
  const double fill = layout.pp - 1;
  return fill / (static_cast<double>(layout.virtual_stages) * layout.num_microbatches + fill);
}

}  // namespace railwright::models
