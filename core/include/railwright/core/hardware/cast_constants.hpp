// SPDX-License-Identifier: Apache-2.0
// Constants of kernels that find the largest element of a tensor or cast it: their share of the
// device's memory bandwidth.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// Constants of one memory-bound operation.
struct StreamConstants {
  Duration launch;
  Duration ramp;
  double memory_share = 0.0;
  DataSize cache;
  double cache_share = 0.0;
  double cache_edge = 0.0;
  double cache_speedup = 1.0;
  double write_back_share = 0.0;

  static constexpr auto fields();
};

/// Constants of the two halves of a dynamic cast.
struct CastConstants {
  StreamConstants amax;
  StreamConstants cast;

  static constexpr auto fields();
};

}  // namespace railwright::core
