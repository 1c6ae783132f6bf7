// SPDX-License-Identifier: Apache-2.0
// How far predictions of a fitted site are off.
#pragma once

#include <cstddef>
#include <vector>

#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// The t at which the sum of errors^2 / (standard_errors^2 + t^2) is `freedom`; zero where it is
/// less without. By bisection.
double model_error(const std::vector<double>& errors, const std::vector<double>& standard_errors,
                   double freedom);

struct SiteSpread {
  double spread = 0.0;
  Band band;
};

/// As calibrate_site() says; `errors` are ln(predicted / measured). `is_bound`: no factor could
/// take up their mean.
SiteSpread site_spread(const std::vector<double>& errors, std::size_t num_free, bool is_bound);

}  // namespace railwright::validation
