// SPDX-License-Identifier: Apache-2.0
// Checks of a model's division, for any number of accelerators.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// Records a problem with a key unless the condition holds.
using Require = std::function<void(bool holds, std::string_view key, std::string message)>;

/// Checks that the numbers of a model are consistent, and that every dimension except data
/// parallelism divides it into whole pieces.
void check_division(const Training& training, const Parallelism& parallelism,
                    const Require& require);

/// Checks that the schedule can run the micro-batches of a replica.
void check_microbatches(const Parallelism& parallelism, int num_microbatches,
                        const Require& require);

}  // namespace railwright::models
