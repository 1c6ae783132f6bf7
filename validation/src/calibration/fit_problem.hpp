// SPDX-License-Identifier: Apache-2.0
// The least-squares problem of a suite's fit: rows, numbers, and the distance between them.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <utility>
#include <vector>

#include "fit_rows.hpp"
#include "railwright/core/config/catalogue.hpp"

namespace railwright::validation {

using Coordinates = std::vector<double>;

struct Normal {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
};

/// Rows as a function of the numbers' coordinates. Refers to the numbers and the catalogue.
class Problem {
 public:
  Problem(std::vector<FitRow> rows, const std::vector<Number>& numbers, const FitPlan& plan,
          const core::Catalogue& catalogue);

  [[nodiscard]] std::vector<double> residuals(const Coordinates& x) const;
  [[nodiscard]] double cost(const Coordinates& x, const std::vector<double>& residuals) const;
  /// Returns the normal equations of half the cost, with outliers weighted down.
  [[nodiscard]] Normal normal(const Coordinates& x, const std::vector<double>& residuals) const;

 private:
  /// Distance from the start value, in widths.
  [[nodiscard]] double pull(const Coordinates& x, std::size_t i) const;

  std::vector<FitRow> rows_;
  const std::vector<Number>& numbers_;
  double sigma_;
  std::vector<double> weights_;  ///< one weight a row
  const core::Catalogue& catalogue_;
  std::vector<std::pair<std::size_t, std::size_t>> entries_;  ///< (row, number), row after row
};

/// Minimizes with Levenberg's damping: less after each step that helped, more after others.
Coordinates minimize(const Problem& problem, const std::vector<Number>& numbers, Coordinates x);

/// Counts the rows that each number has, and sets those that have some.
void count_rows(const std::vector<FitRow>& rows, std::vector<Number>& numbers);

/// Sets the numbers of a stack without drawn rows to the mean of the other stacks.
void fill_unseen(const std::vector<FreeNumber>& kinds, std::vector<Number>& numbers,
                 Coordinates& x);

/// Returns ln(predicted / published) of rows that are needed once, and frees each fabric after its
/// use.
std::vector<double> log_errors_of(std::vector<FitRow> rows, const std::vector<Number>& numbers,
                                  const Coordinates& x, const core::Catalogue& catalogue);

}  // namespace railwright::validation
