// SPDX-License-Identifier: Apache-2.0
#include "zb_h1.hpp"

#include <algorithm>
#include <cstddef>

#include "one_f_one_b.hpp"

namespace railwright::models {

std::vector<Pass> zb_h1_order(const Layout& layout, int stage) {
  std::vector<Pass> order;
  order.reserve(3 * static_cast<std::size_t>(layout.num_microbatches));
  int weight_gradients = 0;
  const auto add_weight_gradient = [&] {
    order.push_back({.kind = PassKind::kWeightGradient, .microbatch = weight_gradients++});
  };
  for (Pass pass : in_turn(layout, one_f_one_b_warmup(layout, stage))) {
    if (pass.kind == PassKind::kBackward) pass.kind = PassKind::kInputGradient;
    order.push_back(pass);
    if (pass.kind == PassKind::kInputGradient && pass.microbatch >= stage) add_weight_gradient();
  }
  while (weight_gradients < layout.num_microbatches) add_weight_gradient();
  return order;
}

double zb_h1_bubble(const Layout& layout) {
  const int filled = std::min(layout.pp, layout.num_microbatches) - 1;
  const double fill = 2 * (layout.pp - 1) - filled;
  return fill / (3.0 * layout.num_microbatches + fill);
}

}  // namespace railwright::models
