// SPDX-License-Identifier: Apache-2.0
// What must hold for a model to be divided, whatever the number of accelerators.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// Takes down a problem with a key where something does not hold.
using Require = std::function<void(bool holds, std::string_view key, std::string message)>;

/// That the numbers of a model go together, and every dimension but data parallelism cuts it into
/// whole pieces.
void check_division(const Training& training, const Parallelism& parallelism,
                    const Require& require);

/// That the micro-batches of a replica can pass as the schedule wants.
void check_microbatches(const Parallelism& parallelism, int num_microbatches,
                        const Require& require);

}  // namespace railwright::models
