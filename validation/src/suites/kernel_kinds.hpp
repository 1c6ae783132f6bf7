// SPDX-License-Identifier: Apache-2.0
// The kinds of kernels that a suite may hold: their columns, and what predicts them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

/// Time on a device; nothing where the device has no constants for the kernel.
using KernelPrediction = std::function<std::optional<core::Duration>(const core::Accelerator&)>;

/// A line of a table: its format, and the numbers of its columns.
struct KernelLine {
  std::string format;
  std::vector<double> numbers;
};

/// Kernels of one kind. A table has the column `format`, these, and `us`.
struct KernelKind {
  std::string_view name;
  std::span<const std::string_view> columns;
  KernelPrediction (*predict)(const KernelLine&);  ///< empty where the kind has no such format
  std::string (*shape_class)(const KernelLine&);
};

/// Null where there is no kind of this name.
const KernelKind* find_kernel_kind(std::string_view name);

/// "gemm, attention, ...".
std::string kernel_kind_names();

}  // namespace railwright::validation
