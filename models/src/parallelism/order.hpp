// SPDX-License-Identifier: Apache-2.0
// Which rank is next to which: the dimensions of parallelism, the fastest first.
#pragma once

#include <optional>
#include <string_view>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// Fills in the strides of a layout whose sizes are known; false where `order` does not name tp,
/// cp, ep, dp and pp once each.
bool apply_order(std::string_view order, Layout& layout);

}  // namespace railwright::models
