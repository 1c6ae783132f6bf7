// SPDX-License-Identifier: Apache-2.0
// How a stage's parameters are cut into pieces that collectives carry.
#pragma once

#include <vector>

#include "railwright/models/software/profile.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Whether collectives go layer by layer: those of ZeRO-3, and of every micro-batch.
bool cuts_by_layer(const models::SoftwareProfile& software);

/// Pieces of what a stage reduces and gathers, from the last layer to the first: of the software's
/// bucket size, or a layer each. What is trained is reduced; gathered is what was trained, or all
/// that is held under ZeRO-3. Both by layer, in forward order.
std::vector<Bucket> make_buckets(const std::vector<double>& trained,
                                 const std::vector<double>& held,
                                 const models::SoftwareProfile& software);

}  // namespace railwright::simulation
