// SPDX-License-Identifier: Apache-2.0
#include "fit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "railwright/core/parallel_for.hpp"

namespace railwright::validation {

namespace {

constexpr int kMaxSuiteIterations = 30;
constexpr double kSuiteDifference = -0.01;  ///< step of a coordinate, away from its upper limit
constexpr double kSuiteConverged = 1e-5;    ///< relative decrease of the cost
constexpr double kHuber = 2.0;              ///< sigmas above which a row counts linearly

/// Returns weights of rows, whose errors correlate within a family and more so within a
/// configuration. As many as 1 / weight of them tell what one independent row does.
std::vector<double> weights_of(const std::vector<FitRow>& rows, const FitPlan& plan) {
  std::map<std::string, double> of_family;
  std::map<std::pair<std::string, std::string>, double> of_configuration;
  for (const FitRow& row : rows) {
    of_family[row.family] += 1.0;
    of_configuration[{row.family, row.configuration}] += 1.0;
  }
  std::vector<double> weights;
  weights.reserve(rows.size());
  for (const FitRow& row : rows) {
    const double same = of_configuration[{row.family, row.configuration}];
    const double others = of_family[row.family] - same;
    weights.push_back(1.0 /
                      (1.0 + (same - 1.0) * plan.correlation + others * plan.family_correlation));
  }
  return weights;
}

double square(double value) { return value * value; }

Coordinates moved_by(Coordinates x, const Eigen::VectorXd& step,
                     const std::vector<Number>& numbers) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += step[static_cast<Eigen::Index>(i)];
    x[i] = std::min(x[i], numbers[i].coordinate(numbers[i].most));
  }
  return x;
}

/// Excludes numbers at their bound that the step would take beyond it, so that the others do not
/// rely on them.
void hold_at_bounds(const Coordinates& x, const std::vector<Number>& numbers, Normal& normal) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto a = static_cast<Eigen::Index>(i);
    if (x[i] < numbers[i].coordinate(numbers[i].most) || normal.gradient[a] >= 0.0) continue;
    normal.matrix.row(a).setZero();
    normal.matrix.col(a).setZero();
    normal.matrix(a, a) = 1.0;
    normal.gradient[a] = 0.0;
  }
}

}  // namespace

Problem::Problem(std::vector<FitRow> rows, const std::vector<Number>& numbers, const FitPlan& plan,
                 const core::Catalogue& catalogue)
    : rows_(std::move(rows)),
      numbers_(numbers),
      sigma_(plan.sigma),
      weights_(weights_of(rows_, plan)),
      catalogue_(catalogue) {
  core::parallel_for(rows_.size(), [&](std::size_t i) {
    if (!rows_[i].fabric) build_fabric(rows_[i], catalogue_);
  });
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (const std::size_t number : rows_[row].numbers) entries_.emplace_back(row, number);
  }
}

std::vector<double> Problem::residuals(const Coordinates& x) const {
  std::vector<double> residuals(rows_.size());
  core::parallel_for(rows_.size(), [&](std::size_t i) {
    residuals[i] = log_error(rows_[i], numbers_, x, catalogue_);
  });
  return residuals;
}

double Problem::cost(const Coordinates& x, const std::vector<double>& residuals) const {
  double cost = 0.0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const double r = std::abs(residuals[i]) / sigma_;
    cost += weights_[i] * (r <= kHuber ? r * r : 2.0 * kHuber * r - kHuber * kHuber);
  }
  for (std::size_t i = 0; i < x.size(); ++i) cost += square(pull(x, i));
  return cost;
}

