// SPDX-License-Identifier: Apache-2.0
// The share of a device's data-sheet rates that grouped products of experts reach.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// Constants of a gated layer of experts in one number format, fitted to measured layers. Shares
/// are of the data sheet, so that another device of the generation can take them over.
struct ExpertsConstants {
  Duration launch;
  double rate_share = 0.0;
  double memory_share = 0.0;
  double stream_share = 0.0;
  double token_stream_share = 0.0;
  double tail_tiles = 0.0;
  double fill_inner = 0.0;
  double lost_rows = 0.0;
  double overlap_exponent = 2.0;
  DataSize cache;
  double cache_speedup = 1.0;

  static constexpr auto fields();
};

}  // namespace railwright::core
