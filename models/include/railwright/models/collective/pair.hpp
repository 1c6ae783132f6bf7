// SPDX-License-Identifier: Apache-2.0
// Transfers between two accelerators, of which a step has tens of thousands.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "railwright/core/fabric/tier.hpp"
#include "railwright/models/collective/collective.hpp"
#include "railwright/models/software/collectives.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::models {

/// Returns what Communicator(fabric, {from, to}, tuning).flow(kSendReceive, bytes) does, without
/// what only other calls need.
CollectiveFlow pair_flow(const core::Fabric& fabric, int from, int to,
                         const CollectiveTuning& tuning, double bytes);

/// Transfers of `bytes` each. Latency and ceiling of one follow from the links on its way, and ways
/// over the same kinds of links in the same order have the same: each kind of way is worked out
/// once. The fabric and the tuning must outlive this. For one thread.
class PairFlows {
 public:
  PairFlows(const core::Fabric& fabric, const CollectiveTuning& tuning, double bytes);

  [[nodiscard]] double bytes() const { return bytes_; }
  /// Returns merge() of what pair_flow() returns for these senders and receivers.
  [[nodiscard]] CollectiveFlow together(std::span<const std::pair<int, int>> pairs);

 private:
  struct Limits {
    core::Duration latency;
    double ceiling = 0.0;
  };
  /// The facts of a link that limits ask for.
  struct Kind {
    core::Tier tier = core::Tier::kFabric;
    core::Bandwidth bandwidth;
    core::Duration latency;
    bool leaves_node = false;
    bool operator==(const Kind&) const = default;
  };

  [[nodiscard]] std::int32_t kind_of(core::LinkId id);
  void limit(std::span<const core::LinkUse> way, CollectiveFlow& all);

  const core::Fabric& fabric_;
  const CollectiveTuning& tuning_;
  double bytes_;
  std::vector<std::int32_t> kind_;  ///< by link; -1 until it is asked for
  std::vector<Kind> kinds_;
  std::map<std::vector<std::int32_t>, Limits> limits_;  ///< by the kinds of links on the way
  std::vector<std::int32_t> way_;
  std::vector<core::LinkUse> uses_;
};

}  // namespace railwright::models
