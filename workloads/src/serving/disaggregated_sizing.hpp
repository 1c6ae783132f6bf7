// SPDX-License-Identifier: Apache-2.0
// Number of replicas for prompts and for answers that carry a load.
#pragma once

#include "disaggregated_parts.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::simulation {

/// Finds the two divisions that carry the load with the fewest nodes. With `inference.load`, those
/// that could be the best are simulated request by request.
Option best_disaggregated(const CheckedInference& checked, const core::Fabric& fabric);

/// Whether prompts and answers on replicas of their own surely need more accelerators than these.
bool apart_need_more(const CheckedInference& checked, const core::Fabric& fabric,
                     std::int64_t accelerators);

}  // namespace railwright::simulation
