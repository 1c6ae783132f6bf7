// SPDX-License-Identifier: Apache-2.0
// What the stack does, in the words of Megatron-LM's arguments.
#pragma once

#include <cstdint>
#include <string>

#include "../common/findings.hpp"
#include "../common/tree_values.hpp"

namespace railwright::importers {

/// Adds a switch of the arguments and returns it; `otherwise`, assumed, where it is not given.
bool add_megatron_flag(TreeValues& arguments, Findings& findings, const std::string& name,
                       const std::string& path, bool otherwise);

/// Adds `software`. `virtual_stages` of a pipeline stage decide whether its sends overlap.
void add_megatron_stack(TreeValues& arguments, bool is_complete, std::int64_t virtual_stages,
                        Findings& findings);

}  // namespace railwright::importers
