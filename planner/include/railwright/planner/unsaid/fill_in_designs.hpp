// SPDX-License-Identifier: Apache-2.0
// Fills in what designs side by side leave unsaid.
#pragma once

#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::planner {

/// Fills in what each design leaves unsaid, such as the division that suits its own nodes. Returns
/// what was chosen: for all designs alike first, then what differs, with the design in its reason.
std::vector<Chosen> fill_in_designs(std::vector<Design>& designs, const core::Catalogue& catalogue);

}  // namespace railwright::planner
