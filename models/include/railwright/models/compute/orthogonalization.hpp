// SPDX-License-Identifier: Apache-2.0
// Steps that Muon takes with the matrices of layers, beside elementwise ones. [@muon]
#pragma once

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

struct SoftwareProfile;

/// Time on one accelerator, before replicas divide it among them.
struct Orthogonalization {
  core::Duration dense;
  core::Duration expert;
  core::Duration longest;  ///< of one matrix, which is never divided

  Orthogonalization& operator+=(const Orthogonalization& other);
  friend Orthogonalization operator*(const Orthogonalization& one, double count) {
    return {.dense = one.dense * count, .expert = one.expert * count, .longest = one.longest};
  }
};

/// Computes the time beyond Adam's for the matrices of a layer as one rank of tensor parallelism
/// holds them; zero under other optimizers.
///
/// Five steps of Newton and Schulz on the momentum X of m x n, m the smaller, in 16 bits:
/// A = X X^T, B = b A + c A A, X = a X + B X, which is 4 m^2 n + 2 m^3 operations each. Each rank
/// takes its slice of a matrix alone, and experts come one after another. [@megatron_muon]
Orthogonalization orthogonalization_of_layer(const core::Accelerator& accelerator,
                                             const SoftwareProfile& software,
                                             const Transformer& model, LayerKind kind,
                                             const Slices& slices);

/// Sums it over the trained layers of a stage.
Orthogonalization orthogonalization_of_stage(const core::Accelerator& accelerator,
                                             const Training& training, const Layout& layout,
                                             const SoftwareProfile& software, int stage);

/// Returns the time of the fullest rank: all, or where replicas divide the optimizer's state its
/// part in whole matrices.
core::Duration on_fullest_rank(const Orthogonalization& all, const Layout& layout, bool is_spread);

}  // namespace railwright::models
