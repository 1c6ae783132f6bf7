// SPDX-License-Identifier: Apache-2.0
// Pieces of a stage's parameters that collectives carry.
#pragma once

#include <vector>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::models {
struct SoftwareProfile;
}  // namespace railwright::models

namespace railwright::simulation {

/// Whether collectives go layer by layer: under ZeRO-3, or with reductions in every micro-batch.
bool cuts_by_layer(const models::SoftwareProfile& software, int pp);

/// Cuts a stage's parameters into buckets of `size` bytes of gradients, or of a layer each in calls
/// of at most `size`, from the last layer to the first. Gradients of trained parameters are
/// reduced; trained parameters are gathered (all held ones under ZeRO-3). `trained` and `held`:
/// parameters by layer, in forward order.
std::vector<Bucket> make_buckets(const std::vector<double>& trained,
                                 const std::vector<double>& held,
                                 const models::SoftwareProfile& software, int pp,
                                 core::DataSize size);

}  // namespace railwright::simulation
