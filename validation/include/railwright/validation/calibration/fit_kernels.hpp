// SPDX-License-Identifier: Apache-2.0
// `calibrate kernels`: the constants of devices' kernels, fitted to kernels measured alone.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Constants of the kernels of one table in one format.
struct KernelFit {
  std::string device;
  std::string kind;
  std::string format;
  std::string constants;  ///< YAML of the entry's struct
  ErrorStatistics fitted;
  ErrorStatistics others;  ///< of the rows that nothing was fitted to
};

/// Fits each table's constants, format by format, to the rows that may be fitted to, by least
/// squares of a robust distance of logarithms, each constant held near its prior: what the
/// catalogue says before the fit. Then the factors of shape, held near 1 and near their neighbours.
/// Throws ConfigError for a suite without tables.
std::vector<KernelFit> fit_kernels(const core::Node& suite, const core::Catalogue& catalogue);

}  // namespace railwright::validation
