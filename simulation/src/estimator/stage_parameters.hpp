// SPDX-License-Identifier: Apache-2.0
// Parameters and memory that the stages of a configuration hold, and the time of computation alone.
#pragma once

#include <span>

#include "railwright/simulation/estimator/estimator.hpp"
#include "static_vector.hpp"
#include "table_entries.hpp"

namespace railwright::simulation {

inline constexpr std::size_t kMaxKinds = 16;    // kinds of places
inline constexpr std::size_t kMaxClasses = 16;  // classes of stages

/// Parameters of one place on one rank.
struct PlaceHoldings {
  models::ShardParameters held;
  models::ShardParameters trained;
};
PlaceHoldings holdings_of(const LayerEntry& layers, const PlaceKind& kind);

/// Sums over the places of a class of stages.
struct StageSums {
  models::ShardParameters held;
  models::ShardParameters in_layers;  ///< part of `held`, without embedding and head
  models::ShardParameters trained;
  models::ShardParameters matrices;  ///< part of `in_layers`
  models::Orthogonalization orthogonalization;
  double largest_held = 0.0;
  double largest_trained = 0.0;
  double recomputed_layer = 0.0;
};

using Holdings = ShortVector<PlaceHoldings, kMaxKinds>;
using Sums = ShortVector<StageSums, kMaxClasses>;

/// Sets the holdings of all kinds of places, and the sums of all classes of stages. There must be
/// at most kMaxKinds and kMaxClasses of them.
void set_holdings(const MemoryEntries& entries, Holdings& holdings);
void set_sums(const MemoryEntries& entries, const Holdings& holdings, Sums& sums);

/// Returns the time of a stage's optimizer step on one rank at full speed.
core::Duration optimizer_time(const MemoryEntries& entries, const StageSums& sums, bool divides);

/// Returns the memory of the stage that needs most; leaves out min_step_time.
MemoryEstimate memory_of(const models::MemoryRules& rules, double capacity,
                         const Configuration& configuration, const MemoryEntries& entries,
                         std::span<const StageSums> sums);

/// Returns the longest stage's work, the bubble of the closed form and the optimizer, with all
/// other transfers free.
core::Duration min_step_time(const Configuration& configuration, const MemoryEntries& entries,
                             std::span<const StageSums> sums);

}  // namespace railwright::simulation
