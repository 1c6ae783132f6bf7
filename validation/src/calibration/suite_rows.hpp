// SPDX-License-Identifier: Apache-2.0
// The training steps of a suite that says what is fitted, and to which of them.
#pragma once

#include <vector>

#include "fit_problem.hpp"
#include "fit_rows.hpp"

namespace railwright::validation {

/// Rows refer to numbers by their place, numbers to the suite's plan.
struct SuiteRows {
  Suite suite;
  std::vector<Number> numbers;
  std::vector<FitRow> rows;
  std::vector<bool> is_drawn;  ///< whether numbers are fitted to a row
};

/// Reads the rows of a suite and draws those of the fit. Throws ConfigError for a suite with
/// nothing to fit.
SuiteRows read_suite_rows(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the coordinates of the numbers' start values.
Coordinates start_of(const std::vector<Number>& numbers);

}  // namespace railwright::validation
