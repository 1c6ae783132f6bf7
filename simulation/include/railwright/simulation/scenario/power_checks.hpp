// SPDX-License-Identifier: Apache-2.0
// Checks of power and prices across fields.
#pragma once

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/report.hpp"
#include "railwright/models/money/prices.hpp"
#include "railwright/models/power/node_power.hpp"

namespace railwright::simulation {

/// Reports powers of a node in the wrong order, and a cap at which nodes cannot compute.
void check_power(const core::ComputeNode& node, const models::PowerPlan& plan,
                 const core::Report& report);

/// Reports prices of parts that are neither in the catalogue nor in the cluster.
void check_prices(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader);

}  // namespace railwright::simulation
