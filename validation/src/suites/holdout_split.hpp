// SPDX-License-Identifier: Apache-2.0
// Which rows numbers may be fitted to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::validation {

/// Rows to fit numbers to, drawn before the first fit.
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

/// A row by its family and what no two sides of the draw may have in common.
struct DrawRow {
  std::string family;
  std::string configuration;  ///< model and device
};

/// Whether each row is drawn. Each family's configurations are shuffled by a stream of its own, so
/// that more rows in one family change nothing in another, and taken as long as no more than the
/// share of the family's rows is. A family of several configurations that got none then gets the
/// first that leaves the share of all rows kept.
std::vector<bool> draw_rows(const std::vector<DrawRow>& rows, const Draw& draw);

}  // namespace railwright::validation
