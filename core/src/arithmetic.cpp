// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/arithmetic.hpp"

#include <algorithm>

namespace railwright::core {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace railwright::core
