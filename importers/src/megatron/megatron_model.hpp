// SPDX-License-Identifier: Apache-2.0
// Translates the model of a training job from Megatron-LM's arguments.
#pragma once

#include <cstdint>
#include <optional>

#include "../common/findings.hpp"
#include "../common/tree_values.hpp"

namespace railwright::importers {

/// Adds workload.model: whole where the arguments give its shape, else the keys that they give.
/// Pads the vocabulary to a multiple of make_vocab_size_divisible_by * tp, as Megatron does.
/// Returns the number of layers, where it is known.
std::optional<std::int64_t> add_megatron_model(TreeValues& arguments, std::int64_t tp,
                                               Findings& findings);

}  // namespace railwright::importers
