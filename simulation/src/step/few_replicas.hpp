// SPDX-License-Identifier: Apache-2.0
// The transfers of a few replicas, as a lower bound of those of all.
#pragma once

#include <array>
#include <vector>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Returns the costs of a step with the transfers of the first replica, of those that it exchanges
/// tokens or keys with, and of one group of each collective that keeps replicas alike: they have
/// the links to themselves, and no node is slow.
/// Calls that replicas share have the part of the first, and those of the others as one.
/// `capacity`: the link_capacities() of the fabric.
StepCosts least_costs(const CheckedScenario& checked, const core::Fabric& fabric,
                      const std::vector<double>& capacity);
/// Returns longest_calls() of these costs, of shared calls for what the first replica brings.
std::array<core::Duration, kNumLayerCalls> longest_least_calls(const StepCosts& costs);
/// Returns these costs with the collectives that keep replicas alike as their only transfers.
StepCosts costs_of_syncs(const CheckedScenario& checked, const core::Fabric& fabric,
                         const std::vector<double>& capacity);

}  // namespace railwright::simulation
