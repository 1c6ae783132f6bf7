// SPDX-License-Identifier: Apache-2.0
// An InfiniBand fabric, as any tool lists its devices and cables, as a part of a scenario.
#pragma once

#include <string_view>

#include "../common/findings.hpp"
#include "ib_walk.hpp"

namespace railwright::importers {

/// Adds the fabric and the NICs of its hosts. Reports a problem where no channel adapter is on a
/// switch.
void add_ib_fabric(const IbWalk& walk, std::string_view tool, Findings& findings);

}  // namespace railwright::importers
