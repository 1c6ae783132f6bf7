// SPDX-License-Identifier: Apache-2.0
// What agreement of a row with its figure is worth.
#pragma once

#include "claims.hpp"

namespace railwright::validation {

/// A claim that says its kind has it; else it is known from the claim's role, bound, combination
/// and quantity, and from whether its scenario holds the figure itself.
RowKind kind_of(const RunClaim& claim, const ValidationCase& c);

}  // namespace railwright::validation
