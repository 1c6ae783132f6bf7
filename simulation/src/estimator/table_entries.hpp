// SPDX-License-Identifier: Apache-2.0
// Entries of an estimator's tables.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "../closed_form/bucket_bytes.hpp"
#include "../closed_form/stage_partition.hpp"
#include "../closed_form/step_terms.hpp"
#include "../step/layer_passes.hpp"
#include "link_sharing.hpp"
#include "railwright/models/compute/orthogonalization.hpp"
#include "railwright/simulation/estimator/estimator.hpp"

namespace railwright::simulation {

/// A pass as it is before calls are laid beside its computation. A search has these by the hundred
/// thousand.
struct TablePass {
  models::ComputeCost compute;
  std::array<double, kNumLayerCalls> calls{};
  double waiting_calls = 0.0;  ///< see LayerPass

  [[nodiscard]] LayerPass whole() const {
    return {.compute = compute, .calls = calls, .waiting_calls = waiting_calls};
  }
};

struct TablePasses {
  TablePass forward;
  TablePass backward;
};

/// Costs of the layers of one kind.
struct LayersOfKind {
  models::LayerKind kind{};
  TablePasses passes;
  double activations = 0.0;
  double recomputed_activations = 0.0;  ///< while a layer is recomputed
  models::ShardParameters held;
  models::ShardParameters trained;
  models::ShardParameters matrices;  ///< part of `held`
  models::Orthogonalization orthogonalization;
};

/// Costs of layers of each kind, embedding and head on one rank.
struct LayerEntry {
  std::vector<LayersOfKind> kinds;                                   ///< those that the model has
  std::array<std::uint8_t, models::kNumLayerKinds> place_of_kind{};  ///< in `kinds`
  TablePasses embedding;
  TablePasses head;
  TablePasses mtp;
  TablePass share_gather;
  Overlaps overlaps;
  double held_by_embedding = 0.0;
  models::ShardParameters held_by_head;
  double trained_by_embedding = 0.0;
  models::ShardParameters trained_by_head;
  models::ShardParameters behind_layers;  ///< multi-token prediction, part of held_by_head
  models::LayerKind kind_behind{};        ///< of its layers
  int num_behind = 0;
  double activations_behind = 0.0;
  double logits = 0.0;
  double compute_efficiency = 1.0;
  core::Duration optimizer_per_parameter;
  core::Duration cast_per_parameter;

  [[nodiscard]] const LayersOfKind& of(models::LayerKind kind) const {
    return kinds[place_of_kind[static_cast<std::size_t>(kind)]];
  }
};

/// Transfers of a layout for one micro-batch.
struct NetworkEntry {
  NetworkTerms terms;
  std::vector<std::uint32_t> stage_class;  ///< class in StagePartition, by class of `terms`
  std::array<core::Duration, kNumLayerCalls> longest_calls{};
  std::array<double, kNumLayerCalls> call_bytes{};
  double send_bytes = 0.0;
  StepRules rules;
  std::array<bool, kNumSyncs> has_sync{};
  LinkSharing sharing;
  bool calls_are_free = false;  ///< then nothing waits for the host or runs beside calls either
};

struct DivisionEntry {
  bool is_valid = false;
  StagePartition division;
};

/// Accelerators by rank, independent of the pipeline's chunks and micro-batches.
struct LayoutEntry {
  bool is_valid = false;
  models::Layout layout;
};

/// Minimum time of calls within passes, wherever the pipeline places them.
struct CallsEntry {
  std::array<core::Duration, kNumLayerCalls> fastest{};
};

/// Entries that a configuration's memory and computation need.
struct MemoryEntries {
  const LayerEntry& layers;
  const models::Layout& layout;  ///< without micro-batches and virtual stages
  const StagePartition& division;
  const CallsEntry& calls;
  std::int64_t num_microbatches = 1;
};

}  // namespace railwright::simulation
