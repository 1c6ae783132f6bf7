// SPDX-License-Identifier: Apache-2.0
// The members of a collective on a fabric, and what their collectives cost.
#pragma once

#include <vector>

#include "railwright/models/collective/collective.hpp"

namespace railwright::models {

/// Members stand in rank order; those of one node are one scale-up domain. The fabric and the
/// tuning must outlive the communicator.
class Communicator {
 public:
  Communicator(const core::Fabric& fabric, std::vector<int> members,
               const CollectiveTuning& tuning);

  /// One call of `op` on a buffer of `bytes`. Route, latency and ceiling all depend on the size.
  [[nodiscard]] CollectiveFlow flow(CollectiveOp op, double bytes) const;

  [[nodiscard]] int size() const { return static_cast<int>(members_.size()); }

 private:
  [[nodiscard]] bool spans_nodes() const;
  [[nodiscard]] core::Duration hop_latency(int from, int to) const;
  [[nodiscard]] CollectiveFlow all_to_all() const;
  [[nodiscard]] CollectiveFlow chain() const;

  const core::Fabric* fabric_;
  std::vector<int> members_;
  const CollectiveTuning* tuning_;
};

}  // namespace railwright::models
