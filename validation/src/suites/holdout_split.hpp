// SPDX-License-Identifier: Apache-2.0
// Decides to which rows numbers may be fitted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::validation {

/// Draw of the rows to fit numbers to, made before the first fit.
struct Draw {
  std::uint64_t seed = 0;
  double share = 0.2;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("seed", &Draw::seed, "Seed of the draw."),
        field("share", &Draw::share, "Largest share of all rows that is drawn.", core::fraction));
  }
};

/// A row by its family and its configuration, which the draw does not split.
struct HoldoutRow {
  std::string family;
  std::string configuration;  ///< model and device, or a product
};

/// Returns whether each row is drawn. Shuffles each family's configurations with a random stream of
/// its own, so that more rows in one family change nothing in another. Draws them while they stay
/// within the share of the family's rows. A family of several configurations without a draw then
/// gets the first that keeps the share of all rows.
std::vector<bool> draw_holdout(const std::vector<HoldoutRow>& rows, const Draw& draw);

}  // namespace railwright::validation
