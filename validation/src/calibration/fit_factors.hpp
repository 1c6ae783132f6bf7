// SPDX-License-Identifier: Apache-2.0
// Factors of the shape on the times of matrix products.
#pragma once

#include <vector>

#include "../suites/kernel_rows.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/gemm_constants.hpp"

namespace railwright::validation {

inline constexpr double kRobustScale = 0.05;  ///< errors of logarithms beyond it count linearly

/// Fits the factors of `constants`, which are the device's, held near 1 and near their neighbours.
/// Iteratively reweights least squares by the distance of the rows.
void fit_factors(const std::vector<const KernelRow*>& rows, const core::Accelerator& device,
                 core::GemmConstants& constants);

}  // namespace railwright::validation
