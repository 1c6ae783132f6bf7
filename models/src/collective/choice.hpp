// SPDX-License-Identifier: Apache-2.0
// The library's choice of algorithm and protocol. [@nccl]
#pragma once

#include "library.hpp"

namespace railwright::models {

/// Chooses the algorithm that the tuning names for all-reduces, if it can run; else the fastest in
/// the library's model. Pairwise operations use LL for small parts, else Simple.
CollectiveChoice choose(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                        CollectiveOp op, double bytes);

}  // namespace railwright::models
