// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "baselines.hpp"
#include "error_groups.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "training_facts.hpp"
#include "weighted_quantile.hpp"

namespace railwright::validation {

namespace {

using Row = const ValidationCase*;
using Families = std::map<std::string, std::vector<Row>>;
using Values = std::map<std::string, std::vector<double>>;

constexpr std::size_t kMinLike = 5;  ///< fewest rows to take tenths of

Families families_of(const std::vector<ValidationCase>& cases) {
  Families families;
  for (const ValidationCase& c : cases) {
    const bool counts = is_training_step(c) && c.predicted && c.role == ClaimRole::kValidate;
    if (counts) families[c.group].push_back(&c);
  }
  return families;
}

double log_ratio(const ValidationCase& c) { return std::log(c.published / *c.predicted); }

/// Sums up how often intervals hold their rows, and their widths, by family. All values are
/// logarithms.
class Scorer {
 public:
  explicit Scorer(std::string name) { result_.name = std::move(name); }

  /// `weight`: the part of a row that this counts as.
  void add(const std::string& family, double low, double high, double value, double weight) {
    constexpr double kMissCosts = 2.0 / 0.2;
    const bool is_held = low <= value && value <= high;
    Sum& of_family = families_[family];
    of_family.rows += weight;
    of_family.held += is_held ? weight : 0.0;
    of_family.width += weight * (high - low);
    of_family.score +=
        weight * (high - low + kMissCosts * std::max({0.0, low - value, value - high}));
  }

  [[nodiscard]] BandScore result() const {
    BandScore result = result_;
    const auto num_families = static_cast<double>(families_.size());
    Sum all;
    for (const auto& [family, sum] : families_) {
      all.rows += sum.rows;
      all.held += sum.held;
      all.width += sum.width;
      all.score += sum.score;
      result.held_families += sum.held / sum.rows / num_families;
      result.score_families += sum.score / sum.rows / num_families;
    }
    result.num_rows = static_cast<int>(std::lround(all.rows));
    result.num_families = static_cast<int>(families_.size());
    result.held_rows = all.held / all.rows;
    result.mean_width = all.width / all.rows;
    result.score = all.score / all.rows;
    return result;
  }

  [[nodiscard]] bool is_empty() const { return families_.empty(); }

 private:
  struct Sum {
    double rows = 0.0;
    double held = 0.0;
    double width = 0.0;
    double score = 0.0;
  };

  BandScore result_;
  std::map<std::string, Sum> families_;
};

Scorer score_of_model(const Families& families) {
  Scorer scorer("prediction");
  Values ratios;
  for (const auto& [family, rows] : families) {
    for (const Row row : rows) ratios[family].push_back(log_ratio(*row));
  }
  for (const auto& [family, values] : ratios) {
    const std::vector<Weighted> others = each_alike(ratios, family);
    if (others.empty()) continue;
    const double low = quantile(others, 0.1);
    const double high = quantile(others, 0.9);
    for (const double value : values) scorer.add(family, low, high, value, 1.0);
  }
  return scorer;
}

/// Predicts the logarithm of published / predicted for another run, with compute efficiency fitted
/// to one. A run faster than predicted leaves compute efficiency at 1, and moves the interval by
/// its ratio.
double level_of(const ValidationCase& fitted, const ValidationCase& other) {
  const double ratio = log_ratio(fitted);
  if (ratio <= 0.0) return ratio;
  const double share = fitted.training->compute_share;
  const double slower = (std::exp(ratio) - (1.0 - share)) / share;
  const double other_share = other.training->compute_share;
  return std::log(other_share * slower + 1.0 - other_share);
}

/// Returns ln(published / predicted) of each row under a fit to each other row of its family.
Values distances_of(const Families& families) {
  Values distances;
  for (const auto& [family, rows] : families) {
    for (const Row row : rows) {
      for (const Row fitted : rows) {
        if (fitted != row) distances[family].push_back(log_ratio(*row) - level_of(*fitted, *row));
      }
    }
  }
  return distances;
}

Scorer score_of_one_run(const Families& families) {
  Scorer scorer("prediction, fitted to one run");
  const Values distances = distances_of(families);
  for (const auto& [family, values] : distances) {
    const std::vector<Weighted> others = each_alike(distances, family);
    if (others.empty()) continue;
    const double low = quantile(others, 0.1);
    const double high = quantile(others, 0.9);
    const auto num_rows = static_cast<double>(families.at(family).size());
    for (const double value : values) {
      scorer.add(family, low, high, value, 1.0 / (num_rows - 1.0));
    }
  }
  return scorer;
}

double log_utilization(const ValidationCase& c) {
  return std::log(utilization(*c.training, c.published));
}

Scorer score_of_other_families(const Families& families) {
  Scorer scorer("utilization of other families");
  std::map<std::string, Values> classes;
  for (const auto& [family, rows] : families) {
    for (const Row row : rows) {
      classes[work_class(*row->training)][family].push_back(log_utilization(*row));
    }
  }
  for (const auto& [name, of_class] : classes) {
    for (const auto& [family, values] : of_class) {
      const std::vector<Weighted> others = each_alike(of_class, family);
      if (others.empty()) continue;
      const double low = quantile(others, 0.1);
      const double high = quantile(others, 0.9);
      for (const double value : values) scorer.add(family, low, high, value, 1.0);
    }
  }
  return scorer;
}

Scorer score_of_its_like(const Families& families) {
  Scorer scorer("MFU of the same family");
  for (const auto& [family, rows] : families) {
    for (const Row row : rows) {
      Values like;
      for (const Row other : rows) {
        const bool is_like =
            other->training->traits.accelerator == row->training->traits.accelerator &&
            other->training->traits.precision == row->training->traits.precision &&
            other->training->model == row->training->model;
        if (other != row && is_like) like[other->id].push_back(log_utilization(*other));
      }
      if (like.size() < kMinLike) continue;
      const std::vector<Weighted> sorted = each_alike(like);
      scorer.add(family, quantile(sorted, 0.1), quantile(sorted, 0.9), log_utilization(*row), 1.0);
    }
  }
  return scorer;
}

}  // namespace

std::vector<BandScore> band_scores_of(const std::vector<ValidationCase>& cases) {
  const Families families = families_of(cases);
  if (families.size() < 2) return {};
  std::vector<BandScore> scores;
  for (const Scorer& scorer : {score_of_model(families), score_of_one_run(families),
                               score_of_other_families(families), score_of_its_like(families)}) {
    if (!scorer.is_empty()) scores.push_back(scorer.result());
  }
  return scores;
}

std::optional<double> family_spread_of(const std::vector<ValidationCase>& cases) {
  const std::vector<Weighted> all = each_alike(distances_of(families_of(cases)));
  if (all.empty()) return {};
  // A distance is the difference of two rows that each have this spread.
  return 0.5 * (quantile(all, 0.9) - quantile(all, 0.1)) /
         (simulation::kTenth * std::numbers::sqrt2);
}

}  // namespace railwright::validation
