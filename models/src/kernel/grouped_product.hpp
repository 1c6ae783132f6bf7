// SPDX-License-Identifier: Apache-2.0
// The product of all experts of a rank with their rows, in one kernel.
#pragma once

#include <array>
#include <cstdint>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/experts_constants.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/kernel/expert_loads.hpp"

namespace railwright::models {

/// Heights of tiles that libraries offer; small ones swap the operands.
inline constexpr std::array<double, 4> kTileRows{32.0, 64.0, 128.0, 256.0};
/// Width of tiles, a narrow one: libraries offer 64 to 256 and use the one that wastes least.
inline constexpr double kTileColumns = 64.0;

/// Loads, and the number of tiles of each height that they fill per column of tiles.
struct GroupedRows {
  explicit GroupedRows(const ExpertLoads& expert_loads);

  ExpertLoads loads;
  double num_active;
  std::array<double, kTileRows.size()> row_tiles{};
};

/// C[rows of e, columns] = A[rows of e, inner] * B_e[inner, columns] for each expert e.
struct GroupedProduct {
  double columns = 0.0;
  double inner = 0.0;
  double operand_bytes = 2.0;
  double weight_bytes = 0.0;  ///< bytes of a number of B_e if stored narrower; 0: operand_bytes
  double output_bytes = 2.0;
  double cached = 0.0;  ///< share of the reads that the cache holds
};

core::Duration grouped_product_time(const core::Accelerator& device,
                                    const core::ExpertsConstants& constants, core::ComputeRate peak,
                                    const GroupedRows& rows, const GroupedProduct& product);

/// Computes the time of G_e[inner, columns] = A[rows of e, inner]^T * C[rows of e, columns], where
/// output_bytes of G are moved.
core::Duration grouped_gradient_time(const core::Accelerator& device,
                                     const core::ExpertsConstants& constants,
                                     core::ComputeRate peak, const GroupedRows& rows,
                                     const GroupedProduct& product);

}  // namespace railwright::models
