// SPDX-License-Identifier: Apache-2.0
// Kinds of kernels that a suite may hold, with their columns and predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

/// Predicts the time on a device; nothing if the device has no constants for the kernel.
using KernelPrediction = std::function<std::optional<core::Duration>(const core::Accelerator&)>;

/// A line of a table: its format, and the numbers in the other columns.
struct KernelLine {
  std::string format;
  std::vector<double> numbers;
};

/// Kernels of one kind. A table has the columns `format`, then `columns`, then `us`.
struct KernelKind {
  std::string_view name;
  std::span<const std::string_view> columns;
  KernelPrediction (*predict)(const KernelLine&);  ///< empty for unknown formats
  std::string (*shape_class)(const KernelLine&);
};

/// The kinds that send data between accelerators.
std::span<const KernelKind> exchange_kinds();
/// The kinds of mixers of tokens that are not dense attention.
std::span<const KernelKind> mixer_kinds();

/// Returns a count that a table has as a number.
inline std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

/// Returns the class of a shape by its tokens: "tokens < 1,024".
std::string class_of_tokens(double tokens, std::string_view word);

/// Finds a kind by name; null if there is none.
const KernelKind* find_kernel_kind(std::string_view name);

/// Returns the prediction of a product without the launch between consecutive ones, for kernels
/// that were timed each for itself.
KernelPrediction without_launch(KernelPrediction predict, const std::string& format);

/// Lists the names: "gemm, attention, ...".
std::string kernel_kind_names();

}  // namespace railwright::validation
