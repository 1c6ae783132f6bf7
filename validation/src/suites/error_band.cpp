// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "error_groups.hpp"
#include "training_facts.hpp"
#include "weighted_quantile.hpp"

namespace railwright::validation {

namespace {

bool has_predicted_step(const ValidationCase& c) { return is_training_step(c) && c.predicted; }

double tokens_per_accelerator(const ValidationCase& c, double seconds) {
  return c.training->work_per_step / (seconds * c.training->num_accelerators);
}

}  // namespace

std::optional<Band> band_of(const std::vector<ValidationCase>& cases) {
  std::map<std::string, std::vector<double>> families;
  for (const ValidationCase& c : cases) {
    if (!has_predicted_step(c) || c.role != ClaimRole::kValidate) continue;
    families[c.group].push_back(c.published / *c.predicted);
  }
  const std::vector<Weighted> ratios = each_alike(families);
  if (ratios.empty()) return {};
  return Band{.low = quantile(ratios, 0.1), .high = quantile(ratios, 0.9)};
}

std::vector<ScalingPoint> scaling_of(const std::vector<ValidationCase>& cases) {
  std::map<std::string, std::vector<const ValidationCase*>> series;
  for (const ValidationCase& c : cases) {
    if (has_predicted_step(c) && c.role != ClaimRole::kReject)
      series[c.training->scaling_key].push_back(&c);
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

}  // namespace railwright::validation
