// SPDX-License-Identifier: Apache-2.0
// Which algorithm and protocol the library takes. [@nccl]
#pragma once

#include "library.hpp"

namespace railwright::models {

/// What the tuning names for all-reduces, where it can run; else the fastest in the library's
/// model.
CollectiveChoice choose(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                        CollectiveOp op, double bytes);

}  // namespace railwright::models
