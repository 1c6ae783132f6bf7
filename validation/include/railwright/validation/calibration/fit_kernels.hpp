// SPDX-License-Identifier: Apache-2.0
// `calibrate kernels`: fits the constants of devices' kernels to kernels measured alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Constants of the kernels of one table in one number format.
struct KernelFit {
  std::string device;
  std::string kind;
  std::string format;
  std::map<std::string, std::string> constants;  ///< YAML, by place in a file of kernels
  ErrorStatistics fitted;
  ErrorStatistics others;  ///< errors of held-out rows
};

/// Fits each table's constants, format by format, to the rows that may be fitted to, by least
/// squares of a robust distance of logarithms. Holds each constant near its prior, the catalogue's
/// value before the fit. Products then get factors of their shape, held near 1 and near their
/// neighbours. Kernels without constants of their own (gradients, grouped products, those that
/// memory bounds) are not fitted.
/// Throws ConfigError for a suite without tables.
std::vector<KernelFit> fit_kernels(const core::Node& suite, const core::Catalogue& catalogue);

}  // namespace railwright::validation
