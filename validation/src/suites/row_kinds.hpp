// SPDX-License-Identifier: Apache-2.0
// Determines the kind of a row, which says how significant agreement with its figure is.
#pragma once

#include "claims.hpp"

namespace railwright::validation {

/// Returns the kind that the claim states. Else derives it from the claim's role, bound,
/// combination and quantity, and from whether its scenario holds the figure itself.
RowKind kind_of(const RunClaim& claim, const ValidationCase& c);

}  // namespace railwright::validation
