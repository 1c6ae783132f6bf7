// SPDX-License-Identifier: Apache-2.0
// The way of a prompt's cache from the replica that processed it to the one that answers.
#pragma once

#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/collective/collective.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

/// The cache crosses the network once, in equal parts on as many pairs of accelerators as the
/// smaller replica has that divide attention. Copies for ranks that share a head are made inside
/// the node and take no time here.
class CacheTransfer {
 public:
  /// Between a replica of `prefill_tp` accelerators and one of `tp`, on the first and the last node
  /// that a way leads to, or in the only one. `num_senders` replicas of a node send at a time.
  CacheTransfer(const CheckedInference& checked, const core::Fabric& fabric, int prefill_tp, int tp,
                int num_senders = 1);

  /// Returns the bytes of the cache of so many tokens.
  [[nodiscard]] core::DataSize size(double tokens) const {
    return of_token_ * models::kept_tokens(model_, tokens);
  }
  /// Returns the time in which each sender hands over the cache of a prompt of `tokens`.
  [[nodiscard]] core::Duration time(double tokens) const;

 private:
  models::Transformer model_;
  core::DataSize of_token_;
  int num_pairs_ = 1;
  std::optional<core::Bandwidth> rate_;  ///< of the scenario, in place of the fabric's
  models::CollectiveFlow flow_;          ///< of all pairs, for a prompt of mean length
  std::vector<double> capacity_;         ///< bytes/s by link
};

}  // namespace railwright::simulation
