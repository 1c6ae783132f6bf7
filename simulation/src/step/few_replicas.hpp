// SPDX-License-Identifier: Apache-2.0
// The transfers of a few replicas, as a lower bound of those of all.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "flows.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Flows of the collectives that keep replicas alike, of one fabric and one way to call: layouts
/// that differ in chunks, micro-batches and what is cut within a stage have the same. Any number
/// of threads.
class KnownSyncs {
 public:
  /// Everything that decides the flows of the first group of each call.
  using Key = std::vector<std::uint64_t>;
  static Key key_of(std::span<const SyncCall> calls, double bucket_bytes);

  [[nodiscard]] std::optional<ParameterSync> find(const Key& key) const;
  void keep(Key key, const ParameterSync& sync);
  /// Number of syncs that were found.
  [[nodiscard]] std::size_t num_found() const;

 private:
  mutable std::mutex mutex_;
  std::map<Key, ParameterSync> known_;
  mutable std::size_t num_found_ = 0;
};

/// Returns the costs of a step with the transfers of the first replica, of those that it exchanges
/// tokens or keys with, and of one group of each collective that keeps replicas alike: they have
/// the links to themselves, and no node is slow.
/// Calls that replicas share have the part of the first, and those of the others as one.
/// `capacity`: the link_capacities() of the fabric.
StepCosts least_costs(const CheckedScenario& checked, const core::Fabric& fabric,
                      const std::vector<double>& capacity, KnownSyncs& known);
/// Returns longest_calls() of these costs, of shared calls for what the first replica brings.
std::array<core::Duration, kNumLayerCalls> longest_least_calls(const StepCosts& costs);
/// Returns these costs with the collectives that keep replicas alike as their only transfers.
StepCosts costs_of_syncs(const CheckedScenario& checked, const core::Fabric& fabric,
                         const std::vector<double>& capacity, KnownSyncs& known);

}  // namespace railwright::simulation
