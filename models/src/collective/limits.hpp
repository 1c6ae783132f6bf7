// SPDX-License-Identifier: Apache-2.0
// The limits of a call on the links that it loads.
#pragma once

#include <cstddef>

#include "groups.hpp"
#include "railwright/models/collective/collective.hpp"
#include "railwright/models/software/collective_algorithm.hpp"
#include "railwright/models/software/collectives.hpp"

namespace railwright::models {

/// Returns the connections of a channel that a hash tells apart.
std::size_t num_connections(const core::Fabric& fabric, const CollectiveTuning& tuning);

/// Gives a flow the latency and the ceiling of a call on its route.
void limit_call(const core::Fabric& fabric, const CollectiveAlgorithm& algorithm,
                const CollectiveCall& call, const Groups& groups, CollectiveFlow& flow);

}  // namespace railwright::models
