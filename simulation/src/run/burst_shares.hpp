// SPDX-License-Identifier: Apache-2.0
// Bursts of several flows at a time, within what their links hold.
#pragma once

#include <span>
#include <vector>

#include "railwright/core/sim/flow_state.hpp"

namespace railwright::simulation::replication {

/// A flow at its mean rate, and how much faster it would go by itself in between.
struct Burst {
  std::span<const core::LinkUse> uses;  ///< seconds of a link for each unit
  double rate = 0.0;                    ///< units/s
  double more = 0.0;                    ///< peak over mean rate, less 1
};

/// Returns the share of its burst that each flow reaches if all burst at a time: all rise together
/// from their mean rates, and those on a link that is full, of capacity 1, stay there.
std::vector<double> burst_shares(std::span<const Burst> bursts);

}  // namespace railwright::simulation::replication
