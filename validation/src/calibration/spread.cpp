// SPDX-License-Identifier: Apache-2.0
#include "spread.hpp"

#include <algorithm>
#include <cmath>

#include "../suites/weighted_quantile.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"

namespace railwright::validation {

namespace {

constexpr double kFinestSpread = 1e-6;
constexpr double kMax = 10.0;

}  // namespace

double model_error(const std::vector<double>& errors, const std::vector<double>& standard_errors,
                   double freedom) {
  const auto squares = [&](double error) {
    double sum = 0.0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      sum += errors[i] * errors[i] / (standard_errors[i] * standard_errors[i] + error * error);
    }
    return sum;
  };
  double low = 0.0;
  double high = kMax;
  if (squares(low) <= freedom) return 0.0;
  while (high - low > kFinestSpread) {
    const double middle = 0.5 * (low + high);
    (squares(middle) > freedom ? low : high) = middle;
  }
  return high;
}

SiteSpread site_spread(const std::vector<double>& errors, std::size_t num_free, bool is_bound) {
  const auto num_runs = static_cast<double>(errors.size());
  double mean = 0.0;
  for (const double error : errors) mean -= error / num_runs;
  double squares = 0.0;
  for (const double error : errors) squares += (error + mean) * (error + mean);
  const auto used = static_cast<double>(std::max<std::size_t>(num_free, 1));
  const double freedom = std::max(0.0, num_runs - used);
  SiteSpread result;
  result.spread = std::sqrt((kPublishedFreedom * kPublishedSpread * kPublishedSpread + squares) /
                            (kPublishedFreedom + freedom));
  const double half =
      simulation::kTenth * result.spread * std::sqrt(1.0 + std::min(1.0, used / num_runs));
  const double centre = is_bound ? mean : 0.0;
  result.band = {.low = std::min(1.0, std::exp(centre - half)),
                 .high = std::max(1.0, std::exp(centre + half))};
  return result;
}

}  // namespace railwright::validation
