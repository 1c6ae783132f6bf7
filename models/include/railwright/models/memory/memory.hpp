// SPDX-License-Identifier: Apache-2.0
// Device memory of one accelerator in training. [@korthikanti2022reducing] [@rajbhandari2020zero]
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/offload/offload.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/models/software/recompute.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

struct SoftwareProfile;

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
constexpr std::string_view name_of(MemoryItem item) {
  return kMemoryItemNames[static_cast<std::size_t>(item)];
}
using MemoryBytes = std::array<double, kMemoryItemNames.size()>;

/// The rules by which a stack stores the state of a stage.
struct MemoryRules {
  StateBytes bytes;
  double layer_weight = 0.0;    ///< bytes of a weight of a layer
  double layer_copies = 0.0;    ///< bytes of its narrow copies, while the layer is whole
  double model_gradient = 0.0;  ///< bytes of a gradient beside the one that sums it
  double framework = 0.0;
  int zero_stage = 0;
  bool reshards = true;          ///< divides parameters again after each pass, under zero_stage 3
  double gathered_share = 1.0;   ///< part of the largest place that is whole at a time
  bool has_fp32_shards = false;  ///< with resharding, fp32 shards replace other trained weights
  bool has_adapters = false;
  bool offloads_optimizer = false;   ///< and gradients: two buckets, one filling, one being sent
  bool offloads_parameters = false;  ///< needs zero_stage 3
  double bucket = 0.0;
  double bucket_replica = 0.0;  ///< bytes of a bucket for each replica, if more
  double matrix_saving = 0.0;   ///< optimizer bytes that a matrix of a layer does without: Muon's
};
MemoryRules memory_rules(const Training& training, const SoftwareProfile& software);

/// The holdings of a rank of a stage, summed over its places, in parameters or, for activations and
/// logits, in bytes.
struct Holdings {
  ShardParameters held;
  ShardParameters in_layers;  ///< held, without embedding and head
  ShardParameters trained;
  ShardParameters matrices;   ///< trained, of matrices of layers
  double largest_held = 0.0;  ///< parameters of one place
  double largest_trained = 0.0;
  double activations = 0.0;  ///< bytes of all micro-batches in flight
  double recomputed_layer = 0.0;
  double logits = 0.0;
};
MemoryBytes memory_bytes(const MemoryRules& rules, const Holdings& holdings, const Layout& layout);

struct MemoryLine {
  std::string_view name;
  core::DataSize size;
};

/// The memory use of an accelerator of one pipeline stage.
struct MemoryUse {
  int stage = 0;
  std::vector<MemoryLine> lines;
  [[nodiscard]] core::DataSize total() const;
  /// Returns the size of an item; 0 where no line has it.
  [[nodiscard]] core::DataSize of(MemoryItem item) const;
};

/// Computes the bytes of activations that a layer keeps for its backward pass, for one micro-batch
/// on one tensor-parallel rank. Fused attention keeps no matrix of scores. A product keeps its
/// input for the gradient of its weight: narrow if the stack saves the cast, none if the weight is
/// frozen; an adapter keeps it in 16 bits [@transformer_engine] [@hu2021lora].
core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind);
/// Computes the same where `again` is recomputed, not what the stack recomputes.
core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind,
                                     const Recomputed& again);

/// Bytes of activations of the modules of multi-token prediction, for one micro-batch.
core::DataSize activations_behind_layers(const Training& training, const Layout& layout,
                                         const SoftwareProfile& software);
/// Bytes of activations that a layer does not keep; they exist only during its backward pass.
core::DataSize recomputed_activations_per_layer(const Training& training, const Layout& layout,
                                                const SoftwareProfile& software, LayerKind kind);
/// Bytes of logits on the last stage of a transformer.
core::DataSize logits_memory(const Training& training, const Layout& layout,
                             const SoftwareProfile& software);

/// Computes the memory of a stage: weights, gradients, optimizer state (fp32 master weight and
/// moments), each divided over the replicas from its stage of ZeRO on [@rajbhandari2020zero];
/// layers that are temporarily whole if gradients or parameters are divided; activations of the
/// micro-batches in flight; the layer being recomputed; logits; framework. Offloaded state leaves
/// only the buckets in which gradients are sent.
MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage);

/// Computes what offloading stores in the tiers of a node with `num_accelerators`, for the stage
/// with most parameters.
std::vector<TierUse> node_tier_uses(const Training& training, const Layout& layout,
                                    const SoftwareProfile& software, int num_accelerators);

/// Returns the memory that a process on the accelerator holds at its peak, as nvidia-smi shows it:
/// what is in use, copies that the optimizer's step makes behind the backward pass, and what the
/// framework's caching allocator keeps in blocks that do not serve other sizes. An allocator gives
/// such blocks back before it fails: whether a job fits depends on `use` alone, and one that fits
/// holds no more than `capacity`.
core::DataSize reserved_memory(const MemoryUse& use, const SoftwareProfile& software,
                               core::DataSize capacity);

/// Returns the bytes of a parameter under a stack's precision and formats.
StateBytes state_bytes(const SoftwareProfile& software);

/// Returns the use of the stage that needs most.
MemoryUse largest_memory_use(const Training& training, const Layout& layout,
                             const SoftwareProfile& software);

}  // namespace railwright::models
