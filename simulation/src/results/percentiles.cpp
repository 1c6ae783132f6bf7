// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/percentiles.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::simulation {

core::Duration quantile(std::vector<double>& values, double share) {
  const auto place =
      static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size())) - 1.0);
  const auto nth = values.begin() + std::max<std::ptrdiff_t>(place, 0);
  std::nth_element(values.begin(), nth, values.end());
  return core::Duration::from_base(*nth);
}

Percentiles percentiles(std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0.0;
  for (const double value : values) sum += value;
  return {.mean = core::Duration::from_base(sum / static_cast<double>(values.size())),
          .p50 = quantile(values, 0.5),
          .p90 = quantile(values, 0.9),
          .p99 = quantile(values, 0.99)};
}

}  // namespace railwright::simulation
