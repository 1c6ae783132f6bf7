// SPDX-License-Identifier: Apache-2.0
// Translates a training job from Megatron-LM's arguments to parts of a scenario.
#pragma once

#include <span>

#include "../common/findings.hpp"
#include "../common/shell_words.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// Adds the model, its parallelism, batches and what the stack does. `arguments` maps names with
/// underscores to values; absent ones take the default of Megatron's arguments.py, marked as
/// assumed. Notes arguments that have no place in a scenario, unless `is_complete`: then
/// `arguments` lists every argument, most of which have no effect on time. [@megatron_arguments]
/// Of `unset`, those that decide something are said to come from outside.
void add_megatron_recipe(const core::Node& arguments, bool is_complete,
                         std::span<const UnsetOption> unset, Findings& findings);

}  // namespace railwright::importers
