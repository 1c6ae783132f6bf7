// SPDX-License-Identifier: Apache-2.0
// `calibrate`: fits the few unpublished numbers of devices and stacks to a suite's rows of the role
// `calibrate`.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

struct FittedNumber {
  std::string owner;   ///< catalogue entry that the number belongs to
  std::string path;    ///< path of the setting in a scenario
  double start = 0.0;  ///< in base units
  double value = 0.0;
  double log_error = 0.0;  ///< standard error of its logarithm
  int num_rows = 0;        ///< rows that depend on it; 0 for a mean of other stacks
};

struct SuiteFit {
  std::string suite;
  std::string left_out;  ///< family that was left out; "" if none was
  int num_rows = 0;
  std::vector<FittedNumber> numbers;
  ErrorStatistics before;  ///< errors of the fitted rows, at the start values
  ErrorStatistics after;
  ErrorStatistics others;  ///< errors of held-out rows: those of the family left out, if any
};

/// Minimizes, over the logarithms x of the numbers,
///   sum over rows of w huber(ln(predicted / published) / sigma) + sum of ((x - start) / width)^2
/// by damped Gauss-Newton; predictions are estimates. Runs of one configuration and of one family
/// share unknown errors: w = 1 / (1 + correlation * others of the configuration +
/// family_correlation * other configurations' rows of the family). A row that is off by more than 2
/// sigma counts by its distance instead of its square. [@huber1964robust] A stack without drawn
/// rows gets the mean of the others; a device without them keeps the catalogue's value. Throws
/// ConfigError for a suite with nothing to fit, or for an unknown family.
SuiteFit fit_suite(const core::Node& suite, const core::Catalogue& catalogue,
                   const std::string& left_out = {});

}  // namespace railwright::validation
