// SPDX-License-Identifier: Apache-2.0
// Times of the kernels that make narrow operands of wide ones.
#pragma once

#include <cstdint>

#include "railwright/core/hardware/cast_constants.hpp"
#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// A matrix, and what one of its elements takes before and after a cast.
struct CastShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  double input_bytes = 2.0;
  double output_bytes = 1.0;  ///< of the cast; with scales of blocks
};

/// The largest magnitude of a matrix, and the scale from it: reads the input once.
core::Duration amax_time(const core::Accelerator& device, const core::CastConstants& constants,
                         const CastShape& shape);

/// A cast by a known scale: reads the input and writes the output. [@aiconfigurator] for both.
core::Duration cast_time(const core::Accelerator& device, const core::CastConstants& constants,
                         const CastShape& shape);

}  // namespace railwright::models
