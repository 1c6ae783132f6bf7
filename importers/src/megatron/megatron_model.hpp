// SPDX-License-Identifier: Apache-2.0
// The model of a training job in the words of Megatron-LM's arguments.
#pragma once

#include <cstdint>
#include <optional>

#include "../common/findings.hpp"
#include "../common/tree_values.hpp"

namespace railwright::importers {

/// Adds workload.model: whole where the arguments tell its shape, else what they tell of it. The
/// vocabulary is padded to a multiple of make_vocab_size_divisible_by * tp, as Megatron does. The
/// number of layers, where it is told.
std::optional<std::int64_t> add_megatron_model(TreeValues& arguments, std::int64_t tp,
                                               Findings& findings);

}  // namespace railwright::importers
