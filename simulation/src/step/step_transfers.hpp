// SPDX-License-Identifier: Apache-2.0
// The transfers of a step: of every replica, or of one of each class.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "flows.hpp"
#include "railwright/core/fabric/node_copies.hpp"
#include "railwright/models/collective/pair.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Parameters of a stage that have the same replicas.
struct SyncKey {
  int stage = 0;
  bool of_experts = false;

  auto operator<=>(const SyncKey&) const = default;
};

class StepTransfers {
 public:
  StepTransfers() = default;
  StepTransfers(const StepTransfers&) = delete;
  StepTransfers& operator=(const StepTransfers&) = delete;
  virtual ~StepTransfers() = default;

  [[nodiscard]] virtual int num_replicas() const = 0;
  [[nodiscard]] virtual std::vector<double> capacity() const = 0;
  [[nodiscard]] virtual std::vector<double> speeds() const = 0;
  [[nodiscard]] virtual std::array<GroupCalls, kNumLayerCalls> calls() const = 0;
  [[nodiscard]] virtual models::CollectiveFlow send(const StageSend& send, double bytes) const = 0;
  [[nodiscard]] virtual ParameterSync sync(const SyncKey& key, double bucket_bytes) const = 0;
};

/// All replicas of a layout on all links of a fabric. For one thread.
class EveryReplica final : public StepTransfers {
 public:
  enum class Syncs : std::uint8_t { kForgotten, kKept };
  /// A call, and its flow in each of its groups.
  struct SyncFlows {
    SyncCall call;
    std::vector<models::CollectiveFlow> flows;
  };

  EveryReplica(const CheckedScenario& checked, const core::Fabric& fabric,
               Syncs syncs = Syncs::kForgotten)
      : checked_(checked), fabric_(fabric), syncs_(syncs) {
    if (syncs == Syncs::kKept) copies_ = std::make_shared<const core::NodeCopies>(fabric);
  }

  /// The nodes that are copies, for all that is made of the same fabric; null unless syncs are
  /// kept.
  [[nodiscard]] const std::shared_ptr<const core::NodeCopies>& copies() const { return copies_; }
  /// Returns the calls of a sync that was asked for, if they are kept.
  [[nodiscard]] const std::vector<SyncFlows>& made_sync(const SyncKey& key) const {
    return made_.at(key);
  }

  [[nodiscard]] int num_replicas() const override { return checked_.layout.num_replicas(); }
  [[nodiscard]] std::vector<double> capacity() const override;
  [[nodiscard]] std::vector<double> speeds() const override;
  [[nodiscard]] std::array<GroupCalls, kNumLayerCalls> calls() const override;
  [[nodiscard]] models::CollectiveFlow send(const StageSend& send, double bytes) const override;
  [[nodiscard]] ParameterSync sync(const SyncKey& key, double bucket_bytes) const override;

 private:
  const CheckedScenario& checked_;
  const core::Fabric& fabric_;
  Syncs syncs_;
  std::shared_ptr<const core::NodeCopies> copies_;
  mutable std::map<SyncKey, std::vector<SyncFlows>> made_;
  mutable std::optional<models::PairFlows> pairs_;  ///< once a transfer was asked for
};

/// Returns the costs of a step with these transfers.
StepCosts costs_with(const CheckedScenario& checked, const StepTransfers& transfers);

}  // namespace railwright::simulation
