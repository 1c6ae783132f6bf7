// SPDX-License-Identifier: Apache-2.0
// The constants of a device's kernels that a fit may move, by their places in the catalogue.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/kernel_constants.hpp"

namespace railwright::validation {

/// A constant, and the values that the catalogue allows.
struct FreeConstant {
  double* value;
  core::Range range;
};

/// Constants that stand together in a file of kernels.
struct FittedConstants {
  std::string path;  ///< from the top of the file, e.g. "decode.bf16_cache"
  std::vector<FreeConstant> numbers;
  std::function<std::string()> yaml;  ///< all of them, as they are when it is called
};

/// Lists the paths of the constants that rows of a kind and a format are predicted with; none for a
/// kind whose constants are not fitted to its rows.
std::vector<std::string> constants_of(std::string_view kind, std::string_view format);

/// Finds the constants in those of a device. A single path that the device lacks starts as the
/// first ones of its section; others are left out. What a fit keeps is not among the numbers: whole
/// numbers, capacities, the share of the peak by which other devices scale times, and constants of
/// zero, which do not apply to the kernel.
std::vector<FittedConstants> find_constants(core::KernelConstants& kernels,
                                            const std::vector<std::string>& paths);

}  // namespace railwright::validation
