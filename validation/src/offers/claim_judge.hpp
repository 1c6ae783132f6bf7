// SPDX-License-Identifier: Apache-2.0
// Decides on a claim of an offer: it holds, it depends on what is left open, or it cannot hold.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "offer.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/validation/offers/check_offer.hpp"

namespace railwright::validation {

/// Returns the words of a claim, else its id.
std::string name_of(const OfferedClaim& claim);

/// Returns the side on which a prediction is at least as good as a figure: more bytes, tokens or
/// FLOPs a second and more capacity are better, and less of anything else.
Bound wanted_of(std::string_view output, const core::Exponents& exponents);

/// Judges a claim by its row; `scenarios` has the claim's, and those that expressions name.
CheckedClaim judged_claim(const OfferedClaim& claim, const ValidationCase& row,
                          const std::map<std::string, core::Node>& scenarios,
                          const core::Catalogue& catalogue);

}  // namespace railwright::validation
