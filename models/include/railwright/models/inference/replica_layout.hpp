// SPDX-License-Identifier: Apache-2.0
// How the accelerators of a replica share a model.
#pragma once

#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// With data-parallel attention each accelerator holds attention and dense blocks whole and attends
/// for its share of the requests; experts see the tokens of all. Else both are cut by heads and
/// columns.
struct ReplicaLayout {
  int size = 1;  ///< accelerators
  bool attention_dp = false;
  int ep = 1;  ///< accelerators that experts are spread over; the others of `size` cut each one

  /// Accelerators that attention and dense blocks are cut over.
  [[nodiscard]] int tp() const { return attention_dp ? 1 : size; }
  /// Accelerators that requests are shared out to.
  [[nodiscard]] int dp() const { return attention_dp ? size : 1; }
  [[nodiscard]] Slices slices() const { return {.tp = tp(), .ep = ep, .etp = size / ep}; }
};

}  // namespace railwright::models
