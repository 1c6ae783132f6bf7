// SPDX-License-Identifier: Apache-2.0
// A price file to fill in.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/prices/missing_prices.hpp"

namespace railwright::output {

/// Returns the keys of `prices` that are missing, each with an empty value and the number of pieces
/// behind it, the required keys too unless the scenario has prices. `date` goes into the
/// description. Pieces that no product is known of stand in a comment: no price can name them.
std::string price_template(const planner::MissingPrices& missing, const core::Catalogue& catalogue,
                           std::string_view date);

}  // namespace railwright::output
