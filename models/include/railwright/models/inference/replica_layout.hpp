// SPDX-License-Identifier: Apache-2.0
// The division of a model over the accelerators of a replica.
#pragma once

#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// The size of a replica: `pp` stages of `tp` accelerators.
struct ReplicaSize {
  int tp = 1;
  int pp = 1;

  [[nodiscard]] int num_accelerators() const { return tp * pp; }
  friend bool operator==(const ReplicaSize&, const ReplicaSize&) = default;
};

/// With data-parallel attention, each accelerator holds whole attention and dense blocks and
/// attends for its share of the requests; experts see the tokens of all. Otherwise both are divided
/// by heads and columns.
struct ReplicaLayout {
  int size = 1;  ///< accelerators that hold a layer together
  bool attention_dp = false;
  int ep = 1;  ///< accelerators that experts are spread over; size / ep divide each one
  int pp = 1;  ///< stages of the layers, of `size` accelerators each
  bool sends_to_experts = false;  ///< each token to those of its experts; else all gather all

  [[nodiscard]] int num_accelerators() const { return size * pp; }
  /// Accelerators that divide attention and dense blocks.
  [[nodiscard]] int tp() const { return attention_dp ? 1 : size; }
  /// Accelerators that share the requests.
  [[nodiscard]] int dp() const { return attention_dp ? size : 1; }
  [[nodiscard]] Slices slices() const { return {.tp = tp(), .ep = ep, .etp = size / ep}; }
};

}  // namespace railwright::models
