// SPDX-License-Identifier: Apache-2.0
#include "two_waves.hpp"

namespace railwright::models {

std::vector<Pass> two_waves_order(const Layout& layout, int /*stage*/) {
  std::vector<Pass> order;
  const int half = (layout.num_microbatches + 1) / 2;
  const auto wave = [&](int from, int to) {
    for (const PassKind kind : {PassKind::kForward, PassKind::kBackward}) {
      for (int i = from; i < to; ++i) order.push_back({.kind = kind, .microbatch = i});
    }
  };
  wave(0, half);
  wave(half, layout.num_microbatches);
  return order;
}

double two_waves_bubble(const Layout& layout) {
  const double fill = 2.0 * (layout.pp - 1);
  return fill / (layout.num_microbatches + fill);
}

}  // namespace railwright::models
