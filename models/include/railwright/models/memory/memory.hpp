// SPDX-License-Identifier: Apache-2.0
// Device memory of one accelerator in training. [@korthikanti2022reducing] [@rajbhandari2020zero]
#pragma once

#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

struct MemoryLine {
  std::string_view name;
  core::DataSize size;
};

/// What fills an accelerator of one pipeline stage.
struct MemoryUse {
  int stage = 0;
  std::vector<MemoryLine> lines;
  [[nodiscard]] core::DataSize total() const;
};

/// Bytes of activations that a layer keeps for its backward pass, for one micro-batch on one
/// tensor-parallel rank. Fused attention keeps no matrix of scores.
core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind);

/// Weights, gradients, optimizer state (fp32 master weight and two moments), each divided over the
/// replicas from its stage of ZeRO on [@rajbhandari2020zero]; layers that are whole for a while
/// where gradients or parameters are divided; activations of the micro-batches in flight; the layer
/// that is being recomputed; logits; framework.
MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage);

/// The stage that needs most.
MemoryUse largest_memory_use(const Training& training, const Layout& layout,
                             const SoftwareProfile& software);

}  // namespace railwright::models
