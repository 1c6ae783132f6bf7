// SPDX-License-Identifier: Apache-2.0
// What the stages of a configuration hold, and what computation alone takes them.
#pragma once

#include <span>

#include "railwright/simulation/estimator/estimator.hpp"
#include "static_vector.hpp"
#include "table_entries.hpp"

namespace railwright::simulation {

inline constexpr std::size_t kMaxKinds = 16;    // of places
inline constexpr std::size_t kMaxClasses = 16;  // of stages

/// Parameters of one place on one rank.
struct PlaceHoldings {
  models::ShardParameters held;
  models::ShardParameters trained;
};
PlaceHoldings holdings_of(const LayerEntry& layers, const PlaceKind& kind);

/// Sums over the places of a class of stages.
struct StageSums {
  models::ShardParameters held;
  models::ShardParameters in_layers;  ///< of them, embedding and head apart
  models::ShardParameters trained;
  double largest_held = 0.0;
  double largest_trained = 0.0;
  double recomputed_layer = 0.0;
};

using Holdings = ShortVector<PlaceHoldings, kMaxKinds>;
using Sums = ShortVector<StageSums, kMaxClasses>;

/// Of the places of all kinds, and of all classes of stages. The configuration's entries must be
/// there and few enough.
void set_holdings(const MemoryEntries& entries, Holdings& holdings);
void set_sums(const MemoryEntries& entries, const Holdings& holdings, Sums& sums);

/// Seconds an optimizer step of a stage takes one rank at full speed.
core::Duration optimizer_time(const MemoryEntries& entries, const StageSums& sums, bool divides);

/// The stage that needs most; without a time.
MemoryEstimate memory_of(const models::MemoryRules& rules, double capacity,
                         const Configuration& configuration, const MemoryEntries& entries,
                         std::span<const StageSums> sums);

/// The bubble of the closed form beside the work of each stage, all other transfers free.
core::Duration min_step_time(const Configuration& configuration, const MemoryEntries& entries,
                             std::span<const StageSums> sums);

}  // namespace railwright::simulation
