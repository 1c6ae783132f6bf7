// SPDX-License-Identifier: Apache-2.0
// DualPipe: micro-batches enter a pipeline from both ends. [@deepseek_v3]
#pragma once

#include <vector>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

/// All passes of `stage`; needs an even number of stages and at least twice as many micro-batches.
std::vector<Pass> dualpipe_order(const Layout& layout, int stage);

}  // namespace railwright::models
