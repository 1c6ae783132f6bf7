// SPDX-License-Identifier: Apache-2.0
// The transfers of a few replicas, as a lower bound of those of all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Collectives that keep replicas alike, on one fabric and with one library: those of the same
/// members and bytes are worked out once. Bounded; any number of threads.
class KnownSyncs {
 public:
  /// Returns `make()`, or what it gave before for a sync of the same content.
  template <class Make>
  ParameterSync of(const std::vector<std::uint64_t>& content, const Make& make) {
    if (const auto known = find(content)) return *known;
    const auto sync = std::make_shared<const ParameterSync>(make());
    const std::size_t size =
        content.size() + sync->gradient_sync.route.size() + sync->parameter_gather.route.size();
    const std::scoped_lock lock(mutex_);
    if (num_kept_ + size <= kMaxKept && known_.emplace(content, sync).second) num_kept_ += size;
    return *sync;
  }
  /// Number of syncs that were found.
  [[nodiscard]] std::size_t num_found() const {
    const std::scoped_lock lock(mutex_);
    return num_found_;
  }

 private:
  static constexpr std::size_t kMaxKept = std::size_t{1} << 22U;  // 64 MiB at most

  std::shared_ptr<const ParameterSync> find(const std::vector<std::uint64_t>& content) {
    const std::scoped_lock lock(mutex_);
    const auto known = known_.find(content);
    if (known == known_.end()) return nullptr;
    ++num_found_;
    return known->second;
  }

  mutable std::mutex mutex_;
  std::map<std::vector<std::uint64_t>, std::shared_ptr<const ParameterSync>> known_;
  std::size_t num_kept_ = 0;  ///< words of keys and uses of links
  std::size_t num_found_ = 0;
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

/// Numbers the links that carry anything in their order, and drops the others: what is made of the
/// costs walks over all links again and again.
StepCosts on_used_links(StepCosts costs);

}  // namespace railwright::simulation
