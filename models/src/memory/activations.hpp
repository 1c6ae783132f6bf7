// SPDX-License-Identifier: Apache-2.0
// Activations that layers keep for their backward passes.
#pragma once

#include <algorithm>

#include "railwright/models/memory/memory.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

/// Returns the bytes of a weight, and of an element that a layer keeps: fp8 and fp4 are casts of
/// bf16.
inline double element_bytes(const SoftwareProfile& software) {
  return std::max(core::bytes_of(software.precision.value), kHalfBytes);
}

/// Returns the bytes of all micro-batches in flight on a rank of a stage.
double activations_of_stage(const Training& training, const Layout& layout,
                            const SoftwareProfile& software, int stage);

/// Returns the bytes that the layer keeps which keeps most.
double largest_layer(const Training& training, const Layout& layout,
                     const SoftwareProfile& software, int stage);

/// Returns the bytes to recompute in the largest layer: all activations of a layer exist again
/// while its backward pass runs.
double recomputed_layer(const Training& training, const Layout& layout,
                        const SoftwareProfile& software, int stage);

}  // namespace railwright::models
