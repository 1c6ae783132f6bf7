// SPDX-License-Identifier: Apache-2.0
// Which parameters a rank holds.
#pragma once

#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// Parameters one tensor-parallel rank of `stage` holds, place by place in the order a forward pass
/// meets them. The embedding is in the first place of the first stage, final norm and LM head in
/// the last place of the last stage, beside a decoder layer or instead of it (a tied head is a
/// second copy there when pp > 1).
std::vector<double> parameters_by_layer(const Transformer& model, const Layout& layout, int stage);

/// Their sum.
double parameters_on_rank(const Transformer& model, const Layout& layout, int stage);

}  // namespace railwright::models