Normal Problem::normal(const Coordinates& x, const std::vector<double>& residuals) const {
  std::vector<double> slopes(entries_.size());
  core::parallel_for(entries_.size(), [&](std::size_t i) {
    const auto [row, number] = entries_[i];
    Coordinates moved = x;
    moved[number] += kSuiteDifference;
    slopes[i] =
        (log_error(rows_[row], numbers_, moved, catalogue_) - residuals[row]) / kSuiteDifference;
  });
  const auto size = static_cast<Eigen::Index>(x.size());
  Normal normal{Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size)};
  for (std::size_t first = 0; first < entries_.size();) {
    const std::size_t row = entries_[first].first;
    const std::size_t end = first + rows_[row].numbers.size();
    const double distance = std::abs(residuals[row]) / sigma_;
    const double weight =
        weights_[row] * (distance <= kHuber ? 1.0 : kHuber / distance) / square(sigma_);
    for (std::size_t i = first; i < end; ++i) {
      const auto a = static_cast<Eigen::Index>(entries_[i].second);
      normal.gradient[a] += weight * slopes[i] * residuals[row];
      for (std::size_t j = first; j < end; ++j) {
        normal.matrix(a, static_cast<Eigen::Index>(entries_[j].second)) +=
            weight * slopes[i] * slopes[j];
      }
    }
    first = end;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto a = static_cast<Eigen::Index>(i);
    normal.matrix(a, a) += 1.0 / square(numbers_[i].kind->width);
    normal.gradient[a] += pull(x, i) / numbers_[i].kind->width;
  }
  return normal;
}

double Problem::pull(const Coordinates& x, std::size_t i) const {
  return (x[i] - numbers_[i].coordinate(numbers_[i].start)) / numbers_[i].kind->width;
}

Coordinates minimize(const Problem& problem, const std::vector<Number>& numbers, Coordinates x) {
  std::vector<double> residuals = problem.residuals(x);
  double cost = problem.cost(x, residuals);
  double damping = 1e-3;
  for (int i = 0; i < kMaxSuiteIterations && damping < 1e6; ++i) {
    Normal normal = problem.normal(x, residuals);
    hold_at_bounds(x, numbers, normal);
    bool has_converged = false;
    while (damping < 1e6) {
      Eigen::MatrixXd damped = normal.matrix;
      damped.diagonal() *= 1.0 + damping;
      const Coordinates next = moved_by(x, damped.ldlt().solve(-normal.gradient), numbers);
      std::vector<double> next_residuals = problem.residuals(next);
      const double next_cost = problem.cost(next, next_residuals);
      if (next_cost > cost) {
        damping *= 8.0;
        continue;
      }
      has_converged = cost - next_cost <= kSuiteConverged * cost;
      x = next;
      residuals = std::move(next_residuals);
      cost = next_cost;
      damping /= 4.0;
      break;
    }
    if (has_converged) break;
  }
  return x;
}

void count_rows(const std::vector<FitRow>& rows, std::vector<Number>& numbers) {
  for (Number& number : numbers) {
    number.num_rows = 0;
    number.is_set = false;
  }
  for (const FitRow& row : rows) {
    for (const std::size_t number : row.numbers) {
      ++numbers[number].num_rows;
      numbers[number].is_set = true;
    }
  }
}

void fill_unseen(const std::vector<FreeNumber>& kinds, std::vector<Number>& numbers,
                 Coordinates& x) {
  for (const FreeNumber& kind : kinds) {
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i].kind != &kind || numbers[i].num_rows == 0) continue;
      sum += x[i];
      ++count;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i].kind != &kind || numbers[i].num_rows > 0 || count == 0) continue;
      x[i] = sum / count;
      numbers[i].is_set = true;
    }
  }
}

std::vector<double> log_errors_of(std::vector<FitRow> rows, const std::vector<Number>& numbers,
                                  const Coordinates& x, const core::Catalogue& catalogue) {
  std::vector<double> errors(rows.size());
  core::parallel_for(rows.size(), [&](std::size_t i) {
    if (!rows[i].fabric) build_fabric(rows[i], catalogue);
    errors[i] = log_error(rows[i], numbers, x, catalogue);
    rows[i].fabric.reset();
  });
  return errors;
}

}  // namespace railwright::validation
