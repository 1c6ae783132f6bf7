// SPDX-License-Identifier: Apache-2.0
// The transfers of a few replicas, as a lower bound of those of all.
#pragma once

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Returns the costs of a step with the transfers of the first replica, of those that it exchanges
/// tokens or keys with, and of one group of each collective that keeps replicas alike: they have
/// the links to themselves, and no node is slow.
StepCosts least_costs(const CheckedScenario& checked, const core::Fabric& fabric);
/// Returns these costs with the collectives that keep replicas alike as their only transfers.
StepCosts costs_of_syncs(const CheckedScenario& checked, const core::Fabric& fabric);

}  // namespace railwright::simulation
