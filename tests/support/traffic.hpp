// SPDX-License-Identifier: Apache-2.0
// Traffic over time as plain data, so that the engine and independent simulators can run the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "railwright/core/sim/engine.hpp"

namespace railwright::test {

struct Transfer {
  std::vector<core::LinkUse> route;
  std::int64_t size = 0;
  /// The tick at which it starts, or the ticks it waits once all of `after` have ended.
  std::int64_t start = 0;
  std::vector<std::size_t> after;  ///< earlier transfers
  double ceiling = std::numeric_limits<double>::infinity();
  int multiplicity = 1;
  double weight = 1.0;
};

struct CapacityChange {
  std::int64_t when = 0;
  core::LinkId link = 0;
  double capacity = 0.0;
};

struct Traffic {
  std::vector<double> capacities;
  std::vector<Transfer> transfers;
  std::vector<CapacityChange> changes;  ///< at most one at a tick for one link
};

/// The tick at which each transfer ends, by the engine under test.
template <class Time>
std::vector<std::int64_t> engine_ends(const Traffic& traffic);

extern template std::vector<std::int64_t> engine_ends<core::StepTime>(const Traffic&);
extern template std::vector<std::int64_t> engine_ends<core::RunTime>(const Traffic&);

/// What waits for what, turned round: the transfers to be told when one ends.
class Waiting {
 public:
  explicit Waiting(const Traffic& traffic) : followers_(traffic.transfers.size()) {
    for (std::size_t t = 0; t < traffic.transfers.size(); ++t) {
      missing_.push_back(traffic.transfers[t].after.size());
      for (const std::size_t before : traffic.transfers[t].after) followers_[before].push_back(t);
    }
  }

  /// Calls `ready(t)` for each transfer for which `ended` was the last it waited for.
  template <class Ready>
  void end(std::size_t ended, Ready ready) {
    for (const std::size_t t : followers_[ended]) {
      if (--missing_[t] == 0) ready(t);
    }
  }

 private:
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::size_t> missing_;
};

}  // namespace railwright::test
