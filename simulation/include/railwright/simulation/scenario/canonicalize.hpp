// SPDX-License-Identifier: Apache-2.0
// A scenario that was laid together, so that its text says all of it.
#pragma once

#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// Takes away, in every catalogue entry, what was laid over another one: text cannot say so.
void settle(core::Node& scenario);

}  // namespace railwright::simulation
