// SPDX-License-Identifier: Apache-2.0
// Quantiles over families of rows that count alike, however many rows they have.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace railwright::validation {

/// A value that counts as much as `weight` rows.
struct Weighted {
  double value = 0.0;
  double weight = 0.0;
};

/// The values of all families but one, sorted; each family weighs 1.
std::vector<Weighted> each_alike(const std::map<std::string, std::vector<double>>& families,
                                 const std::string& but = {});

/// The first value at which the weights reach this share of all of them.
double quantile(const std::vector<Weighted>& sorted, double share);

}  // namespace railwright::validation
