// SPDX-License-Identifier: Apache-2.0
// Quantiles over families with equal weights, whatever their number of rows.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace railwright::validation {

/// A value with the weight of `weight` rows.
struct Weighted {
  double value = 0.0;
  double weight = 0.0;
};

/// Returns the values of all families except `but`, sorted; each family has the weight 1.
std::vector<Weighted> each_alike(const std::map<std::string, std::vector<double>>& families,
                                 const std::string& but = {});

/// Returns the first value at which the cumulative weight reaches this share of the total.
double quantile(const std::vector<Weighted>& sorted, double share);

}  // namespace railwright::validation
