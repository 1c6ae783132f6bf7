// SPDX-License-Identifier: Apache-2.0
// Communicators of the accelerators of a fabric, made for each call or kept.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "railwright/core/fabric/node_copies.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/collective/pair.hpp"

namespace railwright::simulation {

/// Once those that are asked for again were learnt, any number of threads may ask.
class Communicators {
 public:
  /// Implicit: a fabric has the communicators of its accelerators.
  Communicators(const core::Fabric& fabric) : fabric_(&fabric) {}  // NOLINT(*-explicit-*)
  /// `copies` are its nodes that are copies.
  Communicators(const core::Fabric& fabric, std::shared_ptr<const core::NodeCopies> copies)
      : fabric_(&fabric), copies_(std::move(copies)) {}
  /// Communicators of a fabric that has the routes of another, where `of_shape` knows some.
  Communicators(const core::Fabric& fabric, const Communicators& of_shape)
      : fabric_(&fabric), of_shape_(&of_shape.known_) {}

  [[nodiscard]] const core::Fabric& fabric() const { return *fabric_; }
  /// The nodes that are copies, if that is known; null otherwise.
  [[nodiscard]] const core::NodeCopies* copies() const { return copies_.get(); }

  /// Returns the communicator of these members; `tuning` must outlive it.
  [[nodiscard]] models::Communicator of(const std::vector<int>& members,
                                        const models::CollectiveTuning& tuning) const {
    const auto known = known_.find(members);
    if (known != known_.end()) return known->second.with(tuning);
    if (of_shape_ == nullptr) return {*fabric_, members, tuning};
    const auto elsewhere = of_shape_->find(members);
    if (elsewhere == of_shape_->end()) return {*fabric_, members, tuning};
    return elsewhere->second.on(*fabric_, tuning);
  }

  /// Returns the flow of `bytes` from one accelerator to another.
  [[nodiscard]] models::CollectiveFlow send(int from, int to,
                                            const models::CollectiveTuning& tuning,
                                            double bytes) const {
    const auto known = known_.empty() ? known_.end() : known_.find({from, to});
    if (known == known_.end()) return models::pair_flow(*fabric_, from, to, tuning, bytes);
    return known->second.with(tuning).flow(models::CollectiveOp::kSendReceive, bytes);
  }

  /// Keeps one for all calls; so does its tuning have to live.
  void learn(const std::vector<int>& members, const models::CollectiveTuning& tuning) {
    if (!known_.contains(members)) {
      known_.emplace(members, models::Communicator(*fabric_, members, tuning));
    }
  }

 private:
  const core::Fabric* fabric_;
  std::map<std::vector<int>, models::Communicator> known_;
  const std::map<std::vector<int>, models::Communicator>* of_shape_ = nullptr;  // of another fabric
  std::shared_ptr<const core::NodeCopies> copies_;
};

}  // namespace railwright::simulation
