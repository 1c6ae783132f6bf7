// SPDX-License-Identifier: Apache-2.0
#include "gpipe.hpp"

namespace railwright::models {

int gpipe_warmup(const Layout& layout, int /*stage*/) { return layout.num_microbatches; }

std::vector<Pass> gpipe_order(const Layout& layout, int stage) {
  return in_turn(layout, gpipe_warmup(layout, stage));
}

}  // namespace railwright::models
