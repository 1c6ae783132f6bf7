// SPDX-License-Identifier: Apache-2.0
// Spread and interval of predictions for a fitted site.
#pragma once

#include <cstddef>
#include <vector>

#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Finds by bisection the t at which the sum of errors^2 / (standard_errors^2 + t^2) is `freedom`;
/// zero if the sum is smaller without t.
double model_error(const std::vector<double>& errors, const std::vector<double>& standard_errors,
                   double freedom);

struct SiteSpread {
  double spread = 0.0;
  Band band;
};

/// Computes spread and interval as in calibrate_site(). `errors` are ln(predicted / measured).
/// `is_bound`: no factor could absorb their mean.
SiteSpread site_spread(const std::vector<double>& errors, std::size_t num_free, bool is_bound);

}  // namespace railwright::validation
