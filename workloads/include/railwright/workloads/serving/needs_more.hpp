// SPDX-License-Identifier: Apache-2.0
// Whether a service is known to need more accelerators than another, without finding how many.
#pragma once

#include <cstdint>

#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Whether a service that is divided as the scenario says needs more than so many `accelerators`
/// for a load that keeps coming: on as many replicas as these hold, twice as many requests are late
/// as may be, and more than chance makes so. More replicas are taken to make no more of them late,
/// but for chance. False where a few runs do not tell, and for other loads. Throws
/// core::Interrupted.
bool surely_needs_more(const CheckedInference& checked, const topologies::BuiltCluster& built,
                       std::int64_t accelerators);

}  // namespace railwright::simulation
