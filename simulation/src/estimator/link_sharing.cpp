// SPDX-License-Identifier: Apache-2.0
#include "link_sharing.hpp"

#include <array>
#include <cstdint>

namespace railwright::simulation {

namespace {

enum Slot : std::uint8_t { kForward, kBackward, kCalls, kSyncs, kNumSlots };

/// The stage whose transfers of each kind a link carries.
struct LinkStages {
  std::array<int, kNumSlots> stage{kNobody, kNobody, kNobody, kNobody};

  static constexpr int kNobody = -1;
  [[nodiscard]] bool has(Slot slot) const { return stage[slot] != kNobody; }
};

}  // namespace

LinkSharing link_sharing(const StepCosts& costs) {
  LinkSharing sharing;
  std::vector<LinkStages> links(costs.capacity.size());
  const auto add = [&](const models::CollectiveFlow& flow, int stage, Slot slot) {
    for (const core::LinkUse& use : flow.route) {
      int& known = links[static_cast<std::size_t>(use.link)].stage[slot];
      if (known != LinkStages::kNobody && known != stage) sharing.of_stages = true;
      known = stage;
    }
  };
  for (int stage = 0; stage < costs.layout.pp; ++stage) {
    for (int replica = 0; replica < costs.num_replicas; ++replica) {
      const std::size_t group = costs.group(stage, replica);
      for (const GroupCalls& calls : costs.calls) {
        if (!calls.flows.empty()) add(calls.flows[group], stage, kCalls);
      }
      if (costs.layout.pp == 1) continue;
      add(costs.send_forward[group], stage, kForward);
      add(costs.send_backward[group], stage, kBackward);
    }
    for (const ParameterSync& sync : costs.stages[static_cast<std::size_t>(stage)].syncs) {
      add(sync.gradient_sync, stage, kSyncs);
      add(sync.parameter_gather, stage, kSyncs);
    }
  }
  for (const LinkStages& link : links) {
    const bool sends = link.has(kForward) || link.has(kBackward);
    if (sends && (link.has(kCalls) || link.has(kSyncs))) sharing.of_sends = true;
    if (link.has(kCalls) && link.has(kSyncs)) sharing.of_syncs_and_calls = true;
  }
  return sharing;
}

}  // namespace railwright::simulation
