// SPDX-License-Identifier: Apache-2.0
// A checked offer as JSON text.
#pragma once

#include <string>

#include "railwright/validation/offers/check_offer.hpp"

namespace railwright::output {

/// Writes the claims in the order of the file, numbers in the unit that each names, in SI.
std::string to_json(const validation::CheckedOffer& offer);

}  // namespace railwright::output
