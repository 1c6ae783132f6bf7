// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/schedule/pipeline.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

/// Returns the micro-batches in flight of each chunk when all chunks together have most.
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
  return layout.schedule->order(layout, stage);
}

int num_warmup_passes(const Layout& layout, int stage) {
  return layout.schedule->num_warmup_passes(layout, stage);
}

int microbatches_in_flight(const Layout& layout, int stage, int chunk) {
  if (layout.schedule->num_warmup_passes == nullptr) {
    return max_in_flight(layout, stage)[static_cast<std::size_t>(chunk)];
  }
  const int passes = std::min(num_warmup_passes(layout, stage) + 1,
                              layout.num_microbatches * layout.virtual_stages);
  // Interleaved, micro-batches pass in groups of pp through chunk after chunk.
  const int group = layout.virtual_stages == 1 ? 1 : layout.pp;
  const int turn = group * layout.virtual_stages;
  return passes / turn * group + std::clamp(passes % turn - chunk * group, 0, group);
}

double bubble_fraction(const Layout& layout) { return layout.schedule->bubble_fraction(layout); }

}  // namespace railwright::models
