// SPDX-License-Identifier: Apache-2.0
// The order of ranks: the dimensions of parallelism, the fastest first.
#pragma once

#include <optional>
#include <string_view>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// Fills in the strides of a layout whose sizes are known; returns false unless `order` names tp,
/// cp, ep, dp and pp once each.
bool apply_order(std::string_view order, Layout& layout);

}  // namespace railwright::models
