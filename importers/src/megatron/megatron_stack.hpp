// SPDX-License-Identifier: Apache-2.0
// Translates Megatron-LM's arguments to settings of the software stack.
#pragma once

#include <cstdint>
#include <string>

#include "../common/findings.hpp"
#include "../common/tree_values.hpp"

namespace railwright::importers {

/// Adds a switch of the arguments and returns it; if it is absent, assumes `otherwise`.
bool add_megatron_flag(TreeValues& arguments, Findings& findings, const std::string& name,
                       const std::string& path, bool otherwise);

/// Adds `software`. `virtual_stages` decides whether a pipeline stage overlaps its sends.
void add_megatron_stack(TreeValues& arguments, bool is_complete, std::int64_t virtual_stages,
                        Findings& findings);

}  // namespace railwright::importers
