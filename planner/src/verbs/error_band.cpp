// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "error_groups.hpp"
#include "training_facts.hpp"

namespace railwright::planner {

namespace {

bool is_step(const ValidationCase& c) { return is_training_step(c) && c.predicted; }

/// A value that counts as much as `weight` rows.
struct Weighted {
  double value = 0.0;
  double weight = 0.0;
};

/// The first value at which the weights reach this share of all of them.
double quantile(const std::vector<Weighted>& sorted, double share) {
  double all = 0.0;
  for (const Weighted& w : sorted) all += w.weight;
  double reached = 0.0;
  for (const Weighted& w : sorted) {
    reached += w.weight;
    if (reached >= share * all) return w.value;
  }
  return sorted.back().value;
}

double tokens_per_accelerator(const ValidationCase& c, double seconds) {
  return c.training->work_per_step / (seconds * c.training->num_accelerators);
}

}  // namespace

std::optional<Band> band_of(const std::vector<ValidationCase>& cases) {
  std::map<std::string, std::vector<double>> families;
  for (const ValidationCase& c : cases) {
    if (!is_step(c) || c.role != ClaimRole::kValidate) continue;
    families[c.group].push_back(c.published / *c.predicted);
  }
  std::vector<Weighted> ratios;
  for (const auto& [family, of_family] : families) {
    for (const double ratio : of_family) {
      ratios.push_back({ratio, 1.0 / static_cast<double>(of_family.size())});
    }
  }
  if (ratios.empty()) return {};
  std::ranges::sort(ratios, {}, &Weighted::value);
  return Band{.low = quantile(ratios, 0.1), .high = quantile(ratios, 0.9)};
}

std::vector<ScalingPoint> scaling_of(const std::vector<ValidationCase>& cases) {
  std::map<std::string, std::vector<const ValidationCase*>> series;
  for (const ValidationCase& c : cases) {
    if (is_step(c) && c.role != ClaimRole::kReject) series[c.training->scaling_key].push_back(&c);
  }
  std::vector<ScalingPoint> points;
  for (auto& [key, rows] : series) {
    std::ranges::stable_sort(rows, {},
                             [](const ValidationCase* c) { return c->training->num_accelerators; });
    const ValidationCase& first = *rows.front();
    for (const ValidationCase* c : rows) {
      if (c->training->num_accelerators == first.training->num_accelerators) continue;
      points.push_back({.id = c->id,
                        .from = first.id,
                        .published = tokens_per_accelerator(*c, c->published) /
                                     tokens_per_accelerator(first, first.published),
                        .predicted = tokens_per_accelerator(*c, *c->predicted) /
                                     tokens_per_accelerator(first, *first.predicted)});
    }
  }
  return points;
}

}  // namespace railwright::planner
