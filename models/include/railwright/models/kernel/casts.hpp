// SPDX-License-Identifier: Apache-2.0
// Times of the kernels that cast wide operands to narrow ones.
#pragma once

#include <cstdint>

#include "railwright/core/hardware/cast_constants.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// A matrix, and the bytes per element before and after a cast.
struct CastShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  double input_bytes = 2.0;
  double output_bytes = 1.0;  ///< output of the cast, including scales of blocks
};

/// Computes the time to find a matrix's largest magnitude and the scale from it, which reads the
/// input once.
core::Duration amax_time(const core::Accelerator& device, const core::CastConstants& constants,
                         const CastShape& shape);

/// Computes the time of a cast by a known scale, which reads the input and writes the output.
/// [@aiconfigurator] for both.
core::Duration cast_time(const core::Accelerator& device, const core::CastConstants& constants,
                         const CastShape& shape);

}  // namespace railwright::models
