// SPDX-License-Identifier: Apache-2.0
// Names that arguments of Megatron-LM had before, have in Megatron-DeepSpeed or in the
// configuration classes of Megatron-core.
#pragma once

#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// Returns the name that an argument has today; the same where it was not renamed.
std::string_view name_of_today(std::string_view name);

/// Returns the arguments that a word of Megatron-Bridge for mixed precision stands for:
/// "bf16_with_fp8_hybrid" is bf16 and fp8.
std::vector<std::string_view> precision_arguments(std::string_view word);

/// Returns arguments under the names of today's Megatron-LM. A name of today that the file has
/// keeps its value.
core::Node with_names_of_today(const core::Node& arguments);

}  // namespace railwright::importers
