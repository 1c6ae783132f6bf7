// SPDX-License-Identifier: Apache-2.0
// Rows of a suite as a function of the numbers that may be fitted.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../suites/fit_numbers.hpp"
#include "../suites/suite.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::validation {

/// A number of one device or stack.
struct Number {
  const FreeNumber* kind = nullptr;
  std::string owner;
  double start = 0.0;  ///< in base units
  double floor = 0.0;
  double most = 0.0;
  int num_rows = 0;
  bool is_set = false;  ///< if false, the catalogue's value holds

  /// Converts a value to the coordinate that the fit moves, see FreeNumber, and back.
  [[nodiscard]] double coordinate(double value) const;
  [[nodiscard]] double value(double coordinate) const;
};

/// A training step with every value written out, and its fabric, built once.
struct FitRow {
  std::string id;
  std::string family;
  std::string configuration;
  double published = 0.0;
  core::Node tree;
  std::vector<std::size_t> numbers;  ///< indices of the numbers in the tree
  std::shared_ptr<const core::Fabric> fabric;
};

/// Returns every training step of the suite, without fabrics. Adds its numbers to `numbers` in the
/// order of the steps, then those of the catalogue's stacks that no step runs.
std::vector<FitRow> fit_rows(const Suite& suite, const core::Catalogue& catalogue,
                             std::vector<Number>& numbers);

void build_fabric(FitRow& row, const core::Catalogue& catalogue);

/// Returns ln(predicted / published) at these coordinates of all numbers.
double log_error(const FitRow& row, const std::vector<Number>& numbers,
                 const std::vector<double>& coordinates, const core::Catalogue& catalogue);

}  // namespace railwright::validation
