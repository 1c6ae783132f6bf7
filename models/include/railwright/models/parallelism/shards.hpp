// SPDX-License-Identifier: Apache-2.0
// Which parameters a rank holds.
#pragma once

#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// Parameters one tensor-parallel rank of `stage` holds, layer by layer in the order a forward pass
/// meets them. The embedding counts with the first layer of the first stage, final norm and LM head
/// with the last layer of the last stage (a tied head is a second copy there when pp > 1).
std::vector<double> parameters_by_layer(const Transformer& model, const Layout& layout, int stage);

/// Their sum.
double parameters_on_rank(const Transformer& model, const Layout& layout, int stage);

}  // namespace railwright::models
