// SPDX-License-Identifier: Apache-2.0
// A lower bound of a simulated step.
#pragma once

#include "railwright/core/units/quantity.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

struct CheckedScenario;

/// Returns a lower bound of the step time that events give: that of the first replica and of those
/// that it exchanges tokens or keys with, which have the links to themselves. Replicas that sit
/// elsewhere have no events, which are most where a cluster has many classes of places. Nodes at
/// the places of the cluster as described, no node slow.
core::Duration least_simulated_time(const CheckedScenario& checked, const core::Fabric& fabric);

}  // namespace railwright::simulation
