// SPDX-License-Identifier: Apache-2.0
// How a stage's parameters are cut into pieces that collectives carry.
#pragma once

#include <vector>

#include "railwright/models/software/profile.hpp"
#include "railwright/planner/step/costs.hpp"

namespace railwright::planner {

/// Whether collectives go layer by layer: those of ZeRO-3, and of every micro-batch.
bool cuts_by_layer(const models::SoftwareProfile& software);

/// Pieces of a stage's parameters (by layer, in forward order), from the last layer to the first:
/// of the software's bucket size, or a layer each.
std::vector<Bucket> make_buckets(const std::vector<double>& parameters,
                                 const models::SoftwareProfile& software);

}  // namespace railwright::planner
