// SPDX-License-Identifier: Apache-2.0
// Canonicalizes a merged scenario before it is written as YAML.
#pragma once

#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// Drops, in every catalogue entry, overrides of a model that was replaced later: YAML cannot
/// express them.
void settle(core::Node& scenario);

}  // namespace railwright::simulation
