// SPDX-License-Identifier: Apache-2.0
#include "weighted_quantile.hpp"

#include <algorithm>

namespace railwright::validation {

std::vector<Weighted> each_alike(const std::map<std::string, std::vector<double>>& families,
                                 const std::string& but) {
  std::vector<Weighted> all;
  for (const auto& [family, values] : families) {
    if (family == but) continue;
    for (const double value : values) {
      all.push_back({value, 1.0 / static_cast<double>(values.size())});
    }
  }
  std::ranges::sort(all, {}, &Weighted::value);
  return all;
}

double quantile(const std::vector<Weighted>& sorted, double share) {
  constexpr double kRounding = 1e-12;  // weights of a family need not add up to 1 exactly
  double all = 0.0;
  for (const Weighted& w : sorted) all += w.weight;
  double reached = 0.0;
  for (const Weighted& w : sorted) {
    reached += w.weight;
    if (reached >= share * all - kRounding) return w.value;
  }
  return sorted.back().value;
}

}  // namespace railwright::validation
