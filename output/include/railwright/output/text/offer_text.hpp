// SPDX-License-Identifier: Apache-2.0
// A checked offer as text for a terminal.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/validation/offers/check_offer.hpp"

namespace railwright::output {

/// Says how many claims hold, then each with its figure, what is computed and why it does not hold;
/// those that cannot hold come first.
std::string to_text(const validation::CheckedOffer& offer, const TextStyle& style = {});

}  // namespace railwright::output
