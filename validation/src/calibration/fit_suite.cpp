// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/fit_suite.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fit_rows.hpp"
#include "railwright/core/parallel_for.hpp"

namespace railwright::validation {

namespace {

constexpr int kMaxSuiteIterations = 30;
constexpr double kSuiteDifference = -0.01;  ///< step of a coordinate, away from its upper limit
constexpr double kSuiteConverged = 1e-5;    ///< relative decrease of the cost
constexpr double kHuber = 2.0;              ///< sigmas above which a row counts linearly

using Coordinates = std::vector<double>;

struct Normal {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
};

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

class Problem {
 public:
  Problem(std::vector<FitRow> rows, const std::vector<Number>& numbers, const FitPlan& plan,
          const core::Catalogue& catalogue)
      : rows_(std::move(rows)),
        numbers_(numbers),
        sigma_(plan.sigma),
        weights_(weights_of(rows_, plan)),
        catalogue_(catalogue) {
    core::parallel_for(rows_.size(), [&](std::size_t i) { build_fabric(rows_[i], catalogue_); });
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (const std::size_t number : rows_[row].numbers) entries_.emplace_back(row, number);
    }
  }

  [[nodiscard]] std::vector<double> residuals(const Coordinates& x) const {
    std::vector<double> residuals(rows_.size());
    core::parallel_for(rows_.size(), [&](std::size_t i) {
      residuals[i] = log_error(rows_[i], numbers_, x, catalogue_);
    });
    return residuals;
  }

  [[nodiscard]] double cost(const Coordinates& x, const std::vector<double>& residuals) const {
    double cost = 0.0;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      const double r = std::abs(residuals[i]) / sigma_;
      cost += weights_[i] * (r <= kHuber ? r * r : 2.0 * kHuber * r - kHuber * kHuber);
    }
    for (std::size_t i = 0; i < x.size(); ++i) cost += square(pull(x, i));
    return cost;
  }

  /// Returns the normal equations of half the cost, with outliers weighted down.
  [[nodiscard]] Normal normal(const Coordinates& x, const std::vector<double>& residuals) const {
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

 private:
  static double square(double value) { return value * value; }

  /// Distance from the start value, in widths.
  [[nodiscard]] double pull(const Coordinates& x, std::size_t i) const {
    return (x[i] - numbers_[i].coordinate(numbers_[i].start)) / numbers_[i].kind->width;
  }

  std::vector<FitRow> rows_;
  const std::vector<Number>& numbers_;
  double sigma_;
  std::vector<double> weights_;  ///< one weight a row
  const core::Catalogue& catalogue_;
  std::vector<std::pair<std::size_t, std::size_t>> entries_;  ///< (row, number), row after row
};

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

/// Minimizes with Levenberg's damping: less after each step that helped, more after others.
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

/// Sets the numbers of a stack without drawn rows to the mean of the other stacks.
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

ErrorStatistics errors_of(const std::vector<double>& log_errors) {
  std::vector<double> errors;
  errors.reserve(log_errors.size());
  for (const double error : log_errors) errors.push_back(std::exp(error) - 1.0);
  return statistics_of(std::move(errors));
}

/// Computes errors of rows that are needed once, and frees each fabric after its use.
ErrorStatistics errors_of(std::vector<FitRow> rows, const std::vector<Number>& numbers,
                          const Coordinates& x, const core::Catalogue& catalogue) {
  std::vector<double> errors(rows.size());
  core::parallel_for(rows.size(), [&](std::size_t i) {
    build_fabric(rows[i], catalogue);
    errors[i] = log_error(rows[i], numbers, x, catalogue);
    rows[i].fabric.reset();
  });
  return errors_of(errors);
}

void check_plan(const Suite& suite, const core::Node& tree, core::Reader& reader) {
  if (!suite.fit || !suite.draw) {
    reader.report(tree.where, "fit", "this suite does not say what is fitted, and to which rows");
    reader.throw_if_any();
  }
}

/// Checks that no entry has more numbers than kMaxOfDevice or kMaxOfStack.
void check_counts(const std::vector<Number>& numbers, const Suite& suite, const core::Node& tree,
                  core::Reader& reader) {
  const auto check = [&](const std::vector<FreeNumber>& kinds, std::size_t most, const char* path) {
    std::map<std::string, std::size_t> counts;
    for (const Number& number : numbers) {
      const bool is_here =
          std::ranges::any_of(kinds, [&](const FreeNumber& kind) { return &kind == number.kind; });
      if (is_here && ++counts[number.owner] == most + 1) {
        reader.report(tree.where, path,
                      fmt::format("more than {} numbers of {}", most, number.owner));
      }
    }
  };
  check(suite.fit->device, kMaxOfDevice, "fit.device");
  check(suite.fit->stack, kMaxOfStack, "fit.stack");
  reader.throw_if_any();
}

}  // namespace

SuiteFit fit_suite(const core::Node& tree, const core::Catalogue& catalogue,
                   const std::string& left_out) {
  core::Reader reader(&catalogue);
  const Suite suite = read_suite(tree, reader);
  check_plan(suite, tree, reader);
  std::vector<Number> numbers;
  std::vector<FitRow> rows = fit_rows(suite, catalogue, numbers);
  check_counts(numbers, suite, tree, reader);
  std::vector<DrawRow> draw;
  draw.reserve(rows.size());
  for (const FitRow& row : rows) draw.push_back({row.family, row.configuration});
  const std::vector<bool> is_drawn = draw_rows(draw, *suite.draw);
  std::vector<FitRow> fitted;
  std::vector<FitRow> others;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_out = rows[i].family == left_out;
    if (is_out || (left_out.empty() && !is_drawn[i])) {
      others.push_back(std::move(rows[i]));
    } else if (is_drawn[i]) {
      for (const std::size_t number : rows[i].numbers) {
        ++numbers[number].num_rows;
        numbers[number].is_set = true;
      }
      fitted.push_back(std::move(rows[i]));
    }
  }
  if (!left_out.empty() && others.empty()) {
    reader.report(tree.where, "tables", fmt::format("no training step of a family '{}'", left_out));
    reader.throw_if_any();
  }
  Coordinates start;
  for (const Number& number : numbers) start.push_back(number.coordinate(number.start));
  SuiteFit fit{
      .suite = suite.name, .left_out = left_out, .num_rows = static_cast<int>(fitted.size())};
  const Problem problem(std::move(fitted), numbers, *suite.fit, catalogue);
  fit.before = errors_of(problem.residuals(start));
  Coordinates x = minimize(problem, numbers, start);
  const std::vector<double> residuals = problem.residuals(x);
  fit.after = errors_of(residuals);
  const Eigen::MatrixXd covariance = problem.normal(x, residuals).matrix.inverse();
  fill_unseen(suite.fit->stack, numbers, x);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i].is_set) continue;
    const auto a = static_cast<Eigen::Index>(i);
    fit.numbers.push_back({.owner = numbers[i].owner,
                           .path = numbers[i].kind->path,
                           .start = numbers[i].start,
                           .value = numbers[i].value(x[i]),
                           .log_error = std::sqrt(covariance(a, a)),
                           .num_rows = numbers[i].num_rows});
  }
  fit.others = errors_of(std::move(others), numbers, x, catalogue);
  return fit;
}

}  // namespace railwright::validation
