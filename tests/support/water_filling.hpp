// SPDX-License-Identifier: Apache-2.0
// Max-min fairness as the textbook says it, slow and in long double, to compare the solver with.
#pragma once

#include <limits>
#include <vector>

#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core::testing {

struct ReferenceFlow {
  std::vector<LinkUse> route;
  double ceiling = std::numeric_limits<double>::infinity();
  int multiplicity = 1;
  double weight = 1.0;
};

/// Rates of all flows over links of these capacities: in each round every flow that is not fixed
/// rises to the lowest level at which some link is full or some ceiling is met.
inline std::vector<long double> water_filling(const std::vector<double>& capacities,
                                              const std::vector<ReferenceFlow>& flows) {
  constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
  std::vector<long double> rates(flows.size(), -1.0L);
  for (;;) {
    std::vector<long double> left(capacities.begin(), capacities.end());
    std::vector<long double> wanted(capacities.size(), 0.0L);
    bool any_open = false;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      for (const LinkUse& use : flows[f].route) {
        const auto l = static_cast<std::size_t>(use.link);
        const long double load = static_cast<long double>(use.coefficient) * flows[f].multiplicity;
        if (rates[f] < 0.0L) {
          wanted[l] += load * flows[f].weight;
        } else {
          left[l] -= load * rates[f];
        }
      }
      any_open = any_open || rates[f] < 0.0L;
    }
    if (!any_open) return rates;
    const auto level_of = [&](std::size_t f) {
      long double level = static_cast<long double>(flows[f].ceiling) / flows[f].weight;
      for (const LinkUse& use : flows[f].route) {
        const auto l = static_cast<std::size_t>(use.link);
        if (use.coefficient == 0.0) continue;
        level = std::min(level, std::max(0.0L, left[l]) / wanted[l]);
      }
      return level;
    };
    long double level = kInfinity;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (rates[f] < 0.0L) level = std::min(level, level_of(f));
    }
    std::vector<std::size_t> reached;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (rates[f] < 0.0L && level_of(f) <= level * (1.0L + 1e-15L)) reached.push_back(f);
    }
    for (const std::size_t f : reached) rates[f] = level * flows[f].weight;
  }
}

}  // namespace railwright::core::testing
