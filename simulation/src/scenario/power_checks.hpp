// SPDX-License-Identifier: Apache-2.0
// What no single field says of power and prices.
#pragma once

#include "railwright/core/config/reader.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// Reports a cap at which nodes cannot compute.
void check_power(const core::Node& tree, const Scenario& scenario, core::Reader& reader);

/// Reports prices of what is neither in the catalogue nor in the cluster.
void check_prices(const core::Node& tree, const Scenario& scenario,
                  const core::Catalogue& catalogue, core::Reader& reader);

}  // namespace railwright::simulation
