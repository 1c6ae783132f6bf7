// SPDX-License-Identifier: Apache-2.0
// What the choice between algorithms asks of a fabric and of the members' places on it.
#pragma once

#include "groups.hpp"
#include "library.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::models {

const core::Link& link_of(const core::Fabric& fabric, const core::LinkUse& use);

/// Of at least two members. `network` and `network_reduces` are left for those who ask.
CommunicatorShape shape_of(const core::Fabric& fabric, const Groups& groups);

/// What the adapters of a node's members put into the network, in bytes/s: of the first node and
/// the first of those with fewest members.
double network_bandwidth(const core::Fabric& fabric, const Groups& groups);

/// Whether all switches on the ways of the nodes to the first one add what passes them.
bool network_reduces(const core::Fabric& fabric, const Groups& groups);

}  // namespace railwright::models
