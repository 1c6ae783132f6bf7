// SPDX-License-Identifier: Apache-2.0
// `calibrate`: the few numbers of devices and stacks that nobody publishes, fitted to a suite's
// rows of the role `calibrate`.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

struct FittedNumber {
  std::string owner;   ///< the catalogue entry it belongs to
  std::string path;    ///< of the setting in a scenario
  double start = 0.0;  ///< base units
  double value = 0.0;
  double log_error = 0.0;  ///< standard error of its logarithm
  int num_rows = 0;        ///< rows that bear on it; 0 for a mean of other stacks
};

struct SuiteFit {
  std::string suite;
  std::string left_out;  ///< the family that was kept out; "" where none was
  int num_rows = 0;
  std::vector<FittedNumber> numbers;
  ErrorStatistics before;  ///< of the rows it was fitted to, at the start values
  ErrorStatistics after;
  ErrorStatistics others;  ///< of the rows that nothing was fitted to: the family left out, if any
};

/// Minimizes, over the logarithms x of the numbers,
///   sum over rows of w huber(ln(predicted / published) / sigma) + sum of ((x - start) / width)^2
/// by damped Gauss-Newton; predictions are estimates. What is not known of a run, others of its
/// configuration and of its family have too: w = 1 / (1 + correlation * others of the configuration
/// + family_correlation * other configurations' rows of the family). A row that is off by more than
/// 2 sigma counts by its distance, no longer by its square. [@huber1964robust] A stack that no row
/// was drawn of gets the mean of the others, a device keeps what its sources say. Throws
/// ConfigError for a suite that says nothing to fit, or for a family it has not got.
SuiteFit fit_suite(const core::Node& suite, const core::Catalogue& catalogue,
                   const std::string& left_out = {});

}  // namespace railwright::validation
