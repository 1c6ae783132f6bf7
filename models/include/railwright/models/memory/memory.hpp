// SPDX-License-Identifier: Apache-2.0
// Device memory of one accelerator in training. [@korthikanti2022reducing] [@rajbhandari2020zero]
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

enum class MemoryItem : std::uint8_t {
  kParameters,
  kGradients,
  kOptimizerState,
  kGatheredLayers,
  kActivations,
  kRecomputedLayer,
  kLogits,
  kFramework,
};
inline constexpr std::array<std::string_view, 8> kMemoryItemNames{
    "parameters",  "gradients",        "optimizer_state", "gathered_layers",
    "activations", "recomputed_layer", "logits",          "framework"};
using MemoryBytes = std::array<double, kMemoryItemNames.size()>;

/// What a stack keeps of what a stage holds.
struct MemoryRules {
  StateBytes bytes;
  double layer_weight = 0.0;  ///< bytes of a weight of a layer
  double layer_copies = 0.0;  ///< of its narrow copies, while the layer is whole
  double framework = 0.0;
  int zero_stage = 0;
  bool reshards = true;          ///< parameters that zero_stage 3 divides, behind each pass
  double gathered_share = 1.0;   ///< of the largest place, what is whole at a time
  bool has_fp32_shards = false;  ///< where it does: no others of what is trained
  bool has_adapters = false;
  bool offloads_optimizer = false;   ///< and gradients: a bucket fills while one is sent
  bool offloads_parameters = false;  ///< from zero_stage 3 on
  double bucket = 0.0;
};
MemoryRules memory_rules(const Training& training, const SoftwareProfile& software);

/// What a rank of a stage holds, its places added up; bytes where no parameters.
struct Holdings {
  ShardParameters held;
  ShardParameters in_layers;  ///< of them, embedding and head apart
  ShardParameters trained;
  double largest_held = 0.0;  ///< parameters of one place
  double largest_trained = 0.0;
  double activations = 0.0;  ///< of all micro-batches in flight
  double recomputed_layer = 0.0;
  double logits = 0.0;
};
MemoryBytes memory_bytes(const MemoryRules& rules, const Holdings& holdings, const Layout& layout);

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
/// tensor-parallel rank. Fused attention keeps no matrix of scores. A product keeps its input for
/// the gradient of its weight: narrow where the stack saves the cast, nothing where the weight is
/// frozen; an adapter keeps it in 16 bits [@transformer_engine] [@hu2021lora].
core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind);

/// Of the modules of multi-token prediction, for one micro-batch.
core::DataSize activations_behind_layers(const Training& training, const Layout& layout,
                                         const SoftwareProfile& software);
/// Of what it does not keep: there while its backward pass goes on.
core::DataSize recomputed_activations_per_layer(const Training& training, const Layout& layout,
                                                const SoftwareProfile& software, LayerKind kind);
/// Of the last stage of a transformer.
core::DataSize logits_memory(const Training& training, const Layout& layout,
                             const SoftwareProfile& software);

/// Weights, gradients, optimizer state (fp32 master weight and moments), each divided over the
/// replicas from its stage of ZeRO on [@rajbhandari2020zero]; layers that are whole for a while
/// where gradients or parameters are divided; activations of the micro-batches in flight; the layer
/// that is being recomputed; logits; framework. What is offloaded leaves no line but the buckets
/// that gradients are sent in.
MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage);

/// What offloading keeps in the tiers of a node with `num_accelerators`: those of the stage with
/// most parameters.
std::vector<TierUse> node_tier_uses(const Training& training, const Layout& layout,
                                    const SoftwareProfile& software, int num_accelerators);

/// Bytes of a parameter under a stack's precision and formats.
StateBytes state_bytes(const SoftwareProfile& software);

/// The stage that needs most.
MemoryUse largest_memory_use(const Training& training, const Layout& layout,
                             const SoftwareProfile& software);

}  // namespace railwright::models
